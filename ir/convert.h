// Conversion and unification of types, by cty's rules. Safe conversions always succeed (number to string);
// unsafe ones may fail on the value (string to number). Assigning to a declared type uses unsafe ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

// `value` as `target`, which may be a type constraint (dynamic parts keep what the value has; optional attributes
// that are missing become null). Marks stay where they are; those of a dropped attribute go with it. The error's
// path leads to the part that does not fit, its message says what is needed there ("a number is required").
Result<Value> convert(const Value& value, const Type& target);
// Whether such a conversion exists for values of type `from`; `safe`: one that cannot fail.
bool can_convert(const Type& from, const Type& to, bool safe = false);
// The type that convert() gives a value of type `from`, also for unknown values.
Result<Type> converted_type(const Type& from, const Type& to);

// The one type that all of `types` convert to, or nothing (nor of no types).
std::optional<Type> unify(std::span<const Type> types, bool safe = true);
// Converts all values to their unified type. Where the values are too different: the error names the first of
// them that does not fit.
Result<std::vector<Value>> unify_values(std::span<const Value> values, bool safe = true);

// Whether `given` conforms to the constraint `wanted`: equal, but dynamic parts of `wanted` admit anything.
bool conforms(const Type& given, const Type& wanted);

// The default values of optional attributes: a tree along a type constraint, as `optional(T, default)` makes it.
// Values here are of the configuration's source.
struct Defaults {
  // Declared, so that this is no aggregate: initialising one needs the destructors of its members, which clang then
  // wants before they are complete.
  Defaults() = default;

  std::vector<std::pair<Str, Value>> values;            // of this object type's optional attributes
  std::vector<std::pair<Str, Defaults>> attributes;     // of attributes with defaults further inside
  std::vector<std::pair<uint32_t, Defaults>> elements;  // of a tuple's elements, by index
  std::vector<Defaults> element;                        // 0 or 1: of the elements of a list, set or map
  bool empty() const { return values.empty() && attributes.empty() && elements.empty() && element.empty(); }
};

struct TypeConstraint {
  Type type;  // may have optional attributes
  Defaults defaults;
};

// Fills attributes that are missing or null where the constraint has a default for them. Comes before convert();
// a value that does not fit the constraint is returned as it is, for convert() to complain about.
Value apply_defaults(const Value& value, const TypeConstraint& constraint);
// apply_defaults(), then convert().
Result<Value> convert_with_defaults(const Value& value, const TypeConstraint& constraint);

}  // namespace pravo
