#include "frontend/load/literal.h"

#include <utility>
#include <vector>

#include "frontend/load/static_expr.h"
#include "ir/convert.h"
#include "ir/diagnostics/load.h"
#include "ir/operators.h"

#include <llvm/ADT/SmallVector.h>

namespace pravo::load {

using hcl::NodeId;
using hcl::NodeKind;
using hcl::SyntaxTree;

namespace {

// Deeper syntax than this is refused; it keeps the recursion of the evaluator safe.
constexpr unsigned kMaxNesting = 500;
// More steps than this are no constant that somebody wrote: nested loops over long lists.
constexpr uint64_t kMaxSteps = 20'000'000;

hcl::UnaryOp unary_of(const SyntaxTree& tree, NodeId node) { return static_cast<hcl::UnaryOp>(tree.op(node)); }

// The syntax tree names operators in the order of the IR's.
static_assert(static_cast<int>(hcl::BinaryOp::Modulo) == static_cast<int>(BinaryOp::Modulo));
static_assert(static_cast<int>(hcl::UnaryOp::Not) == static_cast<int>(UnaryOp::Not));

class Evaluator {
 public:
  Evaluator(const SourceManager& sources, const SyntaxTree& tree, Diagnostics& diags, Quote quote)
      : sources_(sources), tree_(tree), diags_(diags), quote_(quote) {}

  std::optional<Value> eval(NodeId node) {
    if (++depth_ > kMaxNesting) {
      --depth_;
      return report(node, "the expression nests too deep");
    }
    if (++steps_ > kMaxSteps) {
      --depth_;
      return report(node, "the expression takes too many steps");
    }
    auto value = eval_node(node);
    --depth_;
    return value;
  }

 private:
  using Maybe = std::optional<Value>;

  // Nothing, after the diagnostic: so that a failed step reads `return report(...)`.
  std::nullopt_t report(NodeId node, std::string_view fact) {
    if (!failed_) diags_.emit(tree_.range(node), diag::InvalidConstant, fact);
    failed_ = true;
    return std::nullopt;
  }
  std::nullopt_t report(NodeId node, const EvalError& error) {
    if (quote_ == Quote::Yes) return report(node, error.text());
    switch (error.kind) {
      case EvalErrorKind::Type:
        return report(node, "a value here has a type that does not fit");
      case EvalErrorKind::Null:
        return report(node, "a value here is null");
      case EvalErrorKind::Missing:
        return report(node, "an index or attribute does not exist");
      case EvalErrorKind::Limit:
        return report(node, "the value is too large");
      case EvalErrorKind::Value:
      case EvalErrorKind::Host:
      case EvalErrorKind::Refused:
      case EvalErrorKind::Call:
        return report(node, "the expression cannot be evaluated");
    }
    PRAVOC_UNREACHABLE();
  }

  Maybe take(NodeId node, Result<Value> result) {
    if (!result.ok()) return report(node, result.error());
    return std::move(result).value();
  }
  // The same for an operator: the operand at fault is the place.
  Maybe take_operand(NodeId node, Result<Value> result, uint32_t first_child = 0) {
    if (result.ok()) return std::move(result).value();
    int argument = result.error().argument;
    NodeId at = node;
    if (argument >= 0 && first_child + static_cast<uint32_t>(argument) < tree_.child_count(node))
      at = tree_.child(node, first_child + static_cast<uint32_t>(argument));
    return report(at, result.error());
  }

  Maybe eval_node(NodeId node) {
    switch (tree_.kind(node)) {
      case NodeKind::Number: {
        auto number = Number::parse(sources_.text(tree_.range(node)));
        if (!number) return report(node, "the number is malformed or too large");
        return Value::number(*number);
      }
      case NodeKind::Bool:
        return Value::boolean(tree_.op(node) != 0);
      case NodeKind::Null:
        return Value::null();
      case NodeKind::Template:
        return eval_template(node);
      case NodeKind::TemplateBody:
        return eval_template(node);
      case NodeKind::Interpolation:
        return eval(tree_.child(node, 0));
      case NodeKind::TemplateIf:
        return eval_template_if(node);
      case NodeKind::TemplateFor:
        return eval_template_for(node);
      case NodeKind::Tuple:
        return eval_tuple(node);
      case NodeKind::Object:
        return eval_object(node);
      case NodeKind::ForTuple:
        return eval_for_tuple(node);
      case NodeKind::ForObject:
        return eval_for_object(node);
      case NodeKind::GetAttr:
      case NodeKind::LegacyIndex:
      case NodeKind::Index:
        return eval_steps(node);
      case NodeKind::Splat:
        return eval_splat(node);
      case NodeKind::SplatItem:
        if (items_.empty()) return report(node, "the expression cannot be evaluated");
        return items_.back();
      case NodeKind::Unary: {
        auto operand = eval(tree_.child(node, 0));
        if (!operand) return std::nullopt;
        return take_operand(node, unary(static_cast<UnaryOp>(unary_of(tree_, node)), *operand));
      }
      case NodeKind::Binary:
        return eval_binary(node);
      case NodeKind::Conditional:
        return eval_conditional(node);
      case NodeKind::Paren:
        return eval(tree_.child(node, 0));
      case NodeKind::Variable: {
        std::string_view name = sources_.text(tree_.range(node));
        for (size_t i = bindings_.size(); i-- > 0;)
          if (bindings_[i].first == name) return bindings_[i].second;
        return report(node, "a variable cannot be used here");
      }
      case NodeKind::Error:
        failed_ = true;  // reported by the parser
        return std::nullopt;
      case NodeKind::Call:  // refused before evaluating
      case NodeKind::Body:
      case NodeKind::Attribute:
      case NodeKind::Block:
      case NodeKind::Name:
      case NodeKind::StringPart:
      case NodeKind::ObjectItem:
        return report(node, "the expression cannot be evaluated");
    }
    PRAVOC_UNREACHABLE();
  }

  Maybe eval_template(NodeId node) {
    if (tree_.kind(node) == NodeKind::Template && tree_.has(node, hcl::kJson))
      return Value::string(hcl::json_string_text(sources_, tree_, node));
    auto parts = hcl::template_parts(sources_, tree_, node);
    if (parts.empty()) return Value::string("");
    bool alone = parts.size() == 1 && parts[0].node.valid() && tree_.kind(parts[0].node) == NodeKind::Interpolation &&
                 tree_.kind(node) == NodeKind::Template;
    std::vector<Value> values;
    bool sequences = false;
    for (const auto& part : parts) {
      if (!part.node.valid()) {
        values.push_back(Value::string(part.text));
        continue;
      }
      sequences = true;
      auto value = eval(part.node);
      if (!value) return std::nullopt;
      values.push_back(std::move(*value));
    }
    if (alone) return values[0];
    if (!sequences && values.size() == 1) return values[0];
    auto joined = join_template(values);
    if (joined.ok()) return std::move(joined).value();
    int argument = joined.error().argument;
    NodeId at = node;
    if (argument >= 0 && static_cast<size_t>(argument) < parts.size() && parts[static_cast<size_t>(argument)].node)
      at = parts[static_cast<size_t>(argument)].node;
    return report(at, joined.error());
  }

  Maybe eval_template_if(NodeId node) {
    auto condition = eval(tree_.child(node, 0));
    if (!condition) return std::nullopt;
    auto choice = choose(*condition);
    if (!choice.ok()) return report(tree_.child(node, 0), choice.error());
    if (choice->arm == Choice::Arm::True) return eval(tree_.child(node, 1));
    if (tree_.child_count(node) < 3 || !tree_.child(node, 2).valid()) return Value::string("");
    return eval(tree_.child(node, 2));
  }

  Maybe eval_tuple(NodeId node) {
    std::vector<Value> elements;
    uint32_t count = tree_.child_count(node);
    elements.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      auto element = eval(tree_.child(node, i));
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
    }
    return take_operand(node, make_tuple(std::move(elements)));
  }

  Maybe eval_key(NodeId key) {
    if (tree_.kind(key) == NodeKind::Name) return Value::string(sources_.text(tree_.range(key)));
    return eval(key);
  }

  Maybe eval_object(NodeId node) {
    std::vector<std::pair<Value, Value>> entries;
    uint32_t count = tree_.child_count(node);
    entries.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      NodeId item = tree_.child(node, i);
      if (tree_.kind(item) != NodeKind::ObjectItem) return eval(item);  // an Error node
      auto key = eval_key(tree_.child(item, 0));
      if (!key) return std::nullopt;
      auto value = eval(tree_.child(item, 1));
      if (!value) return std::nullopt;
      entries.emplace_back(std::move(*key), std::move(*value));
    }
    auto object = make_object(std::move(entries));
    if (object.ok()) return std::move(object).value();
    int argument = object.error().argument;
    NodeId at = argument >= 0 && static_cast<uint32_t>(argument) < count
                    ? tree_.child(tree_.child(node, static_cast<uint32_t>(argument)), 0)
                    : node;
    return report(at, object.error());
  }

  // The names of a for-expression or template `for`, and its children after them.
  struct ForParts {
    std::string_view key;
    std::string_view value;
    NodeId collection;
    uint32_t rest;  // index of the first child after the collection
  };
  ForParts for_parts(NodeId node) const {
    ForParts parts;
    uint32_t at = 0;
    if (tree_.has(node, hcl::kHasKey)) parts.key = sources_.text(tree_.range(tree_.child(node, at++)));
    parts.value = sources_.text(tree_.range(tree_.child(node, at++)));
    parts.collection = tree_.child(node, at++);
    parts.rest = at;
    return parts;
  }

  // Calls `body` for each element with its names bound, until it returns false.
  template <class F>
  bool each_step(const ForParts& parts, const Iteration& iteration, F body) {
    size_t outer = bindings_.size();
    for (size_t i = 0; i < iteration.size(); ++i) {
      if (!parts.key.empty()) bindings_.emplace_back(parts.key, iteration.key(i));
      bindings_.emplace_back(parts.value, iteration.value(i));
      bool go_on = body();
      bindings_.resize(outer);
      if (!go_on) return false;
    }
    return true;
  }

  std::optional<Iteration> eval_collection(const ForParts& parts) {
    auto collection = eval(parts.collection);
    if (!collection) return std::nullopt;
    auto iteration = iterate(*collection);
    if (!iteration.ok()) return report(parts.collection, iteration.error());
    return std::move(iteration).value();
  }

  // Whether this step is kept; nothing after an error.
  template <class Collector>
  std::optional<bool> keeps(NodeId node, uint32_t condition_index, Collector& collector) {
    if (!tree_.has(node, hcl::kHasCondition)) return true;
    NodeId condition_node = tree_.child(node, condition_index);
    auto condition = eval(condition_node);
    if (!condition) return std::nullopt;
    auto accepted = collector.accept(*condition);
    if (!accepted.ok()) return report(condition_node, accepted.error());
    return *accepted;
  }

  Maybe eval_for_tuple(NodeId node) {
    ForParts parts = for_parts(node);
    auto iteration = eval_collection(parts);
    if (!iteration) return std::nullopt;
    ForList list(*iteration);
    bool done = each_step(parts, *iteration, [&] {
      auto keep = keeps(node, parts.rest + 1, list);
      if (!keep) return false;
      if (!*keep) return true;
      auto value = eval(tree_.child(node, parts.rest));
      if (!value) return false;
      Result<bool> added = list.add(std::move(*value));
      if (!added.ok()) report(node, added.error());
      return added.ok();
    });
    if (!done) return std::nullopt;
    return take(node, std::move(list).finish());
  }

  Maybe eval_for_object(NodeId node) {
    ForParts parts = for_parts(node);
    auto iteration = eval_collection(parts);
    if (!iteration) return std::nullopt;
    ForObject object(*iteration, tree_.has(node, hcl::kGroup));
    bool done = each_step(parts, *iteration, [&] {
      auto keep = keeps(node, parts.rest + 2, object);
      if (!keep) return false;
      if (!*keep) return true;
      auto key = eval(tree_.child(node, parts.rest));
      if (!key) return false;
      auto value = eval(tree_.child(node, parts.rest + 1));
      if (!value) return false;
      auto added = object.add(*key, std::move(*value));
      if (added.ok()) return true;
      report(tree_.child(node, parts.rest), added.error());
      return false;
    });
    if (!done) return std::nullopt;
    return take(node, std::move(object).finish());
  }

  Maybe eval_template_for(NodeId node) {
    ForParts parts = for_parts(node);
    auto iteration = eval_collection(parts);
    if (!iteration) return std::nullopt;
    std::vector<Value> pieces;
    bool done = each_step(parts, *iteration, [&] {
      auto piece = eval(tree_.child(node, parts.rest));
      if (!piece) return false;
      pieces.push_back(std::move(*piece));
      return true;
    });
    if (!done) return std::nullopt;
    return take(node, join_strings(Value::tuple(std::move(pieces))));
  }

  // `a.b[0].c` from the inside out; chains have no limit, so this is a loop.
  Maybe eval_steps(NodeId node) {
    llvm::SmallVector<NodeId, 8> steps;
    NodeId base = node;
    auto is_step = [&](NodeId n) {
      NodeKind kind = tree_.kind(n);
      return kind == NodeKind::GetAttr || kind == NodeKind::Index || kind == NodeKind::LegacyIndex;
    };
    while (is_step(base)) {
      steps.push_back(base);
      base = tree_.child(base, 0);
    }
    auto value = eval(base);
    while (value && !steps.empty()) {
      NodeId step = steps.pop_back_val();
      NodeId operand = tree_.child(step, 1);
      if (tree_.kind(step) == NodeKind::GetAttr) {
        value = take(step, attribute(*value, sources_.text(tree_.range(operand))));
      } else {
        auto key = eval(operand);
        if (!key) return std::nullopt;
        value = take(step, index(*value, *key));
      }
    }
    return value;
  }

  Maybe eval_splat(NodeId node) {
    auto source = eval(tree_.child(node, 0));
    if (!source) return std::nullopt;
    auto iteration = iterate_splat(*source);
    if (!iteration.ok()) return report(tree_.child(node, 0), iteration.error());
    std::vector<Value> results;
    for (size_t i = 0; i < iteration->size(); ++i) {
      items_.push_back(iteration->value(i));
      auto result = eval(tree_.child(node, 1));
      items_.pop_back();
      if (!result) return std::nullopt;
      results.push_back(std::move(*result));
    }
    return take(node, splat_result(*iteration, std::move(results)));
  }

  // Left-associative operators chain to the left without a limit.
  Maybe eval_binary(NodeId node) {
    llvm::SmallVector<NodeId, 8> chain;
    NodeId left = node;
    while (tree_.kind(left) == NodeKind::Binary) {
      chain.push_back(left);
      left = tree_.child(left, 0);
    }
    auto value = eval(left);
    while (value && !chain.empty()) {
      NodeId operation = chain.pop_back_val();
      auto right = eval(tree_.child(operation, 1));
      if (!right) return std::nullopt;
      value = take_operand(operation, binary(static_cast<BinaryOp>(tree_.op(operation)), *value, *right));
    }
    return value;
  }

  Maybe eval_conditional(NodeId node) {
    auto condition = eval(tree_.child(node, 0));
    if (!condition) return std::nullopt;
    auto choice = choose(*condition);
    if (!choice.ok()) return report(tree_.child(node, 0), choice.error());
    auto when_true = eval(tree_.child(node, 1));
    auto when_false = eval(tree_.child(node, 2));
    if (!when_true || !when_false) return std::nullopt;
    return take(node, conditional(*choice, *when_true, *when_false));
  }

  const SourceManager& sources_;
  const SyntaxTree& tree_;
  Diagnostics& diags_;
  Quote quote_;
  unsigned depth_ = 0;
  uint64_t steps_ = 0;
  bool failed_ = false;
  std::vector<std::pair<std::string_view, Value>> bindings_;
  std::vector<Value> items_;  // what enclosing splats are at
};

// A scalar of native syntax needs no walk.
bool is_scalar(const SyntaxTree& tree, NodeId node) {
  NodeKind kind = tree.kind(node);
  return kind == NodeKind::Number || kind == NodeKind::Bool || kind == NodeKind::Null ||
         (kind == NodeKind::Template && tree.has(node, hcl::kJson));
}

bool refuse_names(const SourceManager& sources, Expr expr, Diagnostics& diags) {
  if (is_scalar(*expr.tree, expr.node)) return false;
  bool refused = false;
  // Strings of JSON are text here, so what the parser saw in them does not count.
  if (expr.tree->json && expr.tree->has(expr.node, hcl::kJson)) return false;
  each_reference(sources, expr, [&](const Reference& reference) {
    diags.emit(reference.root_range, diag::NotConstant, "variable");
    refused = true;
  });
  each_call(expr, [&](SourceRange call, SourceRange) {
    diags.emit(call, diag::NotConstant, "function");
    refused = true;
  });
  return refused;
}

}  // namespace

std::optional<Value> evaluate_constant(const SourceManager& sources, Expr expr, Diagnostics& diags, Quote quote) {
  if (!expr || refuse_names(sources, expr, diags)) return std::nullopt;
  return Evaluator(sources, *expr.tree, diags, quote).eval(expr.node);
}

std::optional<std::string> constant_string(const SourceManager& sources, Expr expr, Diagnostics& diags) {
  auto value = evaluate_constant(sources, expr, diags);
  if (!value) return std::nullopt;
  auto text = convert(*value, Type::string());
  if (!text.ok() || text->is_null() || text->is_unknown()) {
    diags.emit(expr.range(), diag::UnsuitableValue, "a string");
    return std::nullopt;
  }
  return std::string(text->as_string());
}

std::optional<bool> constant_bool(const SourceManager& sources, Expr expr, Diagnostics& diags) {
  auto value = evaluate_constant(sources, expr, diags);
  if (!value) return std::nullopt;
  auto boolean = convert(*value, Type::boolean());
  if (!boolean.ok() || boolean->is_null() || boolean->is_unknown()) {
    diags.emit(expr.range(), diag::UnsuitableValue, "a bool");
    return std::nullopt;
  }
  return boolean->as_bool();
}

}  // namespace pravo::load
