// Arguments that hold references: depends_on and its like.
#include <cctype>
#include <initializer_list>
#include <span>

#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

// The nodes of the reference that a quoted string holds, whose ranges point into the string. Invalid where it holds
// anything else, an escape too.
Expr build_reference(FileContext& context, Expr quoted) {
  SourceRange range = quoted.range();
  std::string_view text = context.sources.text(range);
  if (text.size() < 3 || text.front() != '"' || text.back() != '"') return {};
  uint32_t at = 1;
  auto end = static_cast<uint32_t>(text.size() - 1);
  auto take = [&](auto accepts) {
    uint32_t from = at;
    while (at < end && accepts(text[at])) ++at;
    return from;
  };
  auto add = [&](hcl::NodeKind kind, uint32_t from, std::initializer_list<hcl::NodeId> children) {
    return context.tree.add(kind, 0, 0, range.begin + from, range.begin + at,
                            std::span<const hcl::NodeId>(children.begin(), children.size()));
  };
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  uint32_t from = take(is_word);
  if (!is_identifier(text.substr(from, at - from))) return {};
  hcl::NodeId node = add(hcl::NodeKind::Variable, from, {});
  while (at < end) {
    char opening = text[at++];
    uint32_t part = opening == '[' ? take(is_digit) : take(is_word);
    if (part == at) return {};
    if (opening == '[') {
      hcl::NodeId key = add(hcl::NodeKind::Number, part, {});
      if (at >= end || text[at] != ']') return {};
      ++at;
      node = add(hcl::NodeKind::Index, 1, {node, key});
    } else if (opening == '.' && is_identifier(text.substr(part, at - part))) {
      hcl::NodeId name = add(hcl::NodeKind::Name, part, {});
      node = add(hcl::NodeKind::GetAttr, 1, {node, name});
    } else {
      return {};
    }
  }
  return context.expr(node);
}

}  // namespace

Expr reference_element(FileContext& context, Expr expr, RefersTo what) {
  if (context.tree.kind(expr.node) == hcl::NodeKind::Error) return {};
  if (context.tree.json) return static_view(context, expr);
  if (context.tree.kind(expr.node) != hcl::NodeKind::Template) return expr;
  // Quotes around a reference are of the language's first version.
  auto text = as_quoted_text(context.sources, expr);
  if (!text) {
    if (what != RefersTo::Provider) context.diags.emit(expr.range(), diag::InvalidReference, "a reference");
    return what == RefersTo::Provider ? expr : Expr{};
  }
  Expr inner = build_reference(context, expr);
  if (!inner) {
    if (what == RefersTo::Provider) return expr;
    context.diags.emit(expr.range(), diag::InvalidReference, "a reference");
    return {};
  }
  context.diags.emit(expr.range(), diag::QuotedReference, "reference").fix(expr.range(), *text, "remove the quotes");
  return inner;
}

namespace {

bool is_key(const Reference& reference, size_t step) {
  return step < reference.steps.size() && reference.steps[step].kind != ReferenceStep::Kind::Attribute;
}

// How many steps name the object itself; the rest leads into it.
size_t object_steps(const Reference& reference) {
  std::string_view root = reference.root;
  if (root == "self") return 0;
  if (root == "var" || root == "local" || root == "path" || root == "terraform" || root == "each" || root == "count")
    return 1;
  if (root == "module") {
    size_t at = is_key(reference, 1) ? 2 : 1;
    return at + 1;  // an output counts as an object
  }
  size_t at = root == "data" || root == "ephemeral" || root == "resource" ? 2 : 1;
  return is_key(reference, at) ? at + 1 : at;
}

}  // namespace

std::vector<Expr> decode_depends_on(FileContext& context, const Attribute& attribute) {
  std::vector<Expr> result;
  auto elements = static_list(context, attribute.value);
  if (!elements) return result;
  for (Expr element : *elements) {
    Expr view = reference_element(context, element, RefersTo::Object);
    if (!view) continue;
    auto reference = as_reference(context.sources, view);
    if (!reference) {
      context.diags.emit(element.range(), diag::InvalidReference, "a reference");
      continue;
    }
    result.push_back(view);
    size_t whole = object_steps(*reference);
    if (reference->steps.size() <= whole) continue;
    SourceRange range = reference->steps[whole].range;
    range.end = reference->range.end;
    SourceRange object{reference->range.file, reference->range.begin, range.begin};
    context.diags.emit(range, diag::DependsOnAttribute)
        .fix(range, "", fmt::format("depend on `{}`", context.sources.text(object)));
  }
  return result;
}

}  // namespace pravo::load
