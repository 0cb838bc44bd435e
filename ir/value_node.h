// The nodes behind a Value; only value*.cpp look in here.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/type_node.h"
#include "ir/value.h"

namespace pravo {

// A list, set, map, tuple or object. The elements follow the header.
struct CompoundData {
  mutable std::atomic<uint32_t> refs{1};
  uint32_t count = 0;
  // Of a list, set or map always there; of a tuple or object made on demand.
  mutable std::atomic<const TypeNode*> type{nullptr};
  const KeySet::Data* keys = nullptr;         // map, object
  uint32_t weight = 0;                        // see weight_of()
  uint16_t depth : 13 = 1;                    // at most kMaxDepth and some
  MarkSet element_marks : 2 = MarkSet::None;  // deep marks of all elements
  bool wholly_known : 1 = true;
  mutable std::atomic<bool> wipe{false};  // it is, or was, part of an ephemeral value

  Value* elements() { return reinterpret_cast<Value*>(this + 1); }
  const Value* elements() const { return reinterpret_cast<const Value*>(this + 1); }
  std::span<const Value> all() const { return {elements(), count}; }
};

static_assert(sizeof(CompoundData) == 32);

struct UnknownData {
  mutable std::atomic<uint32_t> refs{1};
  Type type;
  Refinements refinements;
};

struct ValueAccess {
  static const CompoundData* compound(const Value& v) { return v.payload_.compound; }
  // Makes a compound value and the header's facts from its elements.
  static Value make(ValueKind kind, const TypeNode* adopted_type, KeySet keys, std::vector<Value> elements);
  // The value must be a scalar or compound on the heap: its bytes are overwritten when they are freed.
  static void wipe(const Value& v);
  static void set_marks(Value& v, MarkSet marks) { v.marks_ = marks; }
  // Lets a tuple or object share the node of a type that it is known to have.
  static void share_type(const Value& v, const Type& type);
};

// size_of() in units of kWeightUnit; UINT32_MAX for more than that.
uint32_t weight_of(const Value& v);

// The longest list of known length that an unknown list becomes.
inline constexpr uint64_t kMaxKnownLength = 100000;

// Whether v.type() == type, without making the type. Optional attributes in `type` never match.
bool has_exact_type(const Value& v, const Type& type);

// Whether two values are one element of a set: equal, and where they hold zeros, of the same sign, since cty tells
// apart what it prints apart.
bool same_element(const Value& a, const Value& b);

// cty's order of the elements of a set: makes a sorted set without repetitions of elements that carry no marks.
Value make_sorted_set(const Type& element, std::vector<Value> elements);

}  // namespace pravo
