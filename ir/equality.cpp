// The language's `==`: three-valued, since unknowns may turn out either way.
#include "ir/check.h"
#include "ir/operators.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

enum class Truth : uint8_t { False, True, Unknown };

// Whether an unknown value may turn out to be this known one.
bool may_be(const Value& unknown, const Value& known) {
  const Refinements& r = unknown.refinements();
  if (known.is_null()) return !r.not_null;
  if (!conforms(known.type(), unknown.type())) return false;
  switch (known.kind()) {
    case ValueKind::String:
      return known.as_string().starts_with(r.prefix.view());
    case ValueKind::Number: {
      Number n = known.as_number();
      if (r.lower) {
        int order = n.compare(*r.lower);
        if (order < 0 || (order == 0 && !r.lower_inclusive)) return false;
      }
      if (r.upper) {
        int order = n.compare(*r.upper);
        if (order > 0 || (order == 0 && !r.upper_inclusive)) return false;
      }
      return true;
    }
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map: {
      Refinements length = known.range();
      return length.max_length >= r.min_length && length.min_length <= r.max_length;
    }
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Tuple:
    case ValueKind::Object:
      return true;
  }
  PRAVOC_UNREACHABLE();
}

// Whether nothing unknown inside may turn out to be of any type.
bool has_known_type(const Value& v) {
  if (v.is_null()) return true;
  if (v.is_unknown()) return !v.type().has_dynamic();
  if (!v.is_compound() || v.is_wholly_known()) return true;
  for (const Value& element : v.elements())
    if (!has_known_type(element)) return false;
  return true;
}

Truth compare(const Value& a, const Value& b);

// In a sequence the first element that is not surely equal decides, as in Terraform; the attributes of an object
// have no order, so any that differs does.
Truth compare_elements(const Value& a, const Value& b, bool ordered) {
  Truth result = Truth::True;
  for (size_t i = 0; i < a.length(); ++i) {
    Truth one = compare(a.element(i), b.element(i));
    if (one == Truth::False || (one == Truth::Unknown && ordered)) return one;
    if (one == Truth::Unknown) result = one;
  }
  return result;
}

Truth compare_sets(const Value& a, const Value& b) {
  for (const Value* set : {&a, &b})
    for (const Value& v : set->elements())
      if (v.is_unknown()) return Truth::Unknown;
  if (!a.is_wholly_known() || !b.is_wholly_known()) {
    // Elements with unknown parts equal nothing for sure.
    return Truth::False;
  }
  // Both are sorted the same way.
  if (a.length() != b.length()) return Truth::False;
  for (size_t i = 0; i < a.length(); ++i)
    if (!same_element(a.element(i), b.element(i))) return Truth::False;
  return Truth::True;
}

Truth compare_known_unknown(const Value& known, const Value& unknown) {
  if (!may_be(unknown, known)) return Truth::False;
  Type type = unknown.type();
  if (known.is_null() || type.has_dynamic()) return Truth::Unknown;
  return has_exact_type(known, type) ? Truth::Unknown : Truth::False;
}

Truth compare(const Value& a, const Value& b) {
  if (a.is_null() && b.is_definitely_not_null()) return Truth::False;
  if (b.is_null() && a.is_definitely_not_null()) return Truth::False;
  if (a.is_unknown() || b.is_unknown()) {
    if (a.is_unknown() && b.is_unknown()) return Truth::Unknown;
    return a.is_unknown() ? compare_known_unknown(b, a) : compare_known_unknown(a, b);
  }
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null() ? Truth::True : Truth::False;
  if (a.is_compound() || b.is_compound()) {
    Type x = a.type();
    Type y = b.type();
    if (!has_known_type(a) || !has_known_type(b))
      return conforms(x, y) || conforms(y, x) ? Truth::Unknown : Truth::False;
    if (!(x == y)) return Truth::False;
  } else if (a.kind() != b.kind()) {
    return Truth::False;
  }
  switch (a.kind()) {
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      return a.equals_raw(b) ? Truth::True : Truth::False;
    case ValueKind::List:
      return a.length() == b.length() ? compare_elements(a, b, true) : Truth::False;
    case ValueKind::Map:
      return a.keys() == b.keys() ? compare_elements(a, b, false) : Truth::False;
    case ValueKind::Tuple:
      return compare_elements(a, b, true);
    case ValueKind::Object:
      return compare_elements(a, b, false);
    case ValueKind::Set:
      return compare_sets(a, b);
    case ValueKind::Null:
    case ValueKind::Unknown:
      break;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

Value equals(const Value& left, const Value& right) {
  MarkSet marks = left.deep_marks() | right.deep_marks();
  Truth truth = any(marks) ? compare(left.without_deep_marks(), right.without_deep_marks()) : compare(left, right);
  Value result = truth == Truth::Unknown ? Value::unknown(Type::boolean()).refine_not_null()
                                         : Value::boolean(truth == Truth::True);
  return std::move(result).with_marks(marks);
}

}  // namespace pravo
