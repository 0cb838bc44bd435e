// `provider` blocks, and references to provider configurations.
#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/DenseMap.h>

namespace pravo::load {

void decode_provider(FileContext& context, const RawBlock& block, Declarations& out) {
  Content content = read_body(context, block.body, schema::kProvider);
  ProviderConfig provider;
  provider.local_name = block.labels[0];
  provider.header = block.header;
  provider.config = std::move(content.rest);

  SourceRange escaped;
  for (const RawBlock& nested : content.blocks) {
    if (escaped.valid()) {
      report_repeated_block(context, nested, escaped, "a `provider` block");
      continue;
    }
    escaped = nested.header;
    merge_escaped(context, nested, provider.config);
  }

  std::string_view name = context.names.text(provider.local_name.id);
  auto fault = provider_name_fault(name);
  if (fault) context.diags.emit(block.header, diag::InvalidProviderName, name, *fault);

  if (const Attribute* alias = content.find("alias")) {
    provider.alias_range = alias->range;
    if (auto text = constant_string(context.sources, alias->value, context.diags)) {
      provider.alias = {context.names.intern(*text), alias->value.range()};
      check_identifier(context, provider.alias, "a provider alias");
    }
  }
  if (const Attribute* version = content.find("version")) {
    provider.has_version = true;
    if (context.test_file)
      context.diags.emit(version->value.range(), diag::TestProviderVersion);
    else
      context.diags.emit(version->value.range(), diag::ProviderVersionArgument);
    auto text = constant_string(context.sources, version->value, context.diags);
    if (text) check_version_constraint(context, *text, version->value.range());
  }
  if (!fault) out.module.providers.push_back(std::move(provider));
}

std::optional<ProviderRef> decode_provider_ref(FileContext& context, Expr expr, std::string_view argument) {
  Expr view = reference_element(context, expr, RefersTo::Provider);
  if (!view) return std::nullopt;
  auto reference = as_reference(context.sources, view);
  auto invalid = [&](SourceRange range) {
    context.diags.emit(range, diag::InvalidProviderReference, argument);
    return std::nullopt;
  };
  if (!reference) return invalid(expr.range());
  if (auto fault = provider_name_fault(reference->root)) {
    context.diags.emit(reference->root_range, diag::InvalidProviderName, reference->root, *fault);
    return std::nullopt;
  }
  if (reference->steps.size() > 1) return invalid(expr.range());
  ProviderRef ref{{context.names.intern(reference->root), reference->root_range}, {}, reference->range};
  if (reference->steps.empty()) return ref;
  const ReferenceStep& step = reference->steps[0];
  if (step.kind != ReferenceStep::Kind::Attribute) return invalid(step.range);
  ref.alias = {context.names.intern(step.text), step.range};
  return ref;
}

std::vector<std::pair<ProviderRef, ProviderRef>> decode_provider_map(FileContext& context, Expr map) {
  std::vector<std::pair<ProviderRef, ProviderRef>> out;
  if (context.tree.kind(map.node) == hcl::NodeKind::Error) return out;
  if (context.tree.kind(map.node) != hcl::NodeKind::Object) {
    context.diags.emit(map.range(), diag::StaticMapNeeded);
    return out;
  }
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, SourceRange> seen;
  for (uint32_t i = 0; i < context.tree.child_count(map.node); ++i) {
    hcl::NodeId item = context.tree.child(map.node, i);
    if (context.tree.kind(item) != hcl::NodeKind::ObjectItem) continue;
    auto inner = decode_provider_ref(context, context.expr(context.tree.child(item, 0)), "providers");
    auto outer = decode_provider_ref(context, context.expr(context.tree.child(item, 1)), "providers");
    if (!inner || !outer) continue;
    auto [first, fresh] = seen.try_emplace(std::pair(inner->local_name.id.index, inner->alias.id.index), inner->range);
    if (!fresh) {
      context.diags.emit(outer->range, diag::DuplicateArgument, context.sources.text(inner->range))
          .note(first->second, "first set here");
      continue;
    }
    out.emplace_back(std::move(*inner), std::move(*outer));
  }
  return out;
}

}  // namespace pravo::load
