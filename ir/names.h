// The interner of names. A name is text of the configuration's source (an identifier, an attribute, a label):
// values of variables, of the environment or of providers never enter it, so a secret cannot be found here.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/ids.h"

#include <llvm/Support/Allocator.h>

namespace pravo {

class Names {
 public:
  Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  // The id of `text`; equal texts have equal ids. Not thread safe.
  NameId intern(std::string_view text);

  // The id of `text` if it was interned before, else an invalid id.
  NameId find(std::string_view text) const;

  // The text of `id`, NUL-terminated, valid as long as this interner.
  std::string_view text(NameId id) const { return texts_[id.index]; }

  size_t size() const { return texts_.size(); }

 private:
  llvm::BumpPtrAllocator arena_;
  std::vector<std::string_view> texts_;
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace pravo
