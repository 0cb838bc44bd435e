// Which constant of a body holds a text: the text of a configuration repeats itself, and equal literals share a value.
// The texts themselves are in the constants only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/value.h"

namespace pravo::lower {

class TextConstants {
 public:
  // The index of the constant that is `text`, which is added where there is none. Always the same `constants`.
  uint32_t find_or_add(std::vector<Value>& constants, std::string_view text);

 private:
  // Open addressing.
  struct Slot {
    uint32_t index_plus_one = 0;  // 0: free
    uint32_t hash = 0;
  };
  void grow();

  std::vector<Slot> slots_;  // a power of two
  size_t count_ = 0;
};

}  // namespace pravo::lower
