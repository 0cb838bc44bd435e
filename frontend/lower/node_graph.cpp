#include "frontend/lower/node_graph.h"

#include <algorithm>

#include "frontend/lower/scope.h"

namespace pravo::lower {

NodeGraph::NodeGraph(Shared& shared, uint32_t module, Modules modules)
    : body_(shared.program.body(ModuleId(module))), nodes_end_(shared.bodies[module].nodes_end) {
  auto add_extra = [&](InstId inst) {
    if (!inst.valid() || inst.index < nodes_end_) return;
    if (extra_ids_.try_emplace(inst.index, nodes_end_ + static_cast<uint32_t>(extra_.size())).second)
      extra_.push_back(inst);
  };
  for (const ProviderInfo& provider : body_.providers) add_extra(provider.inst);
  for (const ModuleCallInfo& call : body_.calls)
    for (const auto& [name, arg] : call.args) add_extra(arg);

  const uint32_t count = nodes_end_ + static_cast<uint32_t>(extra_.size());
  for (uint32_t node = 0; node < count; ++node) add_operands(node);
  const BodyFacts& facts = shared.bodies[module];
  add_tables(facts);
  add_calls(shared, facts, modules);
  graph_ = Graph(count, edges_);
  edges_ = {};
}

uint32_t NodeGraph::node(InstId inst) const {
  if (!inst.valid()) return kNone;
  if (inst.index < nodes_end_) return inst.index;
  OpKind kind = body_.inst(inst).kind;
  if (kind != OpKind::Provider && kind != OpKind::ModuleArg) return kNone;
  auto it = extra_ids_.find(inst.index);
  return it == extra_ids_.end() ? kNone : it->second;
}

// Every node that `value` is made from, or `value` itself where it is one.
void NodeGraph::add_edges(uint32_t from, InstId value) {
  if (!value.valid()) return;
  todo_.push_back(value);
  while (!todo_.empty()) {
    InstId id = todo_.back();
    todo_.pop_back();
    if (uint32_t to = node(id); to != kNone) {
      edges_.emplace_back(from, to);
      continue;
    }
    const Inst& inst = body_.inst(id);
    if (inst.kind == OpKind::Const) continue;
    // Elements of a `for` around it: the `for` was seen on the way here.
    if ((inst.kind == OpKind::Key || inst.kind == OpKind::Each) && node(body_.operand(id, 0)) == kNone) continue;
    for (uint32_t operand : body_.operand_indexes(id)) todo_.push_back(InstId(operand));
    for (int i = 0; i < op_info(inst.kind).regions; ++i)
      todo_.push_back(body_.region(RegionId(inst.payload + static_cast<uint32_t>(i))).yield);
  }
}

void NodeGraph::add_edges_to_others(uint32_t from, InstId value, InstId collect) {
  size_t before = edges_.size();
  add_edges(from, value);
  size_t kept = before;
  for (size_t i = before; i < edges_.size(); ++i)
    if (edges_[i].second != from && (!collect.valid() || edges_[i].second != collect.index)) edges_[kept++] = edges_[i];
  edges_.resize(kept);
}

// `depends_on`: of a module, everything in it, hence everything that it is given.
void NodeGraph::add_after(uint32_t from, const std::vector<InstId>& after, const BodyFacts& facts) {
  for (InstId target : after) {
    // A resource never waits for itself. A module would, for all that is in it.
    if (target.index != from || body_.inst(target).kind == OpKind::ModuleInstance) add_edges(from, target);
    if (body_.inst(target).kind != OpKind::ModuleInstance) continue;
    uint32_t call = body_.inst(target).payload;
    for (const auto& [name, arg] : body_.calls[call].args) edges_.emplace_back(from, node(arg));
    for (const PassedProvider& provider : facts.passed[call])
      if (provider.config.valid()) edges_.emplace_back(from, node(provider.config));
  }
}

void NodeGraph::add_operands(uint32_t from) {
  InstId id = inst(from);
  // A check is a sink: nothing needs it, and it may look at everything.
  if (body_.inst(id).kind == OpKind::Check) return;
  // An argument is there before the instance that it is given to.
  uint32_t count = body_.inst(id).kind == OpKind::ModuleArg ? 1 : body_.inst(id).operand_count;
  for (uint32_t i = 0; i < count; ++i) add_edges(from, body_.operand(id, i));
}

// What depends on a value waits for its conditions, too; `self` in them is no need.
void NodeGraph::add_tables(const BodyFacts& facts) {
  for (const VariableInfo& variable : body_.variables)
    for (InstId validation : variable.validations)
      for (uint32_t operand : body_.operand_indexes(validation))
        add_edges_to_others(variable.inst.index, InstId(operand), InstId());
  for (const OutputInfo& output : body_.outputs) {
    for (InstId condition : output.preconditions)
      for (uint32_t operand : body_.operand_indexes(condition)) add_edges(output.inst.index, InstId(operand));
    add_after(output.inst.index, output.after, facts);
  }
  for (const ResourceInfo& resource : body_.resources) {
    uint32_t from = resource.inst.index;
    if (resource.expand.valid()) edges_.emplace_back(from, resource.expand.index);
    add_after(from, resource.after, facts);
    for (InstId condition : resource.conditions)
      for (uint32_t operand : body_.operand_indexes(condition))
        add_edges_to_others(from, InstId(operand), resource.collect);
    for (InstId use : resource.replace_triggered_by) add_edges_to_others(from, body_.operand(use, 0), resource.collect);
    for (const ProvisionerInfo& provisioner : resource.provisioners) {
      add_edges_to_others(from, provisioner.config, resource.collect);
      add_edges_to_others(from, provisioner.connection, resource.collect);
    }
    if ((body_.inst(resource.inst).flags & kHasProvider) == 0)
      inherited_.emplace_back(from, ProviderName{resource.provider_local_name, resource.provider_alias});
  }
}

void NodeGraph::add_calls(Shared& shared, const BodyFacts& facts, Modules modules) {
  for (size_t i = 0; i < body_.calls.size(); ++i) {
    const ModuleCallInfo& call = body_.calls[i];
    auto add_order = [&](uint32_t from) {
      if (call.expand.valid()) edges_.emplace_back(from, call.expand.index);
      add_after(from, call.after, facts);
    };
    add_order(call.inst.index);
    for (const auto& [name, arg] : call.args) add_order(node(arg));
    const std::vector<PassedProvider>& passed = facts.passed[i];
    if (modules == Modules::Coarse) {
      for (const auto& [name, arg] : call.args) edges_.emplace_back(call.inst.index, node(arg));
      for (const PassedProvider& provider : passed)
        if (provider.config.valid()) edges_.emplace_back(call.inst.index, node(provider.config));
      continue;
    }
    for (const auto& [name, out] : call.outs) {
      const Needs& needs = output_needs(shared, call.target.index, name);
      for (NameId variable : needs.variables) {
        auto arg = std::lower_bound(call.args.begin(), call.args.end(), variable,
                                    [](const auto& entry, NameId wanted) { return entry.first < wanted; });
        if (arg != call.args.end() && arg->first == variable) edges_.emplace_back(out.index, node(arg->second));
      }
      for (const PassedProvider& provider : passed) {
        if (std::find(needs.providers.begin(), needs.providers.end(), provider.inner) == needs.providers.end())
          continue;
        if (provider.config.valid())
          edges_.emplace_back(out.index, node(provider.config));
        else
          inherited_.emplace_back(out.index, provider.outer);
      }
    }
  }
}

const Needs& output_needs(Shared& shared, uint32_t module, NameId output) {
  auto& known = shared.bodies[module].needs[output.index];
  if (known) return *known;
  auto needs = std::make_shared<Needs>();
  if (!shared.bodies[module].graph)
    shared.bodies[module].graph = std::make_shared<NodeGraph>(shared, module, NodeGraph::Modules::Precise);
  std::shared_ptr<const NodeGraph> graph = shared.bodies[module].graph;
  const ModuleBody& body = shared.program.body(ModuleId(module));
  std::vector<bool> seen(graph->graph().size());
  std::vector<uint32_t> todo;
  for (const OutputInfo& info : body.outputs)
    if (info.name == output) todo.push_back(info.inst.index);
  while (!todo.empty()) {
    uint32_t node = todo.back();
    todo.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    const Inst& inst = body.inst(graph->inst(node));
    if (inst.kind == OpKind::Variable) needs->variables.push_back(NameId(inst.payload));
    for (uint32_t next : graph->graph().edges(node)) todo.push_back(next);
  }
  for (const auto& [node, provider] : graph->inherited())
    if (seen[node] && std::find(needs->providers.begin(), needs->providers.end(), provider) == needs->providers.end())
      needs->providers.push_back(provider);
  // The table may have grown meanwhile.
  return *(shared.bodies[module].needs[output.index] = std::move(needs));
}

}  // namespace pravo::lower
