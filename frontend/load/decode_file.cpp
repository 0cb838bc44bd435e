// The top level of a file.
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

using Decode = void (*)(FileContext&, const RawBlock&, Declarations&);

template <ResourceMode mode>
void decode_mode(FileContext& context, const RawBlock& block, Declarations& out) {
  decode_resource(context, block, mode, out);
}

constexpr std::pair<std::string_view, Decode> kDecoders[] = {
    {"resource", decode_mode<ResourceMode::Managed>},
    {"variable", decode_variable},
    {"output", decode_output},
    {"data", decode_mode<ResourceMode::Data>},
    {"module", decode_module_call},
    {"locals", decode_locals},
    {"provider", decode_provider},
    {"terraform", decode_terraform},
    {"ephemeral", decode_mode<ResourceMode::Ephemeral>},
    {"moved", decode_moved},
    {"import", decode_import},
    {"check", decode_check},
    {"removed", decode_removed},
    {"language", decode_language},
};

}  // namespace

void decode_file(FileContext& context, Declarations& out) {
  Content content = read_body(context, file_body(context), schema::kFile);
  for (const RawBlock& block : content.blocks)
    for (auto [name, decode] : kDecoders)
      if (name == block.row->name) {
        decode(context, block, out);
        break;
      }
}

// --- parts that several kinds of blocks share

std::optional<std::string> decode_string(FileContext& context, const Content& content, std::string_view argument) {
  Expr expr = content.value(argument);
  if (!expr) return std::nullopt;
  return constant_string(context.sources, expr, context.diags);
}

std::optional<bool> decode_bool(FileContext& context, const Content& content, std::string_view argument,
                                SourceRange* range) {
  const Attribute* attribute = content.find(argument);
  if (attribute == nullptr) return std::nullopt;
  if (range != nullptr) *range = attribute->range;
  return constant_bool(context.sources, attribute->value, context.diags);
}

void decode_repetition(FileContext& context, const Content& content, Expr& count, Expr& for_each) {
  const Attribute* counted = content.find("count");
  const Attribute* each = content.find("for_each");
  if (counted != nullptr) count = counted->value;
  if (each == nullptr) return;
  if (counted == nullptr) {
    for_each = each->value;
    return;
  }
  context.diags.emit(each->name.range, diag::CountAndForEach).note(counted->name.range, "`count` is here");
}

std::optional<std::vector<Expr>> static_list(FileContext& context, Expr expr) {
  if (context.tree.kind(expr.node) == hcl::NodeKind::Error) return std::nullopt;
  if (context.tree.kind(expr.node) != hcl::NodeKind::Tuple) {
    context.diags.emit(expr.range(), diag::StaticListNeeded);
    return std::nullopt;
  }
  std::vector<Expr> elements;
  for (uint32_t i = 0; i < context.tree.child_count(expr.node); ++i) {
    hcl::NodeId element = context.tree.child(expr.node, i);
    if (context.tree.kind(element) != hcl::NodeKind::Error) elements.push_back(context.expr(element));
  }
  return elements;
}

}  // namespace pravo::load
