// `root.attribute[key].0`: the steps behind a root. What a root means is in roots.cpp.
#include "frontend/lower/body.h"

#include <algorithm>

#include "ir/unicode.h"

namespace pravo::lower {

using hcl::NodeId;
using hcl::NodeKind;

NodeId BodyLowering::take_apart(NodeId n, Steps* steps) const {
  while (true) {
    NodeKind kind = tree_->kind(n);
    if (kind != NodeKind::GetAttr && kind != NodeKind::LegacyIndex && kind != NodeKind::Index) break;
    steps->push_back({n, tree_->child(n, 1), kind == NodeKind::GetAttr});
    n = tree_->child(n, 0);
  }
  std::reverse(steps->begin(), steps->end());
  return n;
}

Ref BodyLowering::traversal(NodeId n) {
  Steps steps;
  NodeId root = take_apart(n, &steps);
  Resolved resolved;
  if (tree_->kind(root) == NodeKind::Variable)
    resolved = resolve(root, steps);
  else
    resolved = {expression(root), 0};
  Ref value = resolved.ref;
  for (size_t i = resolved.used; i < steps.size(); ++i) value = apply(value, steps[i]);
  return value;
}

std::string_view BodyLowering::step_name(const Step& step) const {
  std::string_view written = text(step.operand);
  return is_surely_normal(written) ? written : text(shared_.names.intern(written));
}

// From the dot or bracket on.
SourceRange BodyLowering::step_range(const Step& step) const {
  SourceRange range = tree_->range(step.node);
  range.begin = tree_->range(tree_->child(step.node, 0)).end;
  std::string_view gap = text(range);
  size_t blanks = gap.find_first_not_of(" \t\r\n");
  if (blanks != std::string_view::npos) range.begin += static_cast<uint32_t>(blanks);
  return range;
}

bool BodyLowering::literal_key(const Step& step) const {
  if (step.attribute) return false;
  NodeKind kind = tree_->kind(step.operand);
  if (kind == NodeKind::Number) return true;
  if (kind != NodeKind::Template) return false;
  std::string literal;
  return hcl::literal_text(shared_.sources, *tree_, step.operand, &literal);
}

Ref BodyLowering::apply(Ref base, const Step& step) {
  return step.attribute ? apply_attribute(base, step) : apply_index(base, step);
}

Ref BodyLowering::apply_attribute(Ref base, const Step& step) {
  SourceRange range = tree_->range(step.node);
  std::string_view attribute = step_name(step);
  bool fault = false;
  TypeId type = attribute_type(base, attribute, step_range(step), &fault);
  if (fault) return unknown(range);
  return {add(OpKind::Attr, type, {base}, range, name(attribute).index), range};
}

Ref BodyLowering::apply_index(Ref base, const Step& step) {
  SourceRange range = tree_->range(step.node);
  Ref key = expression(step.operand);
  bool fault = false;
  TypeId type = index_type(base, key, step_range(step), &fault);
  if (fault) return unknown(range);
  return {add(OpKind::Index, type, {base, key}, range), range};
}

// The key of one instance: a number for `count`, a string for `for_each`.
Ref BodyLowering::instance_key(const Step& step, InstId expand) {
  TypeId wanted = body_.inst(expand).kind == OpKind::ExpandCount ? types_.number : types_.string;
  Ref key = expression(step.operand);
  if (type_of(key) == wanted) return key;
  want(key, wanted,
       wanted == types_.number ? "a key of a resource or module with `count`"
                               : "a key of a resource or module with `for_each`");
  return {add(OpKind::Convert, wanted, {key}, key.range), key.range};
}

}  // namespace pravo::lower
