#include "frontend/lower/text_constants.h"

#include <algorithm>

#include <llvm/Support/xxhash.h>

namespace pravo::lower {

uint32_t TextConstants::find_or_add(std::vector<Value>& constants, std::string_view text) {
  // At most two thirds are taken.
  if ((count_ + 1) * 3 > slots_.size() * 2) grow();
  const auto hash = static_cast<uint32_t>(llvm::xxHash64(llvm::StringRef(text.data(), text.size())));
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].index_plus_one != 0; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    // Text that is not in normal form is unlike its own constant, and gets another one each time.
    if (slot.hash == hash && constants[slot.index_plus_one - 1].as_string() == text) return slot.index_plus_one - 1;
  }
  auto index = static_cast<uint32_t>(constants.size());
  constants.push_back(Value::string(text));
  slots_[at] = {index + 1, hash};
  ++count_;
  return index;
}

void TextConstants::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max<size_t>(old.size() * 2, 64), Slot());
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.index_plus_one == 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].index_plus_one != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace pravo::lower
