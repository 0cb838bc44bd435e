// Value: what an expression evaluates to. 16 bytes: kind, marks and either the scalar itself or a pointer to a
// shared, immutable, reference-counted node. Copying is cheap, sharing between threads is safe.
//
// - A value may be null (of a type) or unknown (of a type, perhaps with refinements that say what is known of it).
// - It carries its own marks; elements of a list, map, tuple or object carry theirs. A set's elements never do:
//   their marks are the set's. deep_marks() of any value costs nothing, since each node caches its elements'.
// - Strings are UTF-8 in normal form C. Keys of maps and objects are sorted bytewise.
// - Values nest at most kMaxDepth deep; who builds deeper refuses first (too_deep()).
// - Bytes of strings that are, or lie in, an ephemeral value are overwritten when they are freed.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/check.h"
#include "ir/keys.h"
#include "ir/marks.h"
#include "ir/number.h"
#include "ir/result.h"
#include "ir/type.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace pravo {

enum class ValueKind : uint8_t { Null, Unknown, Bool, Number, String, List, Set, Map, Tuple, Object };

// What is known of an unknown value.
struct Refinements {
  bool not_null = false;
  Str prefix;                   // of a string
  std::optional<Number> lower;  // of a number
  std::optional<Number> upper;
  bool lower_inclusive = false;
  bool upper_inclusive = false;
  uint64_t min_length = 0;           // of a list, set or map
  uint64_t max_length = UINT64_MAX;  // UINT64_MAX: no bound

  bool empty() const {
    return !not_null && prefix.empty() && !lower && !upper && min_length == 0 && max_length == UINT64_MAX;
  }
  bool operator==(const Refinements& other) const;
};

class Value;

// A step from a value to a part of it: an attribute's name, a list index or a map key.
struct PathStep {
  enum class Kind : uint8_t { Attribute, Index, Key } kind = Kind::Attribute;
  Str name;            // Attribute and Key
  uint64_t index = 0;  // Index

  static PathStep attribute(Str name) { return {Kind::Attribute, std::move(name), 0}; }
  static PathStep at(uint64_t index) { return {Kind::Index, {}, index}; }
  static PathStep key(Str name) { return {Kind::Key, std::move(name), 0}; }
  bool operator==(const PathStep& other) const = default;
};
using Path = std::vector<PathStep>;
// As a user writes it: `.a[0]["k"]`.
std::string path_to_string(std::span<const PathStep> path);

// A place in a value and the marks that the value there carries itself.
struct PathMarks {
  Path path;
  MarkSet marks = MarkSet::None;
  bool operator==(const PathMarks& other) const = default;
};

struct CompoundData;
struct UnknownData;

class Value {
 public:
  // Null of the dynamic type.
  Value() noexcept : Value(ValueKind::Null) {}
  Value(const Value& other) noexcept { copy_from(other); }
  Value(Value&& other) noexcept { move_from(other); }
  Value& operator=(const Value& other) noexcept {
    if (this != &other) {
      Value copy(other);
      swap(copy);
    }
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Value() {
    if (heap_) release();
  }
  void swap(Value& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(marks_, other.marks_);
    std::swap(big_, other.big_);
    std::swap(heap_, other.heap_);
    std::swap(precision_, other.precision_);
    std::swap(payload_, other.payload_);
  }

  // --- making values
  static Value null(Type type = Type());
  static Value unknown(Type type = Type());
  // Drops refinements that say nothing, and is a known value where they leave just one (cty's rules: a number with
  // equal bounds, an empty collection, a list of known length), for that to hold they must say not_null.
  static Value unknown(Type type, Refinements refinements);
  static Value boolean(bool value);
  static Value number(Number value);
  static Value number(int64_t value) { return number(Number::from_int(value)); }
  // Normalises to form C.
  static Value string(std::string_view text);
  // The caller promises form C (ASCII, or a substring of what was).
  static Value string_normal(std::string_view text);
  static Value string(Str normal);

  // Every element of a list, set or map must be of the type `element` (checked), where `element` may hold the
  // dynamic type only if all are unknown or null of it.
  static Value list(Type element, std::vector<Value> elements);
  // Drops repetitions and sorts in cty's order. Marks inside the elements move to the set.
  static Value set(Type element, std::vector<Value> elements);
  static Value map(Type element, KeySet keys, std::vector<Value> values);
  static Value map(Type element, std::vector<std::pair<Str, Value>> entries);  // of equal keys the last stays
  static Value tuple(std::vector<Value> elements);
  static Value object(KeySet keys, std::vector<Value> values);
  static Value object(std::vector<std::pair<Str, Value>> entries);  // of equal keys the last stays
  static Value empty_tuple();
  static Value empty_object();

  // --- what it is
  ValueKind kind() const { return kind_; }
  bool is_null() const { return kind_ == ValueKind::Null; }
  bool is_unknown() const { return kind_ == ValueKind::Unknown; }
  bool is_known() const { return kind_ != ValueKind::Unknown; }
  bool is_compound() const { return kind_ >= ValueKind::List; }
  bool is_wholly_known() const;  // nothing unknown inside either; O(1)
  Type type() const;
  bool has_type(TypeKind kind) const;  // of type()'s kind, cheaper
  unsigned depth() const;              // 1 for a scalar
  // Definitely not null: known and not null, or refined so.
  bool is_definitely_not_null() const;

  // --- scalars; the value must be known, not null and of the kind. Marks are ignored.
  bool as_bool() const {
    PRAVOC_CHECK(kind_ == ValueKind::Bool);
    return payload_.boolean;
  }
  Number as_number() const {
    PRAVOC_CHECK(kind_ == ValueKind::Number);
    return Number::share(payload_.number, precision_, big_);
  }
  // Valid as long as a value with this string lives.
  std::string_view as_string() const { return str_view(); }
  Str as_str() const;

  // --- compounds; marks of the container are not joined to what these return.
  size_t length() const;                    // elements of a list, set, map, tuple, object
  std::span<const Value> elements() const;  // in iteration order; of a map or object in key order
  const Value& element(size_t i) const { return elements()[i]; }
  KeySet keys() const;  // of a map or object
  const Str& key(size_t i) const;
  const Value* find(std::string_view key) const;  // of a map or object; null: no such key

  // --- unknowns
  const Refinements& refinements() const;  // of an unknown value; all defaults if it has none
  // What can be said of any value at all: of a known one everything.
  Refinements range() const;
  // Adds `more` to what is known of an unknown value; others are returned as they are.
  Value refine(const Refinements& more) const;
  Value refine_not_null() const;

  // --- marks
  MarkSet marks() const { return marks_; }
  MarkSet deep_marks() const;  // its own and those of everything inside; O(1)
  Value with_marks(MarkSet add) const&;
  Value with_marks(MarkSet add) &&;
  Value without_marks() const;              // its own
  Value without_marks(MarkSet drop) const;  // its own of these
  Value without_deep_marks() const;         // at any depth
  Value without_deep_marks(MarkSet drop) const;
  // The unmarked value and where marks were, outermost first.
  std::pair<Value, std::vector<PathMarks>> unmark_with_paths() const;
  // The reverse. A path that does not lead anywhere marks the innermost value it reaches.
  Value mark_with_paths(std::span<const PathMarks> marks) const;

  // --- comparing: same type, same structure, same marks and refinements. The language's == is in operators.h.
  bool equals_raw(const Value& other) const;
  uint64_t hash() const;  // agrees with equals_raw without marks

  // --- walking
  // Rebuilds the value bottom-up: each part, its own marks included, is replaced by what `f` returns. Elements of
  // a list, set or map must stay of one type.
  Value transform(llvm::function_ref<Value(std::span<const PathStep>, const Value&)> f) const;
  // Visits each part, containers before their elements; `f` returns false to stay out of one.
  void walk(llvm::function_ref<bool(std::span<const PathStep>, const Value&)> f) const;
  // Nothing unknown remains: unknowns are nulls of their type.
  Value unknown_as_null() const;

 private:
  explicit Value(ValueKind kind) noexcept : kind_(kind) {}
  union Payload {
    bool boolean;
    Number::Payload number;
    const StrData* string;       // may be null: empty
    const TypeNode* type;        // Null; Unknown without refinements
    const UnknownData* unknown;  // Unknown with refinements (big_)
    const CompoundData* compound;
    std::atomic<uint32_t>* refs;  // of any of the nodes
  };
  friend struct ValueAccess;

  // Every node begins with its reference count.
  void retain() const noexcept { payload_.refs->fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (payload_.refs->fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  void destroy() noexcept;
  void copy_from(const Value& other) noexcept {
    kind_ = other.kind_;
    marks_ = other.marks_;
    big_ = other.big_;
    heap_ = other.heap_;
    precision_ = other.precision_;
    payload_ = other.payload_;
    if (heap_) retain();
  }
  void move_from(Value& other) noexcept {
    kind_ = other.kind_;
    marks_ = other.marks_;
    big_ = other.big_;
    heap_ = other.heap_;
    precision_ = other.precision_;
    payload_ = other.payload_;
    other.kind_ = ValueKind::Null;
    other.marks_ = MarkSet::None;
    other.heap_ = false;
    other.payload_.type = nullptr;
  }
  std::string_view str_view() const;

  ValueKind kind_ = ValueKind::Null;
  MarkSet marks_ = MarkSet::None;
  bool big_ = false;        // Number: payload is a node; Unknown: payload has refinements
  bool heap_ = false;       // payload is a counted node
  uint16_t precision_ = 0;  // Number
  Payload payload_{.type = nullptr};
};
static_assert(sizeof(Value) == 16);

// The error for a value or type that would nest deeper than kMaxDepth.
std::unique_ptr<EvalError> too_deep();

// As `terraform console` prints a value, without a final line break. Marked parts print as `(sensitive value)`
// and `(ephemeral value)`, unknown ones as `(known after apply)`.
std::string format_value(const Value& value);
// The same starting at this indentation of the continuation lines.
std::string format_value(const Value& value, unsigned indent);
// On one line, for IR dumps and debugging: marked parts are never printed either.
std::string debug_string(const Value& value);

}  // namespace pravo
