// Operators, constructors, conditionals, `for` and splats.
#include "frontend/lower/body.h"

#include <algorithm>

#include "ir/convert.h"
#include "ir/diagnostics/lower.h"
#include "ir/misfit.h"
#include "ir/number.h"

#include <llvm/ADT/DenseSet.h>

namespace pravo::lower {

using hcl::NodeId;
using hcl::NodeKind;

namespace {

BinaryKind binary_kind(hcl::BinaryOp op) {
  switch (op) {
    case hcl::BinaryOp::Or:
      return BinaryKind::Or;
    case hcl::BinaryOp::And:
      return BinaryKind::And;
    case hcl::BinaryOp::Equal:
      return BinaryKind::Equal;
    case hcl::BinaryOp::NotEqual:
      return BinaryKind::NotEqual;
    case hcl::BinaryOp::Less:
      return BinaryKind::Less;
    case hcl::BinaryOp::Greater:
      return BinaryKind::Greater;
    case hcl::BinaryOp::LessEqual:
      return BinaryKind::LessEqual;
    case hcl::BinaryOp::GreaterEqual:
      return BinaryKind::GreaterEqual;
    case hcl::BinaryOp::Add:
      return BinaryKind::Add;
    case hcl::BinaryOp::Subtract:
      return BinaryKind::Subtract;
    case hcl::BinaryOp::Multiply:
      return BinaryKind::Multiply;
    case hcl::BinaryOp::Divide:
      return BinaryKind::Divide;
    case hcl::BinaryOp::Modulo:
      return BinaryKind::Modulo;
  }
  PRAVOC_UNREACHABLE();
}

UnaryKind unary_kind(hcl::UnaryOp op) {
  switch (op) {
    case hcl::UnaryOp::Negate:
      return UnaryKind::Negate;
    case hcl::UnaryOp::Not:
      return UnaryKind::Not;
  }
  PRAVOC_UNREACHABLE();
}

// Whether a name comes twice.
bool has_repetition(std::span<const NameId> names) {
  constexpr size_t kFew = 16;  // so few are compared with each other faster than hashed
  if (names.size() > kFew) {
    llvm::SmallDenseSet<uint32_t, 64> seen;
    return !std::all_of(names.begin(), names.end(), [&](NameId name) { return seen.insert(name.index).second; });
  }
  for (size_t i = 1; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + i, names[i]) != names.begin() + i) return true;
  return false;
}

}  // namespace

// Recursion is as deep as the tree is high, which the parser bounds (hcl::kMaxTreeHeight).
Ref BodyLowering::expression(NodeId n) {
  switch (tree_->kind(n)) {
    case NodeKind::Number:
      return number(n);
    case NodeKind::Bool:
      return constant(Value::boolean(tree_->op(n) != 0), tree_->range(n), types_.boolean);
    case NodeKind::Null:
      return constant(Value::null(), tree_->range(n), types_.any);
    case NodeKind::Template:
      return template_expression(n);
    case NodeKind::Tuple:
      return tuple(n);
    case NodeKind::Object:
      return object(n);
    case NodeKind::Call:
      return call(n);
    case NodeKind::ForTuple:
    case NodeKind::ForObject:
      return for_expression(n);
    case NodeKind::GetAttr:
    case NodeKind::LegacyIndex:
    case NodeKind::Index:
    case NodeKind::Variable:
      return traversal(n);
    case NodeKind::Splat:
      return splat(n);
    case NodeKind::SplatItem:
      return splat_item(n);
    case NodeKind::Unary:
      return unary(n);
    case NodeKind::Binary:
      return binary(n);
    case NodeKind::Conditional:
      return conditional(n);
    case NodeKind::Paren:
      return expression(tree_->child(n, 0));
    case NodeKind::Error:
      return unknown(tree_->range(n));
    // Names are keys of objects, which object() reads itself; the others are no expressions.
    case NodeKind::Name:
    case NodeKind::Body:
    case NodeKind::Attribute:
    case NodeKind::Block:
    case NodeKind::StringPart:
    case NodeKind::Interpolation:
    case NodeKind::TemplateIf:
    case NodeKind::TemplateFor:
    case NodeKind::TemplateBody:
    case NodeKind::ObjectItem:
      break;
  }
  PRAVOC_UNREACHABLE();
}

Ref BodyLowering::constant(Value value, SourceRange range, TypeId type) {
  auto payload = static_cast<uint32_t>(body_.constants.size());
  body_.constants.push_back(std::move(value));
  return {reserve(OpKind::Const, type, range, payload), range};
}

Ref BodyLowering::text_constant(std::string_view text, SourceRange range) {
  uint32_t constant = text_constants_.find_or_add(body_.constants, text);
  return {reserve(OpKind::Const, types_.string, range, constant), range};
}

Ref BodyLowering::number(NodeId n) {
  std::optional<Number> value = Number::parse(text(n));
  if (!value) {
    report(tree_->range(n), diag::NumberRange);
    return unknown(tree_->range(n));
  }
  return constant(Value::number(*std::move(value)), tree_->range(n), types_.number);
}

Ref BodyLowering::tuple(NodeId n) {
  Refs elements;
  llvm::SmallVector<TypeId, 8> types;
  for (uint32_t i = 0; i < tree_->child_count(n); ++i) {
    elements.push_back(expression(tree_->child(n, i)));
    types.push_back(type_of(elements.back()));
  }
  SourceRange range = tree_->range(n);
  return {add(OpKind::Tuple, types_.tuple(types), elements, range), range};
}

// A property name of JSON in which there is more than text. The tree holds names unparsed.
bool BodyLowering::is_json_template(NodeId key) const {
  if (!tree_->has(key, hcl::kJson)) return false;
  std::string text = hcl::json_string_text(shared_.sources, *tree_, key);
  return text.find("${") != std::string::npos || text.find("%{") != std::string::npos;
}

// It is parsed into a tree of its own, which nothing refers to afterwards.
Ref BodyLowering::json_template(NodeId key) {
  hcl::SyntaxTree scratch;
  scratch.file = tree_->file;
  scratch.json = true;
  SourceRange range = tree_->range(key);
  std::vector<NodeId> parts;
  for (uint32_t i = 0; i < tree_->child_count(key); ++i) {
    NodeId part = tree_->child(key, i);
    SourceRange place = tree_->range(part);
    parts.push_back(scratch.add(tree_->kind(part), tree_->op(part), tree_->flags(part), place.begin, place.end, {}));
  }
  NodeId copy = scratch.add(tree_->kind(key), tree_->op(key), tree_->flags(key), range.begin, range.end, parts);
  scratch.root = hcl::parse_json_string_as_template(shared_.sources, scratch, copy, shared_.diags);
  const hcl::SyntaxTree* outer = std::exchange(tree_, &scratch);
  Ref value = expression(scratch.root);
  tree_ = outer;
  return value;
}

bool BodyLowering::static_key(NodeId key, NameId* result) {
  if (tree_->kind(key) == NodeKind::Name) {
    *result = name(text(key));
    return true;
  }
  if (tree_->kind(key) != NodeKind::Template) return false;
  if (is_json_template(key)) return false;
  std::string literal;
  if (!hcl::literal_text(shared_.sources, *tree_, key, &literal)) return false;
  *result = name(literal);
  return true;
}

// Of equal keys the last stays.
void BodyLowering::keep_last(llvm::SmallVectorImpl<NameId>& names, Refs& values) {
  llvm::SmallDenseMap<uint32_t, uint32_t, 16> last;
  for (uint32_t i = 0; i < names.size(); ++i) last[names[i].index] = i;
  if (last.size() == names.size()) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (last[names[i].index] != i) continue;
    names[kept] = names[i];
    values[kept] = values[i];
    ++kept;
  }
  names.truncate(kept);
  values.truncate(kept);
}

Ref BodyLowering::object(NodeId n) {
  const uint32_t count = tree_->child_count(n);
  llvm::SmallVector<NameId, 8> names(count);
  for (uint32_t i = 0; i < count; ++i)
    if (!static_key(tree_->child(tree_->child(n, i), 0), &names[i])) return keyed_object(n);
  const bool repeated = has_repetition(names);
  if (repeated) {
    // Of equal keys the last value stays, but the others are evaluated, too, and may fail.
    llvm::SmallDenseSet<uint32_t, 16> later;
    for (uint32_t i = count; i-- > 0;) {
      if (later.insert(names[i].index).second) continue;
      NodeKind value = tree_->kind(tree_->child(tree_->child(n, i), 1));
      if (value != NodeKind::Number && value != NodeKind::Bool && value != NodeKind::Null) return keyed_object(n);
    }
  }

  Refs values;
  values.reserve(count);
  for (uint32_t i = 0; i < count; ++i) values.push_back(expression(tree_->child(tree_->child(n, i), 1)));
  if (repeated) keep_last(names, values);
  return object_of(names, values, tree_->range(n));
}

Ref BodyLowering::keyed_object(NodeId n) {
  Refs operands;
  for (uint32_t i = 0; i < tree_->child_count(n); ++i) {
    NodeId item = tree_->child(n, i);
    NodeId key = tree_->child(item, 0);
    SourceRange range = tree_->range(key);
    if (tree_->kind(key) == NodeKind::Name) {
      operands.push_back(text_constant(text(key), range));
    } else if (NodeKind kind = tree_->kind(key); kind == NodeKind::GetAttr || kind == NodeKind::LegacyIndex) {
      report(range, diag::AmbiguousKey, text(key)).fix(range, fmt::format("({})", text(key)), "make it a reference");
      operands.push_back(unknown(range));
    } else {
      Ref value = is_json_template(key) ? json_template(key) : expression(key);
      want(value, types_.string, "the key of an object");
      operands.push_back(value);
    }
    operands.push_back(expression(tree_->child(item, 1)));
  }
  SourceRange range = tree_->range(n);
  return {add(OpKind::ObjectKeyed, types_.any, operands, range), range};
}

Ref BodyLowering::unary(NodeId n) {
  UnaryKind kind = unary_kind(static_cast<hcl::UnaryOp>(tree_->op(n)));
  Ref operand = expression(tree_->child(n, 0));
  TypeId type = types_.of_unary(kind);
  want(operand, type, kind == UnaryKind::Not ? "the operand of `!`" : "the operand of `-`");
  SourceRange range = tree_->range(n);
  return {add(OpKind::Unary, type, {operand}, range, static_cast<uint32_t>(kind)), range};
}

// `a + b + c` leans to the left: its spine is walked, not recursed into.
Ref BodyLowering::binary(NodeId n) {
  llvm::SmallVector<NodeId, 8> spine;
  NodeId at = n;
  while (tree_->kind(at) == NodeKind::Binary) {
    spine.push_back(at);
    at = tree_->child(at, 0);
  }
  Ref left = expression(at);
  while (!spine.empty()) {
    at = spine.pop_back_val();
    Ref right = expression(tree_->child(at, 1));
    BinaryKind kind = binary_kind(static_cast<hcl::BinaryOp>(tree_->op(at)));
    if (kind != BinaryKind::Equal && kind != BinaryKind::NotEqual) {
      bool logical = kind == BinaryKind::And || kind == BinaryKind::Or;
      TypeId wanted = logical ? types_.boolean : types_.number;
      for (const Ref& operand : {left, right})
        if (type_of(operand) != wanted && type_of(operand) != types_.any)
          want(operand, wanted, fmt::format("an operand of `{}`", binary_text(kind)));
    }
    SourceRange range = tree_->range(at);
    left = {add(OpKind::Binary, types_.of_binary(kind), {left, right}, range, static_cast<uint32_t>(kind)), range};
  }
  return left;
}

Ref BodyLowering::conditional_arm(Ref owner, NodeId arm) {
  RegionId region = builder_.open_region(owner.id);
  ++arms_;
  Ref value = expression(arm);
  --arms_;
  close_region(region, {value}, value.range);
  return value;
}

Ref BodyLowering::conditional(NodeId n) {
  Ref condition = expression(tree_->child(n, 0));
  want(condition, types_.boolean, "a condition");
  SourceRange range = tree_->range(n);
  Ref result{add(OpKind::Cond, types_.any, {condition}, range), range};
  const bool tests = tests_for_faults(tree_->child(n, 0));
  tested_ += tests ? 1 : 0;
  Ref arms[2];
  arms[0] = conditional_arm(result, tree_->child(n, 1));
  arms[1] = conditional_arm(result, tree_->child(n, 2));
  tested_ -= tests ? 1 : 0;

  auto is_null = [&](Ref arm) { return body_.inst(arm.id).kind == OpKind::Const && body_.constant(arm.id).is_null(); };
  std::optional<TypeId> type;
  if (is_null(arms[0]))
    type = type_of(arms[1]);
  else if (is_null(arms[1]))
    type = type_of(arms[0]);
  else
    type = types_.conditional(type_of(arms[0]), type_of(arms[1]));
  if (!type) {
    if (!evaluated_ && lenient_ == 0 && arms_ == 0) {
      SourceRange both{range.file, arms[0].range.begin, arms[1].range.end};
      const Type& first = types_.get(type_of(arms[0]));
      const Type& second = types_.get(type_of(arms[1]));
      std::string one = described(first);
      std::string other = described(second);
      report(both, diag::InconsistentArms,
             one == other ? type_difference(first, second) : fmt::format("{} and {}", one, other));
    }
    type = types_.any;
  }
  body_.inst(result.id).type = *type;
  TypeId hint = element_hint(arms[0].id);
  if (*type == types_.any && hint == element_hint(arms[1].id)) set_element_hint(result.id, hint);
  return result;
}

void BodyLowering::push_for_bindings(NodeId n, InstId owner, Types::Step step, size_t* next_child) {
  uint32_t child = 0;
  if (tree_->has(n, hcl::kHasKey))
    bindings_.push_back({Binding::Kind::Key, name(text(tree_->child(n, child++))), owner, step.key, step.value});
  bindings_.push_back({Binding::Kind::Value, name(text(tree_->child(n, child++))), owner, step.key, step.value});
  *next_child = child;
}

Ref BodyLowering::for_expression(NodeId n) {
  const bool object = tree_->kind(n) == NodeKind::ForObject;
  SourceRange range = tree_->range(n);
  uint32_t source_child = tree_->has(n, hcl::kHasKey) ? 2 : 1;
  Ref source = expression(tree_->child(n, source_child));
  Types::Step step = iteration_type(source, /*splat=*/false);
  Ref result{add(object ? OpKind::ForObject : OpKind::ForList, types_.any, {source}, range), range};
  if (tree_->has(n, hcl::kGroup)) body_.inst(result.id).flags |= kGrouped;

  RegionId region = builder_.open_region(result.id);
  size_t bound = bindings_.size();
  size_t next = 0;
  push_for_bindings(n, result.id, step, &next);
  auto child = static_cast<uint32_t>(next) + 1;
  Refs yielded;
  if (object) {
    Ref key = expression(tree_->child(n, child++));
    want(key, types_.string, "the key of an object");
    yielded.push_back(key);
  }
  Ref value = expression(tree_->child(n, child++));
  yielded.push_back(value);
  if (tree_->has(n, hcl::kHasCondition)) {
    Ref condition = expression(tree_->child(n, child));
    want(condition, types_.boolean, "the condition of a `for`");
    yielded.push_back(condition);
  }
  bindings_.resize(bound);
  close_region(region, yielded, range);
  if (!tree_->has(n, hcl::kGroup)) set_element_hint(result.id, type_of(value));
  return result;
}

Ref BodyLowering::splat(NodeId n) {
  SourceRange range = tree_->range(n);
  Ref source = expression(tree_->child(n, 0));
  TypeId item = iteration_type(source, /*splat=*/true).value;
  Ref result{add(OpKind::Splat, types_.any, {source}, range), range};
  if (static_cast<hcl::SplatForm>(tree_->op(n)) == hcl::SplatForm::Full) body_.inst(result.id).flags |= kSplatFull;
  RegionId region = builder_.open_region(result.id);
  splats_.push_back({result.id, item});
  Ref value = expression(tree_->child(n, 1));
  splats_.pop_back();
  close_region(region, {value}, range);

  // A splat over a list is a list; over anything else it is a tuple, of a length that the type does not say.
  TypeId type = type_of(value);
  TypeKind kind = types_.get(type_of(source)).kind();
  if ((kind == TypeKind::List || kind == TypeKind::Set) && types_.certain(type))
    body_.inst(result.id).type = types_.intern(Type::list(types_.get(type)));
  set_element_hint(result.id, type);
  return result;
}

Ref BodyLowering::splat_item(NodeId n) {
  PRAVOC_CHECK(!splats_.empty());
  SplatItem item = splats_.back();
  SourceRange range = tree_->range(n);
  Ref owner{item.owner, body_.range(item.owner)};
  return {add(OpKind::Each, item.type, {owner}, range), range};
}

}  // namespace pravo::lower
