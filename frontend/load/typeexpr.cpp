#include "frontend/load/typeexpr.h"

#include <utility>
#include <vector>

#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"
#include "ir/unicode.h"

namespace pravo::load {

using hcl::NodeId;
using hcl::NodeKind;
using hcl::SyntaxTree;

namespace {

constexpr std::string_view kShape =
    "a type is `string`, `number`, `bool`, `any`, or one of `list(...)`, `set(...)`, `map(...)`, "
    "`object({...})`, `tuple([...])`";

class Parser {
 public:
  Parser(const SourceManager& sources, Diagnostics& diags, const SyntaxTree& tree)
      : sources_(sources), diags_(diags), tree_(tree) {}

  // Nothing after an error, so that only the innermost one is told.
  std::optional<TypeConstraint> type(NodeId node) {
    if (++depth_ > kMaxDepth / 2) {
      --depth_;
      return report(node, "the type nests too deep");
    }
    auto result = type_at(node);
    --depth_;
    return result;
  }

 private:
  using Maybe = std::optional<TypeConstraint>;

  std::nullopt_t report(SourceRange range, std::string_view fact) {
    diags_.emit(range, diag::InvalidType, fact);
    return std::nullopt;
  }
  std::nullopt_t report(NodeId node, std::string_view fact) { return report(tree_.range(node), fact); }

  std::string_view text(NodeId node) const { return sources_.text(tree_.range(node)); }
  Str name(NodeId node) const { return normalized(text(node)); }

  Maybe type_at(NodeId node) {
    switch (tree_.kind(node)) {
      case NodeKind::Variable:
      case NodeKind::Null:
        return keyword(node);
      case NodeKind::Call:
        return constructor(node);
      case NodeKind::Error:
        return std::nullopt;
      case NodeKind::Template:
        return report(node, "a type is written without quotes");
      default:
        return report(node, kShape);
    }
  }

  Maybe keyword(NodeId node) {
    std::string_view name = text(node);
    if (name == "string") return TypeConstraint{Type::string(), {}};
    if (name == "number") return TypeConstraint{Type::number(), {}};
    if (name == "bool") return TypeConstraint{Type::boolean(), {}};
    if (name == "any") return TypeConstraint{Type::dynamic(), {}};
    if (name == "set") return report(node, "`set` needs the type of its elements: `set(string)`");
    if (name == "list" || name == "map")
      return report(node, fmt::format("`{0}` needs the type of its elements: `{0}(string)`", name));
    if (name == "object") return report(node, "`object` needs its attributes: `object({ name = string })`");
    if (name == "tuple") return report(node, "`tuple` needs the types of its elements: `tuple([string, number])`");
    if (name == "optional")
      return report(node, "`optional(...)` stands only around the type of an attribute inside `object({...})`");
    unknown(tree_.range(node), name);
    return std::nullopt;
  }

  void unknown(SourceRange range, std::string_view name) {
    auto built = diags_.emit(range, diag::InvalidType, fmt::format("there is no type `{}`", name));
    auto closest =
        closest_name(name, {"string", "number", "bool", "any", "list", "set", "map", "object", "tuple", "optional"});
    if (closest.empty())
      built.help(std::string(kShape));
    else
      built.help(fmt::format("did you mean `{}`?", closest));
  }

  // The range of a call's arguments with their parentheses.
  SourceRange arguments_range(NodeId call) const {
    SourceRange range = tree_.range(call);
    range.begin = tree_.range(tree_.child(call, 0)).end;
    return range;
  }

  Maybe constructor(NodeId call) {
    NodeId name_node = tree_.child(call, 0);
    std::string_view name = text(name_node);
    uint32_t arguments = tree_.child_count(call) - 1;
    if (tree_.has(call, hcl::kExpand)) return report(arguments_range(call), kShape);
    if (name == "string" || name == "number" || name == "bool" || name == "any")
      return report(arguments_range(call), fmt::format("`{}` takes no argument", name));
    if (name == "optional")
      return report(name_node, "`optional(...)` stands only around the type of an attribute inside `object({...})`");
    bool collection = name == "list" || name == "set" || name == "map";
    if (!collection && name != "object" && name != "tuple") {
      unknown(tree_.range(call), name);
      return std::nullopt;
    }
    if (arguments != 1) {
      SourceRange range = arguments_range(call);
      if (arguments > 1) range = {range.file, tree_.range(tree_.child(call, 2)).begin, range.end - 1};
      return report(range, fmt::format("`{}` takes one argument, not {}", name, arguments));
    }
    NodeId argument = tree_.child(call, 1);
    if (name == "object") return object(argument);
    if (name == "tuple") return tuple(argument);
    auto element = type(argument);
    if (!element) return std::nullopt;
    TypeConstraint result;
    result.type = name == "list"  ? Type::list(element->type)
                  : name == "set" ? Type::set(element->type)
                                  : Type::map(element->type);
    if (!element->defaults.empty()) result.defaults.element.push_back(std::move(element->defaults));
    return result;
  }

  Maybe tuple(NodeId node) {
    if (tree_.kind(node) != NodeKind::Tuple)
      return report(node, "`tuple` takes a list of types: `tuple([string, number])`");
    std::vector<Type> elements;
    TypeConstraint result;
    bool complete = true;
    for (uint32_t i = 0; i < tree_.child_count(node); ++i) {
      auto element = type(tree_.child(node, i));
      complete = complete && element.has_value();
      if (!element) continue;
      elements.push_back(element->type);
      if (!element->defaults.empty()) result.defaults.elements.emplace_back(i, std::move(element->defaults));
    }
    if (!complete) return std::nullopt;
    result.type = Type::tuple(std::move(elements));
    return result;
  }

  Maybe object(NodeId node) {
    if (tree_.kind(node) != NodeKind::Object)
      return report(node, "`object` takes attributes and their types: `object({ name = string })`");
    std::vector<Type::Attribute> attributes;
    TypeConstraint result;
    bool complete = true;
    for (uint32_t i = 0; i < tree_.child_count(node); ++i) {
      NodeId item = tree_.child(node, i);
      if (tree_.kind(item) != NodeKind::ObjectItem) {
        complete = false;
        continue;
      }
      complete = attribute(item, attributes, result) && complete;
    }
    if (!complete || repeats(node)) return std::nullopt;
    result.type = Type::object(std::move(attributes));
    return result;
  }

  // Reports attributes that are written twice.
  bool repeats(NodeId object) {
    std::vector<std::pair<Str, SourceRange>> keys;
    for (uint32_t i = 0; i < tree_.child_count(object); ++i) {
      NodeId key = tree_.child(tree_.child(object, i), 0);
      keys.emplace_back(name(key), tree_.range(key));
    }
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first.view() < b.first.view(); });
    bool found = false;
    for (size_t i = 1; i < keys.size(); ++i) {
      if (!(keys[i].first == keys[i - 1].first)) continue;
      diags_.emit(keys[i].second, diag::InvalidType, fmt::format("attribute `{}` is given twice", keys[i].first.view()))
          .note(keys[i - 1].second, "first given here");
      found = true;
    }
    return found;
  }

  bool attribute(NodeId item, std::vector<Type::Attribute>& attributes, TypeConstraint& result) {
    NodeId key = tree_.child(item, 0);
    if (tree_.kind(key) != NodeKind::Name) {
      report(key, "an attribute of an object type is a bare name");
      return false;
    }
    Str name = this->name(key);
    NodeId value = tree_.child(item, 1);
    bool optional = tree_.kind(value) == NodeKind::Call && text(tree_.child(value, 0)) == "optional";
    if (!optional) {
      auto inner = type(value);
      if (!inner) return false;
      attributes.emplace_back(name, inner->type, false);
      if (!inner->defaults.empty()) result.defaults.attributes.emplace_back(name, std::move(inner->defaults));
      return true;
    }
    uint32_t arguments = tree_.child_count(value) - 1;
    if (arguments == 0 || arguments > 2) {
      report(arguments_range(value), "`optional` takes the attribute's type and perhaps a default");
      return false;
    }
    auto inner = type(tree_.child(value, 1));
    if (!inner) return false;
    attributes.emplace_back(name, inner->type, true);
    if (arguments == 2) {
      auto value_default = attribute_default(tree_.child(value, 2), *inner);
      if (!value_default) return false;
      result.defaults.values.emplace_back(name, std::move(*value_default));
    }
    if (!inner->defaults.empty()) result.defaults.attributes.emplace_back(name, std::move(inner->defaults));
    return true;
  }

  std::optional<Value> attribute_default(NodeId node, const TypeConstraint& constraint) {
    Expr expr{&tree_, node};
    auto value = evaluate_constant(sources_, expr, diags_);
    if (!value) return std::nullopt;
    auto converted = convert_with_defaults(*value, constraint);
    if (converted.ok()) return std::move(converted).value();
    auto faults = find_misfits(sources_, expr, *value, constraint.type);
    emit_invalid_default(diags_, expr.range(), "an optional attribute", faults);
    return std::nullopt;
  }

  const SourceManager& sources_;
  Diagnostics& diags_;
  const SyntaxTree& tree_;
  unsigned depth_ = 0;
};

// The value node of the plain key `name` of an object constructor, as written last.
NodeId object_entry(const SourceManager& sources, const SyntaxTree& tree, NodeId object, std::string_view name) {
  NodeId found;
  for (uint32_t i = 0; i < tree.child_count(object); ++i) {
    NodeId item = tree.child(object, i);
    if (tree.kind(item) != NodeKind::ObjectItem) continue;
    NodeId key = tree.child(item, 0);
    std::string text;
    if (tree.kind(key) == NodeKind::Name)
      text = sources.text(tree.range(key));
    else if (tree.kind(key) != NodeKind::Template || !hcl::literal_text(sources, tree, key, &text))
      continue;
    if (normalize_nfc(text) == name) found = tree.child(item, 1);
  }
  return found;
}

// The syntax of the part that `path` leads to, as far as the syntax is plain.
Expr part_at(const SourceManager& sources, Expr expr, const Path& path) {
  for (const PathStep& step : path) {
    if (!expr) break;
    Expr inner = expr;
    const SyntaxTree& tree = *inner.tree;
    while (tree.kind(inner.node) == NodeKind::Paren) inner.node = tree.child(inner.node, 0);
    NodeId next;
    if (step.kind != PathStep::Kind::Index) {
      if (tree.kind(inner.node) == NodeKind::Object) next = object_entry(sources, tree, inner.node, step.name);
    } else if (tree.kind(inner.node) == NodeKind::Tuple && step.index < tree.child_count(inner.node)) {
      next = tree.child(inner.node, static_cast<uint32_t>(step.index));
    }
    if (!next.valid()) break;
    expr = {inner.tree, next};
  }
  return expr;
}

// A string that stands where the old language wanted a type in quotes.
bool report_quoted_type(FileContext& context, Expr expr) {
  if (expr.tree->kind(expr.node) != NodeKind::Template) return false;
  auto text = as_quoted_text(context.sources, expr);
  std::string instead = text ? *text : std::string();
  if (instead == "list" || instead == "map") instead += "(string)";
  auto built = context.diags.emit(expr.range(), diag::InvalidType, "a type is written without quotes");
  bool plain = instead == "string" || instead == "list(string)" || instead == "map(string)" || instead == "number" ||
               instead == "bool" || instead == "any";
  if (plain) built.fix(expr.range(), instead, fmt::format("write `{}`", instead));
  return true;
}

}  // namespace

TypeConstraint parse_type_constraint(FileContext& context, Expr expr) {
  Expr view = static_view(context, expr);
  if (!view) return {};
  if (!context.tree.json && report_quoted_type(context, view)) return {};
  // What remains of the times when no element type was given.
  if (auto keyword = as_keyword(context.sources, view)) {
    if (*keyword == "list") return {Type::list(Type::dynamic()), {}};
    if (*keyword == "map") return {Type::map(Type::dynamic()), {}};
  }
  auto parsed = Parser(context.sources, context.diags, context.tree).type(view.node);
  return parsed ? std::move(*parsed) : TypeConstraint{};
}

std::optional<TypeConstraint> parse_type_argument(const SourceManager& sources, Diagnostics& diags, Expr expr) {
  return Parser(sources, diags, *expr.tree).type(expr.node);
}

bool takes_plain_text(Expr type_expr, const Type& type) { return !type_expr.valid() || type.is_primitive(); }

std::vector<PlacedMisfit> find_misfits(const SourceManager& sources, Expr expr, const Value& value,
                                       const Type& wanted) {
  constexpr size_t kMaxFaults = 10;
  std::vector<PlacedMisfit> found;
  for (Misfit& fault : value_misfits(value, wanted, kMaxFaults)) {
    Expr place = part_at(sources, expr, fault.path);
    found.push_back({place, std::move(fault)});
  }
  return found;
}

void emit_invalid_default(Diagnostics& diags, SourceRange range, std::string_view what,
                          const std::vector<PlacedMisfit>& faults) {
  if (faults.empty()) return;
  auto built = diags.emit(range, diag::InvalidDefault, what, faults[0].fault.text());
  if (faults[0].place.range() != range) built.note(faults[0].place.range(), "it is here");
  for (size_t i = 1; i < faults.size(); ++i) built.note(faults[i].place.range(), faults[i].fault.text());
}

}  // namespace pravo::load
