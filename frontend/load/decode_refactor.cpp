// `import`, `moved` and `removed` blocks.
#include "frontend/load/decode.h"
#include "frontend/load/static_expr.h"
#include "frontend/load/target.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

// The address in an argument; reports what is none. `expr` becomes the expression that says it.
std::optional<Target> decode_target(FileContext& context, Expr& expr, bool computed_keys = false) {
  if (!expr || context.tree.kind(expr.node) == hcl::NodeKind::Error) return std::nullopt;
  SourceRange written = expr.range();
  expr = static_view(context, expr);
  if (!expr) return std::nullopt;
  auto reference = as_reference(context.sources, expr, computed_keys);
  if (!reference) {
    context.diags.emit(written, diag::InvalidReference, "the address of a resource or a module");
    return std::nullopt;
  }
  TargetFault fault;
  auto target = parse_target(*reference, &fault);
  if (!target) context.diags.emit(fault.range, diag::InvalidAddress, fault.fact);
  return target;
}

}  // namespace

void decode_import(FileContext& context, const RawBlock& block, Declarations& out) {
  if (context.override_file) {
    context.diags.emit(block.header, diag::NotOverridable, "import");
    return;
  }
  Content content = read_body(context, block.body, schema::kImport);
  Import import;
  import.header = block.header;
  import.to = content.value("to");
  import.id = content.value("id");
  import.identity = content.value("identity");
  import.for_each = content.value("for_each");
  if (!import.id && !import.identity)
    context.diags.emit(block.body.missing, diag::MissingArgument, "id", content.schema->what);
  if (const Attribute* provider = content.find("provider")) {
    import.provider_range = provider->range;
    import.provider = decode_provider_ref(context, provider->value, "provider");
  }
  if (import.to) {
    auto target = decode_target(context, import.to, true);
    if (!target) return;
    if (!target->resource || target->mode != ResourceMode::Managed) {
      SourceRange place = target->resource ? content.find("to")->range : import.to.range();
      context.diags.emit(place, diag::InvalidAddress, "only managed resources can be imported");
      return;
    }
    // OpenTofu evaluates the key there, too.
    if (!import.for_each && !as_reference(context.sources, import.to))
      context.diags.emit(import.to.range(), diag::ImportKeyComputed);
  }
  out.module.imports.push_back(std::move(import));
}

void decode_moved(FileContext& context, const RawBlock& block, Declarations& out) {
  if (context.override_file) {
    context.diags.emit(block.header, diag::NotOverridable, "moved");
    return;
  }
  Content content = read_body(context, block.body, schema::kMoved);
  Moved moved{block.header, content.value("from"), content.value("to")};
  auto from = decode_target(context, moved.from);
  auto to = decode_target(context, moved.to);
  if (!from || !to) return;
  if (from->resource != to->resource) {
    context.diags.emit(block.header, diag::MovedKinds);
    return;
  }
  out.module.moved.push_back(moved);
}

namespace {

void check_removed_target(FileContext& context, const Target& target) {
  for (const Target::Step& step : target.modules)
    if (step.key) {
      context.diags.emit(step.key_range, diag::InvalidAddress, "the address of what is removed has no instance key");
      return;
    }
  if (target.name.key)
    context.diags.emit(target.name.key_range, diag::InvalidAddress,
                       "the address of what is removed has no instance key");
  else if (target.resource && target.mode != ResourceMode::Managed)
    context.diags.emit(target.range, diag::InvalidAddress,
                       "only managed resources and modules are in the state, so only they can be removed");
}

}  // namespace

void decode_removed(FileContext& context, const RawBlock& block, Declarations& out) {
  if (context.override_file) {
    context.diags.emit(block.header, diag::OverrideIgnored, "removed");
    return;
  }
  Content content = read_body(context, block.body, schema::kRemoved);
  Removed removed;
  removed.header = block.header;
  removed.from = content.value("from");
  auto target = decode_target(context, removed.from);
  if (target) check_removed_target(context, *target);
  SourceRange connection;
  for (const RawBlock& nested : content.blocks) {
    if (nested.row->name == "lifecycle") {
      Content lifecycle = read_body(context, nested.body, schema::kRemovedLifecycle);
      removed.destroy = decode_bool(context, lifecycle, "destroy").value_or(removed.destroy);
    } else if (nested.row->name == "connection") {
      if (connection.valid()) {
        report_repeated_block(context, nested, connection, "a `removed` block");
        continue;
      }
      connection = nested.header;
      removed.connection = read_open_body(context, nested.body);
    } else if (auto provisioner = decode_provisioner(context, nested, true)) {
      if (target && !target->resource)
        context.diags.emit(nested.header, diag::ProvisionerNotAllowed, "a removed module");
      else if (!provisioner->on_destroy)
        context.diags.emit(nested.header, diag::RemovedProvisioner);
      check_destroy_references(context, provisioner->config);
      if (provisioner->connection) check_destroy_references(context, *provisioner->connection);
      removed.provisioners.push_back(std::move(*provisioner));
    }
  }
  if (target) out.module.removed.push_back(std::move(removed));
}

}  // namespace pravo::load
