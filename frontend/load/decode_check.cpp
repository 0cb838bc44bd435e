// `check` blocks.
#include "frontend/load/decode.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

// The data source of a check runs once, with the check.
void refuse_meta_arguments(FileContext& context, const RawBlock& block) {
  Diagnostics quiet;
  FileContext silent{context.sources, context.names, quiet, context.tree, context.override_file};
  Content content = read_body(silent, block.body, schema::kData);
  for (std::string_view name : {"count", "for_each"})
    if (const Attribute* attribute = content.find(name))
      context.diags.emit(attribute->name.range, diag::CheckedDataArgument, name);
  for (const RawBlock& nested : content.blocks)
    if (nested.row->name == "lifecycle") context.diags.emit(nested.header, diag::CheckedDataArgument, "lifecycle");
}

}  // namespace

void decode_check(FileContext& context, const RawBlock& block, Declarations& out) {
  if (context.override_file) {
    context.diags.emit(block.header, diag::NotOverridable, "check");
    return;
  }
  Check check;
  check.name = block.labels[0];
  check.header = block.header;
  check_identifier(context, check.name, "a check");
  Content content = read_body(context, block.body, schema::kCheck);
  SourceRange data;
  for (const RawBlock& nested : content.blocks) {
    if (nested.row->name == "assert") {
      check.asserts.push_back(decode_check_rule(context, nested));
      continue;
    }
    if (data.valid()) {
      report_repeated_block(context, nested, data, "a check");
      continue;
    }
    data = nested.header;
    refuse_meta_arguments(context, nested);
    decode_resource(context, nested, ResourceMode::Data, out);
    Resource& resource = out.module.resources.back();
    resource.count = {};
    resource.for_each = {};
    check.data_resource = static_cast<uint32_t>(out.module.resources.size() - 1);
    resource.check = static_cast<uint32_t>(out.module.checks.size());
  }
  if (check.asserts.empty())
    context.diags.emit(block.header, diag::CheckWithoutAssert, context.names.text(check.name.id));
  out.module.checks.push_back(std::move(check));
}

}  // namespace pravo::load
