// Type constraints: `list(object({ a = string, b = optional(number, 1) }))`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/load/context.h"
#include "ir/convert.h"
#include "ir/misfit.h"

namespace pravo::load {

// The constraint that the expression says, dynamic with a diagnostic where it says none.
TypeConstraint parse_type_constraint(FileContext& context, Expr expr);

// The same of a type in an expression, the second argument of convert(); nothing, with a diagnostic, where it is none.
std::optional<TypeConstraint> parse_type_argument(const SourceManager& sources, Diagnostics& diags, Expr expr);

// Whether a value given as text (`-var`, TF_VAR_) of a variable of this constraint is the text itself rather than
// an expression: for primitive types, and where no type is declared.
bool takes_plain_text(Expr type_expr, const Type& type);

// A part of a value that does not fit a constraint, and its place in the expression that the value came from, as deep
// as its syntax is plain.
struct PlacedMisfit {
  Expr place;
  Misfit fault;
};
std::vector<PlacedMisfit> find_misfits(const SourceManager& sources, Expr expr, const Value& value, const Type& wanted);

// The default of `what` at `range` does not fit: one error that shows all faults.
void emit_invalid_default(Diagnostics& diags, SourceRange range, std::string_view what,
                          const std::vector<PlacedMisfit>& faults);

}  // namespace pravo::load
