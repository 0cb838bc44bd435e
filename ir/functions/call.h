// What the evaluators of functions share: the call they serve, and how they report faults.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/eval_host.h"
#include "ir/functions.h"
#include "ir/limits.h"
#include "ir/result.h"
#include "ir/value.h"

namespace pravo::functions {

// One call. Arguments have been converted to the parameters' types; nulls, unknowns and marks are those that the
// function's row lets through.
struct Call {
  const FunctionInfo& info;
  std::span<const Value> arguments;
  EvalHost& host;
  // Some argument carries a mark somewhere: messages tell nothing of the arguments.
  bool secret = false;

  size_t size() const { return arguments.size(); }
  const Value& operator[](size_t i) const { return arguments[i]; }
  std::string_view text(size_t i) const { return arguments[i].as_string(); }

  // `fact` may not depend on what the arguments hold; `detail` may, and is left out of the message of a secret call.
  std::unique_ptr<EvalError> fault(int argument, std::string fact, std::string detail = {},
                                   EvalErrorKind kind = EvalErrorKind::Value) const;
  std::unique_ptr<EvalError> wrong_type(int argument, std::string fact) const {
    return fault(argument, std::move(fact), {}, EvalErrorKind::Type);
  }
  // convert(), with errors that are the argument's, and in a secret call tell nothing of it.
  Result<Value> converted(int argument, const Value& value, const Type& type) const;
  // A number argument as a whole number of 64 bits.
  Result<int64_t> integer(size_t i) const;
  // The same between bounds.
  Result<int64_t> integer(size_t i, int64_t low, int64_t high) const;
};

// Text in backquotes for a detail, shortened if it is long.
std::string quoted(std::string_view text);

using Run = Result<Value> (*)(const Call& call, const Type& result);
using ResultType = Result<Type> (*)(const Call& call);

// The evaluators, run_Name for each row of functions.def. `result` is the type that type_Name gave, or the row's.
#define PRAVO_FUNCTION(Name, name, parameters, result, purity, marks, since, doc) \
  Result<Value> run_##Name(const Call& call, const Type& result_type);
#include "ir/functions.def"

// The functions whose result's type depends on the arguments: type_Name tells it, also where arguments are unknown
// that the function itself never sees.
// clang-format does not come to rest on this list.
// clang-format off
#define PRAVO_TYPED_FUNCTIONS(X) \
  X(Assumeequal) X(Assumelistlength) X(Assumelistlengthmax) X(Assumelistlengthmin) X(Assumemaplength) \
  X(Assumemaplengthmax) X(Assumemaplengthmin) X(Assumenotnull) X(Assumesetlength) X(Assumesetlengthmax) \
  X(Assumesetlengthmin) X(Chunklist) X(Coalesce) X(Coalescelist) X(Concat) X(Contains) X(Convert) X(Csvdecode) X(Distinct) \
  X(Element) X(Ephemeralasnull) X(Flatten) X(Format) X(Formatlist) X(Index) X(Jsondecode) \
  X(Keys) X(Lookup) X(Matchkeys) X(Merge) X(Nonsensitive) X(One) X(Parseint) \
  X(Regex) X(Regexall) X(Reverse) X(Sensitive) X(Setintersection) X(Setproduct) X(Setsubtract) \
  X(Setunion) X(Slice) X(Sum) X(Templatefile) X(Tobool) X(Tonumber) X(Tostring) X(Tolist) X(Tomap) X(Toset) \
  X(Values) X(Yamldecode) X(Zipmap)
// clang-format on
#define PRAVO_DECLARE(Name) Result<Type> type_##Name(const Call& call);
PRAVO_TYPED_FUNCTIONS(PRAVO_DECLARE)
#undef PRAVO_DECLARE

}  // namespace pravo::functions
