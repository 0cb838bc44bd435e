#include "frontend/load/static_expr.h"

#include <algorithm>
#include <deque>

#include "frontend/load/literal.h"
#include "ir/unicode.h"

namespace pravo::load {

using hcl::NodeId;
using hcl::NodeKind;
using hcl::SyntaxTree;

std::string quoted(std::string_view text) {
  return text.empty() ? std::string("an empty text") : fmt::format("`{}`", text);
}

Expr static_view(FileContext& context, Expr expr) {
  if (!expr || !context.tree.json) return expr;
  // Only strings straight from JSON: the nodes inside of one are native syntax already.
  if (context.tree.kind(expr.node) != NodeKind::Template || !context.tree.has(expr.node, hcl::kJson)) return expr;
  NodeId inner = hcl::parse_json_string_as_expression(context.sources, context.tree, expr.node, context.diags);
  if (!inner.valid()) return {};
  return context.expr(inner);
}

namespace {

// A step's key where it is constant.
std::optional<ReferenceStep> constant_key(const SourceManager& sources, const SyntaxTree& tree, NodeId key) {
  ReferenceStep step;
  switch (tree.kind(key)) {
    case NodeKind::Number:
      step.kind = ReferenceStep::Kind::NumberKey;
      step.text = sources.text(tree.range(key));
      return step;
    case NodeKind::Template:
      step.kind = ReferenceStep::Kind::StringKey;
      if (!hcl::literal_text(sources, tree, key, &step.text)) return std::nullopt;
      step.text = normalize_nfc(step.text);
      return step;
    case NodeKind::Bool:
    case NodeKind::Null:
      step.kind = ReferenceStep::Kind::OtherKey;
      step.text = sources.text(tree.range(key));
      return step;
    default:
      return std::nullopt;
  }
}

bool is_name_leaf(NodeKind kind) {
  // A bare key of an object constructor is a Name.
  return kind == NodeKind::Variable || kind == NodeKind::Null || kind == NodeKind::Bool || kind == NodeKind::Name;
}

bool is_step(NodeKind kind) {
  return kind == NodeKind::GetAttr || kind == NodeKind::Index || kind == NodeKind::LegacyIndex;
}

// The nodes from the end of `a.b[c]` to its root, outermost first. The last one is the root.
llvm::SmallVector<NodeId, 8> spine(const SyntaxTree& tree, NodeId node) {
  llvm::SmallVector<NodeId, 8> nodes;
  nodes.push_back(node);
  while (is_step(tree.kind(nodes.back())) && tree.child_count(nodes.back()) > 0)
    nodes.push_back(tree.child(nodes.back(), 0));
  return nodes;
}

// Appends the step that `node` adds to its base. False where it is computed.
bool append_step(const SourceManager& sources, const SyntaxTree& tree, NodeId node, Reference& reference,
                 bool computed = false) {
  if (tree.child_count(node) < 2) return false;
  NodeId operand = tree.child(node, 1);
  ReferenceStep step;
  if (tree.kind(node) == NodeKind::GetAttr) {
    step.text = normalize_nfc(sources.text(tree.range(operand)));
  } else {
    auto key = constant_key(sources, tree, operand);
    if (!key && !computed) return false;
    if (key)
      step = std::move(*key);
    else
      step.kind = ReferenceStep::Kind::Computed;
  }
  step.range = tree.range(node);
  step.range.begin = tree.range(tree.child(node, 0)).end;
  reference.steps.push_back(std::move(step));
  reference.range.end = tree.range(node).end;
  return true;
}

Reference root_reference(const SourceManager& sources, const SyntaxTree& tree, NodeId root) {
  Reference reference;
  reference.root_range = tree.range(root);
  reference.root = sources.text(reference.root_range);
  reference.range = reference.root_range;
  return reference;
}

}  // namespace

std::optional<Reference> as_reference(const SourceManager& sources, Expr expr, bool computed) {
  if (!expr) return std::nullopt;
  auto nodes = spine(*expr.tree, expr.node);
  if (!is_name_leaf(expr.tree->kind(nodes.back()))) return std::nullopt;
  Reference reference = root_reference(sources, *expr.tree, nodes.back());
  for (size_t i = nodes.size() - 1; i-- > 0;)
    if (!append_step(sources, *expr.tree, nodes[i], reference, computed)) return std::nullopt;
  return reference;
}

std::optional<std::string_view> as_keyword(const SourceManager& sources, Expr expr) {
  if (!expr || !is_name_leaf(expr.tree->kind(expr.node))) return std::nullopt;
  return sources.text(expr.range());
}

std::optional<std::string> as_quoted_text(const SourceManager& sources, Expr expr) {
  if (!expr || expr.tree->kind(expr.node) != NodeKind::Template) return std::nullopt;
  std::string text;
  if (!hcl::literal_text(sources, *expr.tree, expr.node, &text)) return std::nullopt;
  return text;
}

namespace {

// Names that a `for` binds, innermost first.
struct Scope {
  const Scope* outer = nullptr;
  std::string_view key;
  std::string_view value;
  static bool binds(const Scope* scope, std::string_view name) {
    for (; scope != nullptr; scope = scope->outer)
      if (scope->key == name || scope->value == name) return true;
    return false;
  }
};

// Walks with a worklist of its own: operators and steps chain without a limit, so recursion could overflow.
class ReferenceWalk {
 public:
  ReferenceWalk(const SourceManager& sources, const SyntaxTree& tree, llvm::function_ref<void(const Reference&)> visit)
      : sources_(sources), tree_(tree), visit_(visit) {}

  void run(NodeId start) {
    push(start, nullptr);
    while (!work_.empty()) {
      auto [node, scope] = work_.back();
      work_.pop_back();
      step(node, scope);
    }
  }

 private:
  void push(NodeId node, const Scope* scope) {
    if (node.valid()) work_.push_back({node, scope});
  }

  // Pushed in reverse, so that references come in the order of the source.
  void push_children(NodeId node, uint32_t from, uint32_t to, const Scope* scope) {
    for (uint32_t i = to; i-- > from;) push(tree_.child(node, i), scope);
  }

  const Scope* bind(NodeId node, const Scope* outer) {
    Scope scope{outer, {}, {}};
    uint32_t at = 0;
    if (tree_.has(node, hcl::kHasKey)) scope.key = sources_.text(tree_.range(tree_.child(node, at++)));
    scope.value = sources_.text(tree_.range(tree_.child(node, at)));
    scopes_.push_back(scope);
    return &scopes_.back();
  }

  void step(NodeId node, const Scope* scope) {
    NodeKind kind = tree_.kind(node);
    uint32_t count = tree_.child_count(node);
    if (kind == NodeKind::Variable || is_step(kind)) {
      chain(node, scope);
    } else if (kind == NodeKind::ForTuple || kind == NodeKind::ForObject || kind == NodeKind::TemplateFor) {
      uint32_t collection = tree_.has(node, hcl::kHasKey) ? 2 : 1;
      const Scope* inner = bind(node, scope);
      push_children(node, collection + 1, count, inner);
      push(tree_.child(node, collection), scope);
    } else if (kind == NodeKind::Call) {
      push_children(node, 1, count, scope);
    } else {
      push_children(node, 0, count, scope);
    }
  }

  void chain(NodeId node, const Scope* scope) {
    auto nodes = spine(tree_, node);
    NodeId root = nodes.back();
    // Computed keys are visited after the reference that they cut off.
    for (size_t i = 0; i + 1 < nodes.size(); ++i)
      if (tree_.kind(nodes[i]) == NodeKind::Index && tree_.child_count(nodes[i]) > 1)
        push(tree_.child(nodes[i], 1), scope);
    if (tree_.kind(root) != NodeKind::Variable) {
      if (!is_name_leaf(tree_.kind(root))) push(root, scope);
      return;
    }
    Reference reference = root_reference(sources_, tree_, root);
    if (Scope::binds(scope, reference.root)) return;
    for (size_t i = nodes.size() - 1; i-- > 0;)
      if (!append_step(sources_, tree_, nodes[i], reference)) break;
    visit_(reference);
  }

  const SourceManager& sources_;
  const SyntaxTree& tree_;
  llvm::function_ref<void(const Reference&)> visit_;
  std::vector<std::pair<NodeId, const Scope*>> work_;
  std::deque<Scope> scopes_;
};

// Visits every node below, itself included, in no order that matters.
void each_node(Expr expr, llvm::function_ref<void(NodeId)> visit) {
  if (!expr) return;
  llvm::SmallVector<NodeId, 32> work{expr.node};
  while (!work.empty()) {
    NodeId node = work.pop_back_val();
    visit(node);
    for (uint32_t i = 0, n = expr.tree->child_count(node); i < n; ++i) {
      NodeId child = expr.tree->child(node, i);
      if (child.valid()) work.push_back(child);
    }
  }
}

}  // namespace

void each_reference(const SourceManager& sources, Expr expr, llvm::function_ref<void(const Reference&)> visit) {
  if (expr) ReferenceWalk(sources, *expr.tree, visit).run(expr.node);
}

void each_call(Expr expr, llvm::function_ref<void(SourceRange call, SourceRange name)> visit) {
  each_node(expr, [&](NodeId node) {
    if (expr.tree->kind(node) == NodeKind::Call)
      visit(expr.tree->range(node), expr.tree->range(expr.tree->child(node, 0)));
  });
}

bool has_error(Expr expr) {
  bool found = false;
  each_node(expr, [&](NodeId node) { found = found || expr.tree->kind(node) == NodeKind::Error; });
  return found;
}

}  // namespace pravo::load
