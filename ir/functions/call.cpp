#include "ir/functions/call.h"

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/misfit.h"
#include "ir/unicode.h"

namespace pravo::functions {

std::unique_ptr<EvalError> Call::fault(int argument, std::string fact, std::string detail, EvalErrorKind kind) const {
  if (!secret && !detail.empty()) fact += ": " + detail;
  return fail(kind, std::move(fact), argument);
}

Result<Value> Call::converted(int argument, const Value& value, const Type& type) const {
  Result<Value> result = convert(value, type);
  if (result) return result;
  auto error = result.take_error();
  error->argument = argument;
  if (secret) {
    error->message = fmt::format("this must be {}", described_constraint(type));
    error->path.clear();
  }
  return error;
}

Result<int64_t> Call::integer(size_t i) const { return integer(i, INT64_MIN, INT64_MAX); }

Result<int64_t> Call::integer(size_t i, int64_t low, int64_t high) const {
  Number number = arguments[i].as_number();
  if (!number.is_integer()) return fault(static_cast<int>(i), "a whole number is required");
  std::optional<int64_t> value = number.to_int64();
  if (value && *value >= low && *value <= high) return *value;
  if (low == INT64_MIN) return fault(static_cast<int>(i), "the number is too large");
  if (high == INT64_MAX) return fault(static_cast<int>(i), fmt::format("the number must not be less than {}", low));
  return fault(static_cast<int>(i), fmt::format("the number must be from {} to {}", low, high));
}

std::string quoted(std::string_view text) {
  constexpr size_t kMax = 60;
  if (text.size() <= kMax) return fmt::format("`{}`", text);
  size_t end = 0;
  while (end < kMax) end = next_grapheme(text, end);
  return fmt::format("`{}...`", text.substr(0, end));
}

}  // namespace pravo::functions
