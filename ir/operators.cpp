#include "ir/operators.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/misfit.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

Value unknown_bool() {
  static const Value value = Value::unknown(Type::boolean()).refine_not_null();
  return value;
}

Value unknown_number() {
  static const Value value = Value::unknown(Type::number()).refine_not_null();
  return value;
}

// What is wrong with an operand: nothing of it where it is marked.
std::unique_ptr<EvalError> operand_fault(std::string_view place, const Value& given, const Type& type, int index) {
  std::string fact = fmt::format("{} must be {}", place, described(type));
  bool null = given.is_null();
  if (!any(given.deep_marks())) {
    fact += ", but this is ";
    fact += null ? "null" : described(given.type());
    if (given.kind() == ValueKind::String && type.kind() == TypeKind::Bool) fact += " other than `true` and `false`";
    if (given.kind() == ValueKind::String && place.ends_with("`+`")) fact += "; to join strings, write \"${a}${b}\"";
  }
  return fail(null ? EvalErrorKind::Null : EvalErrorKind::Type, std::move(fact), index);
}

// An operand as what the operator takes, without its marks, which are added to `marks`.
Result<Value> operand(std::string_view symbol, int operands, const Value& given, const Type& type, int index,
                      MarkSet& marks) {
  marks |= given.marks();
  if ((given.kind() == ValueKind::Number && type.kind() == TypeKind::Number) ||
      (given.kind() == ValueKind::Bool && type.kind() == TypeKind::Bool))
    return given.without_marks();
  Result<Value> converted = convert(given.without_marks(), type);
  if (converted && !converted->is_null()) return converted;
  std::string place = fmt::format("{} operand of `{}`", operands == 1 ? "the" : "an", symbol);
  auto error = operand_fault(place, given, type, index);
  if (!converted && converted.error().kind == EvalErrorKind::Value) error->kind = EvalErrorKind::Value;
  return error;
}

bool less(const std::optional<Number>& a, const std::optional<Number>& b) { return a && b && a->compare(*b) < 0; }

// 1 or 0 where the ranges of two numbers decide a < b, else -1.
int decide_less(const Value& a, const Value& b) {
  if (a.is_known() && b.is_known()) return a.as_number().compare(b.as_number()) < 0 ? 1 : 0;
  Refinements x = a.range();
  Refinements y = b.range();
  if (less(x.upper, y.lower)) return 1;
  if (less(y.upper, x.lower)) return 0;
  return -1;
}

Value decided(int result) { return result < 0 ? unknown_bool() : Value::boolean(result == 1); }

// a <= b as Terraform decides it: a < b or a == b, each by itself.
Value less_or_equal(const Value& a, const Value& b) {
  int strictly = decide_less(a, b);
  if (strictly == 1) return Value::boolean(true);
  Value same = equals(a, b);
  return strictly == 0 || (same.is_known() && same.as_bool()) ? same : unknown_bool();
}

Result<Value> arithmetic(BinaryOp op, const Number& x, const Number& y, MarkSet marks) {
  std::optional<Number> result;
  if (op == BinaryOp::Add)
    result = Number::add(x, y);
  else if (op == BinaryOp::Subtract)
    result = Number::subtract(x, y);
  else if (op == BinaryOp::Multiply)
    result = Number::multiply(x, y);
  else if (op == BinaryOp::Divide)
    result = Number::divide(x, y);
  else
    result = Number::modulo(x, y);
  if (result) return Value::number(std::move(*result)).with_marks(marks);
  if (op == BinaryOp::Divide && x.sign() == 0 && y.sign() == 0)
    return fail(EvalErrorKind::Value, "zero divided by zero has no value", 1);
  if (x.is_infinite() || y.is_infinite())
    return fail(EvalErrorKind::Value, "the result of this operation on infinity has no value");
  return fail(EvalErrorKind::Limit, "the result is too large a number");
}

Result<Value> of_numbers(BinaryOp op, const Number& x, const Number& y, MarkSet marks) {
  switch (op) {
    case BinaryOp::Less:
      return Value::boolean(x.compare(y) < 0).with_marks(marks);
    case BinaryOp::Greater:
      return Value::boolean(x.compare(y) > 0).with_marks(marks);
    case BinaryOp::LessEqual:
      return Value::boolean(x.compare(y) <= 0).with_marks(marks);
    case BinaryOp::GreaterEqual:
      return Value::boolean(x.compare(y) >= 0).with_marks(marks);
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::Multiply:
    case BinaryOp::Divide:
    case BinaryOp::Modulo:
      return arithmetic(op, x, y, marks);
    case BinaryOp::Or:
    case BinaryOp::And:
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
      break;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

std::string_view symbol(BinaryOp op) {
  switch (op) {
    case BinaryOp::Or:
      return "||";
    case BinaryOp::And:
      return "&&";
    case BinaryOp::Equal:
      return "==";
    case BinaryOp::NotEqual:
      return "!=";
    case BinaryOp::Less:
      return "<";
    case BinaryOp::Greater:
      return ">";
    case BinaryOp::LessEqual:
      return "<=";
    case BinaryOp::GreaterEqual:
      return ">=";
    case BinaryOp::Add:
      return "+";
    case BinaryOp::Subtract:
      return "-";
    case BinaryOp::Multiply:
      return "*";
    case BinaryOp::Divide:
      return "/";
    case BinaryOp::Modulo:
      return "%";
  }
  PRAVOC_UNREACHABLE();
}

std::string_view symbol(UnaryOp op) { return op == UnaryOp::Negate ? "-" : "!"; }

Type result_type(BinaryOp op) { return op >= BinaryOp::Add ? Type::number() : Type::boolean(); }

Result<Value> binary(BinaryOp op, const Value& left, const Value& right) {
  if (op == BinaryOp::Equal) return equals(left, right);
  if (op == BinaryOp::NotEqual) {
    Value same = equals(left, right);
    if (same.is_unknown()) return same;
    return Value::boolean(!same.as_bool()).with_marks(same.marks());
  }
  bool logical = op == BinaryOp::And || op == BinaryOp::Or;
  if (!logical && left.kind() == ValueKind::Number && right.kind() == ValueKind::Number)
    return of_numbers(op, left.as_number(), right.as_number(), left.marks() | right.marks());
  MarkSet marks = MarkSet::None;
  Type type = logical ? Type::boolean() : Type::number();
  PRAVO_TRY(a, operand(symbol(op), 2, left, type, 0, marks));
  PRAVO_TRY(b, operand(symbol(op), 2, right, type, 1, marks));
  switch (op) {
    case BinaryOp::And:
    case BinaryOp::Or: {
      if (a.is_unknown() || b.is_unknown()) return unknown_bool();
      bool result = op == BinaryOp::And ? a.as_bool() && b.as_bool() : a.as_bool() || b.as_bool();
      return Value::boolean(result).with_marks(marks);
    }
    case BinaryOp::Less:
      return decided(decide_less(a, b)).with_marks(marks);
    case BinaryOp::Greater:
      return decided(decide_less(b, a)).with_marks(marks);
    case BinaryOp::LessEqual:
      return less_or_equal(a, b).with_marks(marks);
    case BinaryOp::GreaterEqual:
      return less_or_equal(b, a).with_marks(marks);
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::Multiply:
    case BinaryOp::Divide:
    case BinaryOp::Modulo:
      if (a.is_unknown() || b.is_unknown()) return unknown_number().with_marks(marks);
      return arithmetic(op, a.as_number(), b.as_number(), marks);
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
      break;
  }
  PRAVOC_UNREACHABLE();
}

Result<Value> unary(UnaryOp op, const Value& given) {
  MarkSet marks = MarkSet::None;
  PRAVO_TRY(v, operand(symbol(op), 1, given, op == UnaryOp::Not ? Type::boolean() : Type::number(), 0, marks));
  // Terraform forgets the marks of what these operators and `&&` and `||` do not know yet.
  if (v.is_unknown()) return op == UnaryOp::Not ? unknown_bool() : unknown_number();
  if (op == UnaryOp::Not) return Value::boolean(!v.as_bool()).with_marks(marks);
  return Value::number(v.as_number().negate()).with_marks(marks);
}

// --- conditionals

Result<Choice> choose(const Value& condition) {
  MarkSet marks = condition.marks();
  if (condition.is_null()) return fail(EvalErrorKind::Null, "the condition is null, but must be true or false", 0);
  // Of what type it will be does not matter yet.
  if (condition.is_unknown()) return Choice{Choice::Arm::Unknown, marks};
  Result<Value> converted = convert(condition.without_marks(), Type::boolean());
  if (!converted) return operand_fault("the condition", condition, Type::boolean(), 0);
  return Choice{converted->as_bool() ? Choice::Arm::True : Choice::Arm::False, marks};
}

namespace {

bool is_untyped_null(const Value& v) { return v.is_null() && v.has_type(TypeKind::Dynamic); }

// What is known of a value that is one of two.
Value either(const Value& a, const Value& b, const Type& type) {
  if (a.is_null() && b.is_null()) return Value::null(type);
  Refinements x = a.range();
  Refinements y = b.range();
  Refinements known;
  known.not_null = x.not_null && y.not_null;
  if (a.has_type(TypeKind::Number) && b.has_type(TypeKind::Number)) {
    if (x.lower && y.lower) {
      int order = x.lower->compare(*y.lower);
      known.lower = order <= 0 ? x.lower : y.lower;
      known.lower_inclusive = order < 0   ? x.lower_inclusive
                              : order > 0 ? y.lower_inclusive
                                          : x.lower_inclusive || y.lower_inclusive;
    }
    if (x.upper && y.upper) {
      int order = x.upper->compare(*y.upper);
      known.upper = order >= 0 ? x.upper : y.upper;
      known.upper_inclusive = order > 0   ? x.upper_inclusive
                              : order < 0 ? y.upper_inclusive
                                          : x.upper_inclusive || y.upper_inclusive;
    }
  } else if (type.is_collection() && has_exact_type(a, type) && has_exact_type(b, type) && !a.is_null() &&
             !b.is_null()) {
    known.min_length = std::min(x.min_length, y.min_length);
    known.max_length = std::max(x.max_length, y.max_length);
  }
  return Value::unknown(type, std::move(known));
}

// A tuple or an object as what it unified to with a list or a map whose elements are of any type. Terraform does not
// make the elements alike first, although their types unified.
Result<Value> as_open_collection(const Value& v, const Type& type) {
  std::vector<Type> types;
  for (const Value& element : v.elements())
    if (types.empty() || !has_exact_type(element, types[0])) types.push_back(element.type());
  bool any_dynamic = std::any_of(types.begin(), types.end(), [](const Type& t) { return t.is_dynamic(); });
  if (types.size() > 1 && !any_dynamic) return fail(EvalErrorKind::Type, "all elements must be of the same type");
  return convert(v, type);
}

}  // namespace

Result<Value> conditional(const Choice& choice, const Value& when_true, const Value& when_false) {
  MarkSet marks = choice.marks | when_true.marks() | when_false.marks();
  Value a = when_true.without_marks();
  Value b = when_false.without_marks();
  // An arm that is just null takes the other's type; where an arm's type is not known, nor is the result's.
  Type type;
  bool convert_arms = true;
  if (is_untyped_null(a) && !any(when_true.marks())) {
    type = b.type();
  } else if (is_untyped_null(b) && !any(when_false.marks())) {
    type = a.type();
  } else if (a.has_type(TypeKind::Dynamic) || b.has_type(TypeKind::Dynamic)) {
    convert_arms = false;
  } else if (a.kind() == b.kind() && has_exact_type(b, a.type())) {
    type = a.type();
  } else {
    Type types[] = {a.type(), b.type()};
    std::optional<Type> unified = unify(types, false);
    if (!unified) {
      std::string first = described(types[0]);
      std::string second = described(types[1]);
      std::string fact = "both results of a condition must be of one type";
      if (first != second)
        fact += fmt::format(", but this is {} if true and {} if false", first, second);
      else if (!any(when_true.deep_marks() | when_false.deep_marks()))
        fact += fmt::format(", but {}", type_difference(types[0], types[1]));
      return fail(EvalErrorKind::Type, std::move(fact));
    }
    type = *unified;
  }
  if (choice.arm == Choice::Arm::Unknown) return either(a, b, type).with_marks(marks);
  const Value& chosen = choice.arm == Choice::Arm::True ? a : b;
  if (!convert_arms) return chosen.with_marks(marks);
  const Value& other = choice.arm == Choice::Arm::True ? b : a;
  bool open = type.is_collection() && type.element().is_dynamic() && other.has_type(type.kind()) &&
              ((chosen.kind() == ValueKind::Tuple && type.kind() == TypeKind::List) ||
               (chosen.kind() == ValueKind::Object && type.kind() == TypeKind::Map));
  Result<Value> converted = open ? as_open_collection(chosen, type) : convert(chosen, type);
  if (!converted) {
    auto error = converted.take_error();
    error->argument = choice.arm == Choice::Arm::True ? 1 : 2;
    return error;
  }
  return (*std::move(converted)).with_marks(marks);
}

}  // namespace pravo
