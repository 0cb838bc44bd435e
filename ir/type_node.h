// The node behind a Type; only type*.cpp and value*.cpp look in here.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ir/type.h"

namespace pravo {

struct TypeNode {
  mutable std::atomic<uint32_t> refs{1};
  TypeKind kind = TypeKind::Dynamic;
  bool immortal = false;  // the primitive types
  bool has_dynamic = false;
  bool has_optional = false;
  uint16_t depth = 1;
  uint32_t weight = 1;  // with all parts, as if none was shared; see CompoundData
  mutable std::atomic<uint64_t> hash{0};
  std::vector<Type> elements;  // list, set, map: one
  KeySet keys;                 // object
  std::vector<bool> optional;  // object; empty: none is
};

inline constexpr uint64_t kWeightUnit = 16;

}  // namespace pravo
