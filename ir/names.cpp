#include "ir/names.h"

#include <cstring>

namespace pravo {

NameId Names::intern(std::string_view text) {
  if (auto it = ids_.find(text); it != ids_.end()) return it->second;
  char* copy = static_cast<char*>(arena_.Allocate(text.size() + 1, 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  NameId id(static_cast<uint32_t>(texts_.size()));
  texts_.emplace_back(copy, text.size());
  ids_.emplace(texts_.back(), id);
  return id;
}

NameId Names::find(std::string_view text) const {
  auto it = ids_.find(text);
  return it == ids_.end() ? NameId() : it->second;
}

}  // namespace pravo
