// `output` and `locals` blocks, and the rules of conditions.
#include "frontend/load/decode.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

void decode_output(FileContext& context, const RawBlock& block, Declarations& out) {
  Content content = read_body(context, block.body, schema::kOutput, context.override_file);
  Output output;
  output.name = block.labels[0];
  output.header = block.header;
  check_identifier(context, output.name, "an output");

  output.value = content.value("value");
  output.description = decode_string(context, content, "description");
  output.sensitive = decode_bool(context, content, "sensitive", &output.sensitive_range).value_or(false);
  output.ephemeral = decode_bool(context, content, "ephemeral", &output.ephemeral_range).value_or(false);
  if (const Attribute* depends_on = content.find("depends_on")) {
    output.depends_on_range = depends_on->range;
    output.depends_on = decode_depends_on(context, *depends_on);
  }
  for (const RawBlock& nested : content.blocks) output.preconditions.push_back(decode_check_rule(context, nested));
  out.module.outputs.push_back(std::move(output));
}

void decode_locals(FileContext& context, const RawBlock& block, Declarations& out) {
  Body body = read_open_body(context, block.body);
  for (const Block& nested : body.blocks)
    context.diags.emit(nested.type.range, diag::UnknownBlock, context.names.text(nested.type.id), "a `locals` block")
        .help(fmt::format("write `{} = {{ ... }}`", context.names.text(nested.type.id)));
  for (const Attribute& attribute : body.attributes) {
    check_identifier(context, attribute.name, "a local value");
    out.module.locals.push_back({attribute.name, attribute.value, attribute.range});
  }
}

CheckRule decode_check_rule(FileContext& context, const RawBlock& block) {
  CheckRule rule;
  rule.range = block.header;
  if (context.override_file) {
    context.diags.emit(block.header, diag::NotOverridable, block.row->name);
    return rule;
  }
  Content content = read_body(context, block.body, schema::kCheckRule);
  rule.condition = content.value("condition");
  rule.error_message = content.value("error_message");
  if (!rule.condition || has_error(rule.condition)) return rule;
  bool any = false;
  each_reference(context.sources, rule.condition, [&](const Reference&) { any = true; });
  if (!any) context.diags.emit(rule.condition.range(), diag::ConditionWithoutReference, block.row->name);
  return rule;
}

}  // namespace pravo::load
