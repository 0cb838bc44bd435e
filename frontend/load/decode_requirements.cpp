// `required_providers` blocks.
#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

using hcl::NodeId;
using hcl::NodeKind;

namespace {

// The text of an object's key where it is constant.
std::optional<std::string> key_text(FileContext& context, NodeId key) {
  if (context.tree.json) return hcl::json_string_text(context.sources, context.tree, key);
  if (context.tree.kind(key) == NodeKind::Name) return std::string(context.text(key));
  return as_quoted_text(context.sources, context.expr(key));
}

class RequirementReader {
 public:
  RequirementReader(FileContext& context, const Attribute& attribute, Module& module)
      : context_(context), attribute_(attribute), module_(module) {}

  void read() {
    std::string_view name = context_.names.text(attribute_.name.id);
    if (auto fault = provider_name_fault(name))
      context_.diags.emit(attribute_.value.range(), diag::InvalidProviderName, name, *fault);
    requirement_.local_name = attribute_.name;
    requirement_.range = attribute_.value.range();
    if (context_.tree.kind(attribute_.value.node) == NodeKind::Object)
      read_object();
    else
      read_version_only();
    // Without a source it is of the default namespace, save the built-in one.
    if (requirement_.source.empty()) requirement_.source = implied_provider_address(name);
    module_.required_providers.push_back(std::move(requirement_));
  }

 private:
  // The form of before there were sources: `aws = "~> 3.0"`.
  void read_version_only() {
    if (context_.tree.kind(attribute_.value.node) == NodeKind::Error) return;
    Diagnostics quiet;
    auto version = constant_string(context_.sources, attribute_.value, quiet);
    if (!version) {
      context_.diags.emit(attribute_.value.range(), diag::InvalidProviderRequirement,
                          "it is neither a version nor an object of `source` and `version`");
      return;
    }
    add_version(*version, attribute_.value.range());
  }

  void add_version(const std::string& text, SourceRange range) {
    if (check_version_constraint(context_, text, range)) requirement_.version_constraints.push_back(text);
  }

  void read_object() {
    const hcl::SyntaxTree& tree = context_.tree;
    for (uint32_t i = 0; i < tree.child_count(attribute_.value.node); ++i) {
      NodeId item = tree.child(attribute_.value.node, i);
      if (tree.kind(item) != NodeKind::ObjectItem) continue;
      NodeId key = tree.child(item, 0);
      Expr value = context_.expr(tree.child(item, 1));
      if (tree.kind(value.node) == NodeKind::Error) continue;
      auto name = key_text(context_, key);
      if (name && *name == "source")
        read_source(value);
      else if (name && *name == "version")
        read_version(value);
      else if (name && *name == "configuration_aliases")
        read_aliases(value);
      else
        unknown(key, name.value_or(std::string(context_.text(key))));
    }
  }

  void unknown(NodeId key, std::string_view name) {
    auto built = context_.diags.emit(context_.range(key), diag::UnknownArgument, name, "a provider requirement");
    auto closest = closest_name(name, {"source", "version", "configuration_aliases"});
    built.help(closest.empty() ? std::string("what configures a provider stands in a `provider` block")
                               : fmt::format("did you mean `{}`?", closest));
  }

  // A string as it stands: other types are not converted here.
  std::optional<std::string> plain_string(Expr value, std::string_view argument) {
    Diagnostics quiet;
    auto constant = evaluate_constant(context_.sources, value, quiet);
    if (constant && constant->kind() == ValueKind::String) return std::string(constant->as_string());
    context_.diags.emit(value.range(), diag::InvalidProviderRequirement,
                        fmt::format("its `{}` is no constant string", argument));
    return std::nullopt;
  }

  void read_source(Expr value) {
    auto text = plain_string(value, "source");
    if (!text) return;
    ProviderSource source = parse_provider_source(*text);
    if (!source.fault.empty()) {
      auto built = context_.diags.emit(value.range(), diag::InvalidProviderSource, quoted(*text), source.fault);
      if (!source.suggestion.empty()) built.help(fmt::format("did you mean `{}`?", source.suggestion));
    }
    requirement_.source = std::move(source.address);
  }

  void read_version(Expr value) {
    if (auto text = plain_string(value, "version")) add_version(*text, value.range());
  }

  void read_aliases(Expr value) {
    auto elements = static_list(context_, value);
    if (!elements) return;
    std::string_view own = context_.names.text(attribute_.name.id);
    for (Expr element : *elements) {
      Expr view = static_view(context_, element);
      if (!view) continue;
      auto reference = as_reference(context_.sources, view);
      if (!reference) {
        context_.diags.emit(element.range(), diag::InvalidReference, "`PROVIDER.ALIAS`");
        continue;
      }
      bool plain = reference->steps.size() <= 1 &&
                   (reference->steps.empty() || reference->steps[0].kind == ReferenceStep::Kind::Attribute);
      if (!plain || reference->root != own) {
        context_.diags.emit(element.range(), diag::InvalidProviderRequirement,
                            fmt::format("an alias of it is written `{}.NAME`", own));
        continue;
      }
      ProviderRef alias{{attribute_.name.id, reference->root_range}, {}, reference->range};
      if (!reference->steps.empty())
        alias.alias = {context_.names.intern(reference->steps[0].text), reference->steps[0].range};
      requirement_.configuration_aliases.push_back(alias);
    }
  }

  FileContext& context_;
  const Attribute& attribute_;
  Module& module_;
  RequiredProvider requirement_;
};

}  // namespace

void decode_required_providers(FileContext& context, const RawBlock& block, Declarations& out) {
  // One block a module; each override file replaces entries, so there any number is fine.
  if (!context.override_file) {
    if (out.required_providers_block.valid()) {
      report_repeated_block(context, block, out.required_providers_block, "a module");
      return;
    }
    out.required_providers_block = block.header;
  }
  Body body = read_open_body(context, block.body);
  for (const Block& nested : body.blocks)
    context.diags
        .emit(nested.type.range, diag::UnknownBlock, context.names.text(nested.type.id), "a `required_providers` block")
        .help(fmt::format("write `{} = {{ ... }}`", context.names.text(nested.type.id)));
  for (const Attribute& attribute : body.attributes) RequirementReader(context, attribute, out.module).read();
}

std::string Module::provider_address(std::string_view local_name, const Names& names) const {
  for (const RequiredProvider& required : required_providers)
    if (names.text(required.local_name.id) == local_name) return required.source;
  return implied_provider_address(local_name);
}

}  // namespace pravo::load
