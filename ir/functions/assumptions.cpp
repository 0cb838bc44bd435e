// What a configuration claims of values that are not known yet, and what is checked once they are: assumeequal
// assumenotnull assumestringprefix, and assumelistlength, assumemaplength, assumesetlength with their min and max.
#include <algorithm>

#include <fmt/format.h>

#include "ir/functions/call.h"
#include "ir/operators.h"

namespace pravo::functions {

namespace {

struct Length {
  uint64_t min = 0;
  uint64_t max = UINT64_MAX;
};

Result<Value> assume_length(const Call& call, Length wanted) {
  const Value& v = call[0];
  if (wanted.min > wanted.max) return call.fault(1, "the least length is greater than the greatest");
  if (v.is_null() || v.has_type(TypeKind::Dynamic)) return v;
  Refinements known = v.range();
  // Of a set with unknown elements only bounds are known; some of them may turn out to be equal.
  if (v.kind() == ValueKind::Set && !v.is_wholly_known() && v.length() > 1) known.min_length = 1;
  if (known.max_length < wanted.min) return call.fault(0, fmt::format("it has fewer than {} elements", wanted.min));
  if (known.min_length > wanted.max) return call.fault(0, fmt::format("it has more than {} elements", wanted.max));
  if (v.is_known()) return v;
  known.min_length = std::max(known.min_length, wanted.min);
  known.max_length = std::min(known.max_length, wanted.max);
  return Value::unknown(v.type(), std::move(known));
}

Result<Value> between(const Call& call) {
  PRAVO_TRY(min, call.integer(1, 0, INT64_MAX));
  PRAVO_TRY(max, call.integer(2, 0, INT64_MAX));
  return assume_length(call, {static_cast<uint64_t>(min), static_cast<uint64_t>(max)});
}

Result<Value> at_least(const Call& call) {
  PRAVO_TRY(min, call.integer(1, 0, INT64_MAX));
  return assume_length(call, {static_cast<uint64_t>(min), UINT64_MAX});
}

Result<Value> at_most(const Call& call) {
  PRAVO_TRY(max, call.integer(1, 0, INT64_MAX));
  return assume_length(call, {0, static_cast<uint64_t>(max)});
}

}  // namespace

Result<Type> type_Assumeequal(const Call& call) { return call[1].type(); }

Result<Value> run_Assumeequal(const Call& call, const Type&) {
  PRAVO_TRY(value, call.converted(0, call[0], call[1].type()));
  Value same = equals(value.without_deep_marks(), call[1].without_deep_marks());
  if (same.is_known() && !same.as_bool()) return call.fault(0, "the value is not the one that was assumed");
  return call[1];
}

Result<Type> type_Assumenotnull(const Call& call) { return call[0].type(); }

Result<Value> run_Assumenotnull(const Call& call, const Type&) {
  if (call[0].is_null()) return call.fault(0, "the value is null", {}, EvalErrorKind::Null);
  return call[0].is_unknown() && !call[0].has_type(TypeKind::Dynamic) ? call[0].refine_not_null() : call[0];
}

Result<Value> run_Assumestringprefix(const Call& call, const Type&) {
  const Value& v = call[0];
  std::string_view wanted = call.text(1);
  if (v.is_null() || v.has_type(TypeKind::Dynamic)) return v;
  std::string_view known = v.is_known() ? v.as_string() : v.refinements().prefix.view();
  size_t both = std::min(known.size(), wanted.size());
  bool fits = v.is_known() ? known.starts_with(wanted) : known.substr(0, both) == wanted.substr(0, both);
  if (!fits) return call.fault(0, "the string does not start with the prefix that was assumed", quoted(wanted));
  if (v.is_known() || known.size() >= wanted.size()) return v;
  Refinements all = v.refinements();
  all.prefix = call[1].as_str();
  return Value::unknown(Type::string(), std::move(all));
}

#define PRAVO_ASSUME_LENGTH(Kind)                                                                     \
  Result<Type> type_Assume##Kind##length(const Call& call) { return call[0].type(); }                 \
  Result<Type> type_Assume##Kind##lengthmin(const Call& call) { return call[0].type(); }              \
  Result<Type> type_Assume##Kind##lengthmax(const Call& call) { return call[0].type(); }              \
  Result<Value> run_Assume##Kind##length(const Call& call, const Type&) { return between(call); }     \
  Result<Value> run_Assume##Kind##lengthmin(const Call& call, const Type&) { return at_least(call); } \
  Result<Value> run_Assume##Kind##lengthmax(const Call& call, const Type&) { return at_most(call); }
PRAVO_ASSUME_LENGTH(list)
PRAVO_ASSUME_LENGTH(map)
PRAVO_ASSUME_LENGTH(set)
#undef PRAVO_ASSUME_LENGTH

}  // namespace pravo::functions
