// Quoted text and heredocs.
#include "frontend/lower/body.h"

namespace pravo::lower {

using hcl::NodeId;
using hcl::NodeKind;

namespace {

// Text in quotes that stands for itself.
bool is_plain(std::string_view raw) { return raw.find_first_of("\\$%\r") == std::string_view::npos; }

}  // namespace

Ref BodyLowering::template_expression(NodeId n) {
  const uint32_t count = tree_->child_count(n);
  SourceRange range = tree_->range(n);
  if (count == 0) return text_constant("", range);
  NodeId first = tree_->child(n, 0);
  if (count == 1 && tree_->kind(first) == NodeKind::Interpolation) return expression(tree_->child(first, 0));
  if (is_plain_template(n)) {
    if (count == 1) return text_constant(text(first), range);
    Refs operands;
    for (uint32_t i = 0; i < count; ++i) {
      NodeId part = tree_->child(n, i);
      operands.push_back(tree_->kind(part) == NodeKind::StringPart ? text_constant(text(part), tree_->range(part))
                                                                   : interpolation(part));
    }
    return template_of(operands, range);
  }
  return template_parts(n);
}

// Whether a template is made of text that stands for itself and of values: most are, and there is nothing to process.
bool BodyLowering::is_plain_template(NodeId n) const {
  if (tree_->json || static_cast<hcl::TemplateForm>(tree_->op(n)) != hcl::TemplateForm::Quoted) return false;
  for (uint32_t i = 0; i < tree_->child_count(n); ++i) {
    NodeId part = tree_->child(n, i);
    NodeKind kind = tree_->kind(part);
    if (kind == NodeKind::StringPart ? !is_plain(text(part))
                                     : kind != NodeKind::Interpolation || tree_->flags(part) != 0)
      return false;
  }
  return true;
}

Ref BodyLowering::interpolation(NodeId n) {
  Ref value = expression(tree_->child(n, 0));
  want(value, types_.string, "a value in a template");
  return value;
}

Ref BodyLowering::template_of(const Refs& operands, SourceRange range) {
  InstId inst = add(OpKind::Template, types_.string, operands, range);
  body_.inst(inst).flags |= kFromSyntax;
  return {inst, range};
}

// Also of a TemplateBody.
Ref BodyLowering::template_parts(NodeId n) {
  SourceRange range = tree_->range(n);
  std::vector<hcl::TemplatePart> parts = hcl::template_parts(shared_.sources, *tree_, n);
  bool literal = true;
  for (const hcl::TemplatePart& part : parts) literal &= !part.node.valid();
  if (literal) {
    std::string whole;
    for (const hcl::TemplatePart& part : parts) whole += part.text;
    return text_constant(whole, range);
  }
  Refs operands;
  for (const hcl::TemplatePart& part : parts) {
    if (!part.node.valid()) {
      if (!part.text.empty()) operands.push_back(text_constant(part.text, part.range));
      continue;
    }
    NodeKind kind = tree_->kind(part.node);
    if (kind == NodeKind::Interpolation) {
      operands.push_back(interpolation(part.node));
    } else if (kind == NodeKind::TemplateIf) {
      operands.push_back(template_if(part.node));
    } else {
      PRAVOC_CHECK(kind == NodeKind::TemplateFor);
      operands.push_back(template_for(part.node));
    }
  }
  return template_of(operands, range);
}

Ref BodyLowering::template_if(NodeId n) {
  SourceRange range = tree_->range(n);
  Ref condition = expression(tree_->child(n, 0));
  want(condition, types_.boolean, "a condition");
  Ref result{add(OpKind::Cond, types_.string, {condition}, range), range};
  const bool tests = tests_for_faults(tree_->child(n, 0));
  tested_ += tests ? 1 : 0;
  ++arms_;
  RegionId then_region = builder_.open_region(result.id);
  Ref then_text = template_parts(tree_->child(n, 1));
  close_region(then_region, {then_text}, then_text.range);
  RegionId else_region = builder_.open_region(result.id);
  Ref else_text = tree_->child_count(n) > 2 ? template_parts(tree_->child(n, 2)) : text_constant("", range);
  close_region(else_region, {else_text}, else_text.range);
  --arms_;
  tested_ -= tests ? 1 : 0;
  return result;
}

Ref BodyLowering::template_for(NodeId n) {
  SourceRange range = tree_->range(n);
  uint32_t source_child = tree_->has(n, hcl::kHasKey) ? 2 : 1;
  Ref source = expression(tree_->child(n, source_child));
  Types::Step step = iteration_type(source, /*splat=*/false);
  Ref list{add(OpKind::ForList, types_.any, {source}, range), range};
  RegionId region = builder_.open_region(list.id);
  size_t bound = bindings_.size();
  size_t next = 0;
  push_for_bindings(n, list.id, step, &next);
  Ref value = template_parts(tree_->child(n, source_child + 1));
  bindings_.resize(bound);
  close_region(region, {value}, range);
  return {add(OpKind::TemplateJoin, types_.string, {list}, range), range};
}

}  // namespace pravo::lower
