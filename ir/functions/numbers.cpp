// Arithmetic: abs ceil floor log max min parseint pow range signum sum.
#include <cmath>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/functions/go_math.h"
#include "ir/misfit.h"
#include "ir/number_rep.h"

namespace pravo::functions {

namespace {

// The number as Go's float64; pow and log compute in it.
Result<double> as_double(const Call& call, size_t i) {
  Number number = call[i].as_number();
  double value = number.to_double();
  if (std::isinf(value) && !number.is_infinite()) return call.fault(static_cast<int>(i), "the number is too large");
  return value;
}

Result<Value> from_double(const Call& call, double value) {
  if (std::isnan(value)) return call.fault(-1, "the result is not a number");
  return Value::number(Number::from_double(value));
}

Result<Value> extreme(const Call& call, bool largest) {
  if (call.size() == 0) return call.fault(-1, "at least one number is required", {}, EvalErrorKind::Call);
  Number best = call[0].as_number();
  for (const Value& v : call.arguments.subspan(1)) {
    Number number = v.as_number();
    int order = number.compare(best);
    if (largest ? order > 0 : order < 0) best = number;
  }
  return Value::number(std::move(best));
}

}  // namespace

Result<Value> run_Abs(const Call& call, const Type&) {
  return Value::number(call[0].as_number().absolute()).with_marks(call[0].marks());
}

Result<Value> run_Ceil(const Call& call, const Type&) { return Value::number(call[0].as_number().ceil()); }
Result<Value> run_Floor(const Call& call, const Type&) { return Value::number(call[0].as_number().floor()); }
Result<Value> run_Max(const Call& call, const Type&) { return extreme(call, true); }
Result<Value> run_Min(const Call& call, const Type&) { return extreme(call, false); }

Result<Value> run_Log(const Call& call, const Type&) {
  PRAVO_TRY(number, as_double(call, 0));
  PRAVO_TRY(base, as_double(call, 1));
  return from_double(call, go_log(number) / go_log(base));
}

Result<Value> run_Pow(const Call& call, const Type&) {
  PRAVO_TRY(number, as_double(call, 0));
  PRAVO_TRY(power, as_double(call, 1));
  return from_double(call, go_pow(number, power));
}

Result<Value> run_Signum(const Call& call, const Type&) {
  PRAVO_TRY(number, call.integer(0));
  return Value::number(number < 0 ? -1 : number > 0 ? 1 : 0);
}

Result<Type> type_Parseint(const Call& call) {
  if (!call[0].has_type(TypeKind::String))
    return call.wrong_type(0, fmt::format("a string is required, but this is {}", described(call[0].type())));
  return Type::number();
}

Result<Value> run_Parseint(const Call& call, const Type&) {
  PRAVO_TRY(base, call.integer(1, 2, 62));
  std::optional<Number> number = Number::parse_int(call.text(0), static_cast<int>(base));
  if (!number)
    return call.fault(0, "this is not a whole number in that base",
                      fmt::format("{} in base {}", quoted(call.text(0)), base));
  return Value::number(std::move(*number)).with_marks(call[0].marks() | call[1].marks());
}

Result<Value> run_Range(const Call& call, const Type&) {
  constexpr size_t kMaxRange = 1024;  // Terraform's own bound
  if (call.size() < 1 || call.size() > 3)
    return call.fault(-1, "`range` takes one, two or three numbers", {}, EvalErrorKind::Call);
  Number start = call.size() == 1 ? Number() : call[0].as_number();
  Number end = call[call.size() == 1 ? 0 : 1].as_number();
  Number step = Number::from_int(end.compare(start) < 0 ? -1 : 1);
  if (call.size() == 3) step = call[2].as_number();
  if (call.size() == 3 && step.sign() == 0) return call.fault(2, "the step must not be zero");
  bool down = step.sign() < 0;
  if (down && end.compare(start) > 0) return call.fault(1, "the end is above the start, but the step is negative");
  if (!down && end.compare(start) < 0) return call.fault(1, "the end is below the start, but the step is positive");
  std::vector<Value> values;
  for (Number n = start; down ? n.compare(end) > 0 : n.compare(end) < 0;) {
    if (values.size() >= kMaxRange)
      return call.fault(-1, fmt::format("the range has more than {} numbers", kMaxRange), {}, EvalErrorKind::Limit);
    values.push_back(Value::number(n));
    std::optional<Number> next = Number::add(n, step);
    if (!next) return call.fault(2, "the range runs out of numbers");
    n = std::move(*next);
  }
  return Value::list(Type::number(), std::move(values));
}

Result<Type> type_Sum(const Call&) { return Type::number(); }

Result<Value> run_Sum(const Call& call, const Type& result) {
  const Value& list = call[0];
  if (list.kind() != ValueKind::List && list.kind() != ValueKind::Set && list.kind() != ValueKind::Tuple)
    return call.wrong_type(0, "a list, set or tuple of numbers is required");
  if (list.length() == 0) return call.fault(0, "there is nothing to sum up");
  if (!list.is_wholly_known()) return Value::unknown(result);
  std::optional<Number> sum;
  for (const Value& v : list.elements()) {
    Result<Value> number = convert(v, Type::number());
    if (!number || number->is_null()) return call.wrong_type(0, "every element must be a number");
    sum = sum ? Number::add(*sum, number->as_number()) : number->as_number();
    if (!sum) return call.fault(0, "the sum has no value, or is too large");
  }
  return Value::number(std::move(*sum));
}

}  // namespace pravo::functions
