// `variable` blocks.
#include <algorithm>

#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "frontend/load/typeexpr.h"
#include "ir/convert.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

// What a `module` block keeps for itself, so that a variable of this name could not be set.
constexpr std::string_view kReservedNames[] = {
    "source", "version", "providers", "provider", "count", "for_each", "lifecycle", "depends_on", "locals",
};

void check_name(FileContext& context, const Name& name) {
  std::string_view text = context.names.text(name.id);
  if (std::find(std::begin(kReservedNames), std::end(kReservedNames), text) != std::end(kReservedNames))
    context.diags.emit(name.range, diag::ReservedVariableName, text);
  else
    check_identifier(context, name, "a variable");
}

// A rule that does not look at the variable cannot be about its value.
void check_validation(FileContext& context, const CheckRule& rule, const Variable& variable) {
  if (!rule.condition || has_error(rule.condition)) return;
  std::string_view name = context.names.text(variable.name.id);
  bool any = false;
  bool own = false;
  each_reference(context.sources, rule.condition, [&](const Reference& reference) {
    any = true;
    own = own || (reference.root == "var" && reference.is_attribute(0, name));
  });
  // That it refers to nothing at all was told.
  if (any && !own) context.diags.emit(rule.condition.range(), diag::ValidationWithoutVariable, name);
}

}  // namespace

void check_variable_default(const SourceManager& sources, const Names& names, const Variable& variable,
                            SourceRange place, Diagnostics& diags) {
  if (!variable.default_value) return;
  Diagnostics quiet;  // what is no constant was reported when the block was read
  auto value = evaluate_constant(sources, variable.default_value, quiet);
  if (!value) return;
  std::string_view name = names.text(variable.name.id);
  if (value->is_null()) {
    if (!variable.nullable)
      diags.emit(place, diag::InvalidDefault, fmt::format("variable `{}`", name),
                 "it is null, and `nullable` is false");
    return;
  }
  if (variable.type.type.is_dynamic() || convert_with_defaults(*value, variable.type).ok()) return;
  auto faults = find_misfits(sources, variable.default_value, *value, variable.type.type);
  emit_invalid_default(diags, place, fmt::format("variable `{}`", name), faults);
}

void decode_variable(FileContext& context, const RawBlock& block, Declarations& out) {
  Content content = read_body(context, block.body, schema::kVariable);
  Variable variable;
  variable.name = block.labels[0];
  variable.header = block.header;
  check_name(context, variable.name);

  variable.description = decode_string(context, content, "description");
  if (Expr type = content.value("type")) {
    variable.type_expr = type;
    variable.type = parse_type_constraint(context, type);
  }
  variable.sensitive = decode_bool(context, content, "sensitive", &variable.sensitive_range).value_or(false);
  variable.ephemeral = decode_bool(context, content, "ephemeral", &variable.ephemeral_range).value_or(false);
  variable.nullable = decode_bool(context, content, "nullable", &variable.nullable_range).value_or(true);

  variable.default_value = content.value("default");
  if (variable.default_value && evaluate_constant(context.sources, variable.default_value, context.diags))
    check_variable_default(context.sources, context.names, variable, variable.default_value.range(), context.diags);

  for (const RawBlock& nested : content.blocks) {
    CheckRule rule = decode_check_rule(context, nested);
    check_validation(context, rule, variable);
    variable.validations.push_back(rule);
  }
  out.module.variables.push_back(std::move(variable));
}

}  // namespace pravo::load
