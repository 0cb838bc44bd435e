#include "frontend/lower/body.h"

#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"

namespace pravo::lower {

BodyLowering::BodyLowering(Shared& shared, uint32_t module)
    : shared_(shared),
      module_index_(module),
      module_(shared.configuration.modules[module]),
      body_(shared.program.body(ModuleId(module))),
      builder_(shared.program, ModuleId(module)),
      types_(shared.types),
      declarations_(module_) {}

void BodyLowering::run() {
  reserve_nodes();
  lower_variables();
  lower_locals();
  lower_providers();
  lower_resources();
  lower_calls();
  lower_outputs();
  lower_validations();
  lower_checks();
  lower_imports();
  lower_refactorings();
  find_inherited_providers();
}

InstId BodyLowering::add_expression(load::Expr expr) {
  evaluated_ = true;
  Context context;
  return lower(expr, context).id;
}

InstId BodyLowering::add_local(std::string_view local, load::Expr expr) {
  evaluated_ = true;
  Context context;
  Ref value = lower(expr, context);
  InstId inst = add(OpKind::Local, type_of(value), {value}, expr.range(), name(local).index);
  builder_.hint(inst, name(local));
  return inst;
}

Ref BodyLowering::lower(load::Expr expr, const Context& context) {
  if (!expr) return unknown(module_.anywhere);
  const hcl::SyntaxTree* tree = std::exchange(tree_, expr.tree);
  const Context* outer = std::exchange(context_, &context);
  Ref value = expression(expr.node);
  tree_ = tree;
  context_ = outer;
  return value;
}

// A default refers to nothing; one that does was reported when it was read.
bool BodyLowering::is_constant(load::Expr expr) const {
  bool constant = !load::has_error(expr);
  load::each_reference(shared_.sources, expr, [&](const load::Reference&) { constant = false; });
  load::each_call(expr, [&](SourceRange, SourceRange) { constant = false; });
  return constant;
}

void BodyLowering::lower_variables() {
  for (uint32_t i = 0; i < module_.variables.size(); ++i) {
    const load::Variable& variable = module_.variables[i];
    if (!variable.default_value || !is_constant(variable.default_value)) continue;
    // One value, whatever it is written with: whoever needs a default reads it without evaluating anything. What can
    // be wrong with it was reported when it was read.
    Diagnostics reported;
    std::optional<Value> value = load::evaluate_constant(shared_.sources, variable.default_value, reported);
    if (!value) continue;
    TypeId type = types_.intern(value->type());
    Ref constant = this->constant(*std::move(value), variable.default_value.range(), type);
    InstId inst = body_.variables[i].inst;
    set_operands(inst, {constant});
    body_.inst(inst).flags |= kHasDefault;
  }
}

void BodyLowering::lower_locals() {
  Context context;
  for (uint32_t i : order_of_locals()) {
    Ref value = lower(module_.locals[i].value, context);
    InstId local = locals_[i];
    set_operands(local, {value});
    body_.inst(local).type = type_of(value);
    set_element_hint(local, element_hint(value.id));
  }
}

void BodyLowering::lower_outputs() {
  Context context;
  for (uint32_t i = 0; i < module_.outputs.size(); ++i) {
    const load::Output& output = module_.outputs[i];
    OutputInfo& info = body_.outputs[i];
    Ref value = lower(output.value, context);
    set_operands(info.inst, {value});
    body_.inst(info.inst).type = type_of(value);
    info.after = lower_depends_on(output.depends_on, context);
    for (const load::CheckRule& rule : output.preconditions)
      info.preconditions.push_back(lower_condition(rule, ConditionKind::Precondition, info.inst, context));
  }
}

InstId BodyLowering::reserve(OpKind kind, TypeId type, SourceRange range, uint32_t payload) {
  builder_.set_range(range);
  return builder_.reserve(kind, type, payload);
}

InstId BodyLowering::add(OpKind kind, TypeId type, std::span<const Ref> operands, SourceRange range, uint32_t payload) {
  llvm::SmallVector<InstId, 8> ids;
  ids.reserve(operands.size());
  for (const Ref& operand : operands) ids.push_back(operand.id);
  builder_.set_range(range);
  InstId id = builder_.add(kind, type, ids, payload);
  note_uses(id, operands);
  return id;
}

void BodyLowering::set_operands(InstId id, std::span<const Ref> operands) {
  llvm::SmallVector<InstId, 4> ids;
  for (const Ref& operand : operands) ids.push_back(operand.id);
  builder_.set_operands(id, ids);
  note_uses(id, operands);
}

void BodyLowering::close_region(RegionId region, std::span<const Ref> yielded, SourceRange range) {
  llvm::SmallVector<InstId, 4> ids;
  for (const Ref& value : yielded) ids.push_back(value.id);
  builder_.set_range(range);
  builder_.close_region(region, ids);
  note_uses(body_.region(region).yield, yielded);
}

Ref BodyLowering::object_of(std::span<const NameId> names, std::span<const Ref> values, SourceRange range) {
  llvm::SmallVector<InstId, 8> ids;
  llvm::SmallVector<TypeId, 8> types;
  for (const Ref& value : values) {
    ids.push_back(value.id);
    types.push_back(type_of(value));
  }
  builder_.set_range(range);
  InstId id = builder_.object(types_.object(names, types), names, ids);
  note_uses(id, values);
  return {id, range};
}

void BodyLowering::note_uses(InstId id, std::span<const Ref> operands) {
  uint32_t operand = body_.inst(id).operand_begin;
  for (const Ref& ref : operands) {
    if (ref.id.index < nodes_end_ && body_.range(ref.id) != ref.range)
      body_.operand_uses.push_back({operand, ref.range});
    ++operand;
  }
}

void BodyLowering::unsupported(SourceRange range, std::string what) {
  body_.unsupported.push_back(range);
  body_.unsupported_what.push_back(std::move(what));
}

}  // namespace pravo::lower
