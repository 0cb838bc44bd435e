#include "passes/mark_explain.h"

#include <tuple>

#include <fmt/format.h>

#include "passes/mark_walk.h"

namespace pravo::passes {

namespace {

// For all explanations of a program: a program with thousands of leaks along chains of thousands of values would else
// take the product of the two.
constexpr size_t kMaxSteps = 2'000'000;

}  // namespace

Explainer::Explainer(const Program& program, MarkFacts& facts, SchemaSource* schemas)
    : program_(program), facts_(facts), schemas_(schemas), contexts_(1), steps_left_(kMaxSteps) {}

ContextId Explainer::context(ContextId parent, ModuleId caller, CallId call) {
  auto [it, fresh] = context_ids_.try_emplace({parent.index, caller.index, call.index},
                                              ContextId(static_cast<uint32_t>(contexts_.size())));
  if (fresh) contexts_.push_back({parent, caller, call, {}, {}});
  return it->second;
}

std::string Explainer::address_prefix(ContextId context, ModuleId module) const {
  std::string prefix;
  while (!program_.body(module).root) {
    ModuleId caller;
    CallId call;
    if (context != kAnyCall) {
      const Context& entry = contexts_[context.index];
      std::tie(context, caller, call) = std::tuple(entry.parent, entry.caller, entry.call);
    } else {
      const auto& callers = facts_.modules[module].callers;
      if (callers.empty()) break;
      std::tie(caller, call) = callers.front();
    }
    prefix = fmt::format("module.{}.{}", program_.text(program_.body(caller).calls[call.index].name), prefix);
    module = caller;
  }
  return prefix;
}

std::vector<MarkTreeId>& Explainer::inputs_of(ContextId context) {
  Context& entry = contexts_[context.index];
  if (!entry.inputs.empty()) return entry.inputs;
  std::vector<uint32_t> rows;
  ModuleId target = program_.body(entry.caller).calls[entry.call.index].target;
  for (uint32_t i = 0; i < program_.body(target).variables.size(); ++i) rows.push_back(i);
  std::vector<MarkTreeId> inputs = call_inputs(program_, facts_, entry.caller, entry.call, rows);
  ContextId parent = entry.parent;
  for (MarkTreeId& input : inputs) input = concrete(parent, input);
  return contexts_[context.index].inputs = std::move(inputs);
}

MarkTreeId Explainer::concrete(ContextId context, MarkTreeId tree) {
  if (!context.valid() || context == kAnyCall || !facts_.trees[tree].symbolic) return tree;
  Context& entry = contexts_[context.index];
  if (auto it = entry.known.find(tree.index); it != entry.known.end()) return it->second;
  std::vector<MarkTreeId>& inputs = inputs_of(context);
  MarkTreeId result = MarkTrees::Substitution(facts_.trees, inputs)(tree);
  contexts_[context.index].known.emplace(tree.index, result);
  return result;
}

std::vector<SecretSource> Explainer::sources(ContextId context, ModuleId module, InstId inst, const Demand& demand,
                                             MarkSet mark, size_t limit) {
  return MarkWalk(*this, mark).run(context, module, inst, demand, limit);
}

std::string node_name(const Program& program, ModuleId module, InstId id) {
  const ModuleBody& body = program.body(module);
  const Inst& inst = body.inst(id);
  switch (inst.kind) {
    case OpKind::Variable:
      return fmt::format("var.{}", program.text(NameId(inst.payload)));
    case OpKind::Local:
      return fmt::format("local.{}", program.text(NameId(inst.payload)));
    case OpKind::Meta:
      return std::string(program.text(NameId(inst.payload)));
    case OpKind::Env:
      return fmt::format("env.{}", program.text(NameId(inst.payload)));
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
      return resource_address(program, body.resources[inst.payload]);
    case OpKind::Collect:
      return node_name(program, module, body.operand(id, 0));
    case OpKind::ModuleOut: {
      const ModuleCallInfo& call = body.calls[body.inst(body.operand(id, 0)).payload];
      return fmt::format("module.{}.{}", program.text(call.name), program.text(NameId(inst.payload)));
    }
    case OpKind::Const:
    case OpKind::Unknown:
    case OpKind::Call:
    case OpKind::Binary:
    case OpKind::Unary:
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::Index:
    case OpKind::Attr:
    case OpKind::Splat:
    case OpKind::Convert:
    case OpKind::Object:
    case OpKind::ObjectKeyed:
    case OpKind::Tuple:
    case OpKind::Blocks:
    case OpKind::Cond:
    case OpKind::ForList:
    case OpKind::ForObject:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::Key:
    case OpKind::Each:
    case OpKind::At:
    case OpKind::ModuleInstance:
    case OpKind::ModuleArg:
    case OpKind::Provider:
    case OpKind::ProviderCall:
    case OpKind::Output:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
    case OpKind::MarkAdd:
    case OpKind::MarkRemove:
      return {};
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::passes
