// Type constraints: `list(object({ a = string, b = optional(number, 1) }))`.
#pragma once

#include <optional>
#include <string>

#include "frontend/load/context.h"
#include "ir/convert.h"

namespace pravo::load {

// The constraint that the expression says, dynamic with a diagnostic where it says none.
TypeConstraint parse_type_constraint(FileContext& context, Expr expr);

// The same of a type in an expression, the second argument of convert(); nothing, with a diagnostic, where it is none.
std::optional<TypeConstraint> parse_type_argument(const SourceManager& sources, Diagnostics& diags, Expr expr);

// Whether a value given as text (`-var`, TF_VAR_) of a variable of this constraint is the text itself rather than
// an expression: for primitive types, and where no type is declared.
bool takes_plain_text(Expr type_expr, const Type& type);

// Where a value does not fit a constraint, and what is needed there, without a word of the value: "a number is
// required". The place is found in the expression that the value came from, as deep as its syntax is plain.
struct Misfit {
  Expr place;
  std::string path;  // to the place, as a user writes it: `.a[0]`
  std::string need;
};
Misfit find_misfit(const SourceManager& sources, Expr expr, const Value& value, const Type& wanted);

}  // namespace pravo::load
