// `provisioner` blocks.
#include "frontend/load/decode.h"
#include "frontend/load/static_expr.h"
#include "ir/builtin_schemas.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/STLExtras.h>

namespace pravo::load {

namespace {

// Those that earlier versions had built in.
constexpr std::string_view kRemoved[] = {"chef", "habitat", "puppet", "salt-masterless"};

// A keyword argument: bare, or in quotes as the language once had it. -1 where it is none of the two.
int decode_keyword(FileContext& context, const Attribute* attribute, std::string_view first, std::string_view second) {
  if (attribute == nullptr) return 0;
  Expr expr = attribute->value;
  if (context.tree.kind(expr.node) == hcl::NodeKind::Error) return -1;
  std::string text;
  if (auto quoted = as_quoted_text(context.sources, expr)) {
    text = *quoted;
    if (!context.tree.json && (text == first || text == second))
      context.diags.emit(expr.range(), diag::QuotedReference, "keyword").fix(expr.range(), text, "remove the quotes");
  } else if (auto keyword = as_keyword(context.sources, expr)) {
    text = *keyword;
  }
  if (text == first) return 0;
  if (text == second) return 1;
  context.diags.emit(expr.range(), diag::InvalidKeyword, context.names.text(attribute->name.id), first, second);
  return -1;
}

// Whether a provisioner of this type may stay. In a `removed` block Terraform asks for one only when it has an object
// to destroy, so a configuration that has none is fine.
bool check_type(FileContext& context, const Name& type, bool in_removed) {
  std::string_view name = context.names.text(type.id);
  if (find_provisioner_schema(name) != nullptr) return true;
  if (llvm::is_contained(kRemoved, name)) {
    context.diags.emit(type.range, diag::UnknownProvisioner, name).help("it was removed from the language");
    return false;
  }
  auto built = in_removed ? context.diags.emit(type.range, diag::UnknownRemovedProvisioner, name)
                          : context.diags.emit(type.range, diag::UnknownProvisioner, name);
  auto closest = closest_name(name, provisioner_names());
  if (!closest.empty()) built.help(fmt::format("did you mean `{}`?", closest));
  return in_removed;
}

}  // namespace

std::optional<Provisioner> decode_provisioner(FileContext& context, const RawBlock& block, bool in_removed) {
  Provisioner provisioner;
  provisioner.type = block.labels[0];
  provisioner.header = block.header;
  if (!check_type(context, provisioner.type, in_removed)) return std::nullopt;
  Content content = read_body(context, block.body, schema::kProvisioner);
  provisioner.config = std::move(content.rest);
  provisioner.on_destroy = decode_keyword(context, content.find("when"), "create", "destroy") == 1;
  provisioner.continue_on_failure = decode_keyword(context, content.find("on_failure"), "fail", "continue") == 1;
  SourceRange connection;
  SourceRange escaped;
  for (const RawBlock& nested : content.blocks) {
    SourceRange& first = nested.row->name == "connection" ? connection : escaped;
    if (first.valid()) {
      report_repeated_block(context, nested, first, "a provisioner");
      continue;
    }
    first = nested.header;
    if (nested.row->name == "connection")
      provisioner.connection = read_open_body(context, nested.body);
    else
      merge_escaped(context, nested, provisioner.config);
  }
  return provisioner;
}

void check_destroy_references(FileContext& context, const Body& body) {
  for (const Attribute& attribute : body.attributes) {
    each_reference(context.sources, attribute.value, [&](const Reference& reference) {
      std::string_view root = reference.root;
      bool allowed = root == "self" || root == "path" || root == "terraform" || root == "count" ||
                     (root == "each" && reference.is_attribute(0, "key"));
      if (!allowed)
        context.diags.emit(attribute.value.range(), diag::DestroyProvisionerReference,
                           context.sources.text(reference.range));
    });
  }
  for (const Block& nested : body.blocks) check_destroy_references(context, nested.body);
}

}  // namespace pravo::load
