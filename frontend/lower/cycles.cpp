#include "frontend/lower/cycles.h"

#include <algorithm>

#include "frontend/lower/node_graph.h"
#include "frontend/lower/scope.h"
#include "ir/diagnostics/lower.h"

namespace pravo::lower {

namespace {

class LoopReporter {
 public:
  LoopReporter(Shared& shared, uint32_t module, const NodeGraph& graph)
      : shared_(shared), body_(shared.program.body(ModuleId(module))), graph_(graph) {
    for (const ResourceInfo& resource : body_.resources)
      if (resource.expand.valid()) owners_[resource.expand.index] = resource.inst;
    for (const ModuleCallInfo& call : body_.calls) {
      if (call.expand.valid()) owners_[call.expand.index] = call.inst;
      owners_[call.object.index] = call.inst;
      if (body_.inst(call.object).kind == OpKind::Collect) owners_[body_.operand(call.object, 0).index] = call.inst;
    }
  }

  // `loop` is in the order of the needs, its start not repeated.
  void report(const std::vector<uint32_t>& loop) {
    // Parts of one resource or module call (its count, its collection) show as one.
    std::vector<std::pair<std::string, uint32_t>> steps;
    for (uint32_t node : loop) {
      std::string name = this->name(graph_.inst(node));
      if (steps.empty() || steps.back().first != name) steps.emplace_back(std::move(name), node);
    }
    while (steps.size() > 1 && steps.front().first == steps.back().first) steps.pop_back();

    SourceRange range = body_.range(graph_.inst(steps.front().second));
    if (steps.size() == 1) {
      SourceRange use = use_in_loop(loop, 0);
      shared_.diags.emit(use.valid() ? use : range, diag::SelfReference, steps.front().first)
          .address(steps.front().first);
      return;
    }
    std::string text;
    for (const auto& [name, node] : steps) text += fmt::format("`{}` -> ", name);
    text += fmt::format("`{}`", steps.front().first);
    auto builder = shared_.diags.emit(range, diag::ReferenceCycle, text);
    for (size_t i = 0; i < steps.size(); ++i) {
      auto at = static_cast<size_t>(std::find(loop.begin(), loop.end(), steps[i].second) - loop.begin());
      const std::string& next = steps[(i + 1) % steps.size()].first;
      SourceRange use = use_in_loop(loop, at);
      builder.note(use.valid() ? use : body_.range(graph_.inst(steps[i].second)),
                   fmt::format("`{}` needs `{}`", steps[i].first, next));
    }
  }

 private:
  // Where loop[at] names loop[at + 1], or a later part of the same loop that stands for it.
  SourceRange use_in_loop(const std::vector<uint32_t>& loop, size_t at) const {
    for (size_t i = at; i < loop.size(); ++i) {
      InstId from = graph_.inst(loop[i]);
      InstId to = graph_.inst(loop[(i + 1) % loop.size()]);
      SourceRange use = find_use(from, to);
      if (use.valid()) return use;
    }
    return {};
  }

  SourceRange find_use(InstId from, InstId to) const {
    std::vector<InstId> todo;
    todo.push_back(from);
    if (const VariableInfo* variable = variable_of(body_, from))
      todo.insert(todo.end(), variable->validations.begin(), variable->validations.end());
    if (const OutputInfo* output = output_of(body_, from))
      todo.insert(todo.end(), output->preconditions.begin(), output->preconditions.end());
    if (op_info(body_.inst(from).kind).payload == PayloadKind::Resource) {
      const ResourceInfo& resource = body_.resources[body_.inst(from).payload];
      todo.insert(todo.end(), resource.conditions.begin(), resource.conditions.end());
      todo.insert(todo.end(), resource.replace_triggered_by.begin(), resource.replace_triggered_by.end());
      for (const ProvisionerInfo& provisioner : resource.provisioners) {
        if (provisioner.config.valid()) todo.push_back(provisioner.config);
        if (provisioner.connection.valid()) todo.push_back(provisioner.connection);
      }
    }
    while (!todo.empty()) {
      InstId id = todo.back();
      todo.pop_back();
      const Inst& inst = body_.inst(id);
      if ((inst.kind == OpKind::Key || inst.kind == OpKind::Each) && graph_.node(body_.operand(id, 0)) == kNone)
        continue;
      for (uint32_t i = 0; i < inst.operand_count; ++i) {
        InstId operand = body_.operand(id, i);
        if (operand == to && body_.use_range(id, i) != body_.range(to)) return body_.use_range(id, i);
        if (graph_.node(operand) == kNone) todo.push_back(operand);
      }
      for (int i = 0; i < op_info(inst.kind).regions; ++i)
        todo.push_back(body_.region(RegionId(inst.payload + static_cast<uint32_t>(i))).yield);
    }
    return {};
  }

  std::string name(InstId id) const {
    if (auto owner = owners_.find(id.index); owner != owners_.end()) id = owner->second;
    const Inst& inst = body_.inst(id);
    auto text = [&](NameId n) { return shared_.names.text(n); };
    auto call = [&](InstId instance) { return text(body_.calls[body_.inst(instance).payload].name); };
    if (inst.kind == OpKind::Variable) return fmt::format("var.{}", text(NameId(inst.payload)));
    if (inst.kind == OpKind::Local) return fmt::format("local.{}", text(NameId(inst.payload)));
    if (inst.kind == OpKind::Output) return fmt::format("output.{}", text(NameId(inst.payload)));
    if (inst.kind == OpKind::Provider) return fmt::format("provider.{}", text(NameId(inst.payload)));
    if (inst.kind == OpKind::Collect) return name(body_.operand(id, 0));
    if (inst.kind == OpKind::ModuleInstance) return fmt::format("module.{}", call(id));
    if (inst.kind == OpKind::ModuleOut)
      return fmt::format("module.{}.output.{}", call(body_.operand(id, 0)), text(NameId(inst.payload)));
    if (inst.kind == OpKind::ModuleArg)
      return fmt::format("module.{}.var.{}", call(body_.operand(id, 1)), text(NameId(inst.payload)));
    PRAVOC_CHECK(op_info(inst.kind).payload == PayloadKind::Resource);
    const ResourceInfo& resource = body_.resources[inst.payload];
    std::string prefix;
    if (resource.mode != ResourceMode::Managed) prefix = fmt::format("{}.", resource_mode_text(resource.mode));
    return fmt::format("{}{}.{}", prefix, text(resource.type), text(resource.name));
  }

  Shared& shared_;
  const ModuleBody& body_;
  const NodeGraph& graph_;
  llvm::DenseMap<uint32_t, InstId> owners_;  // of expands and collections
};

}  // namespace

void report_cycles(Shared& shared, uint32_t module) {
  auto loops = [](const Graph& graph, const Components& components) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < components.size(); ++i)
      if (is_cycle(graph, components, i)) found.push_back(i);
    return found;
  };
  {
    NodeGraph coarse(shared, module, NodeGraph::Modules::Coarse);
    if (loops(coarse.graph(), Components(coarse.graph())).empty()) return;
  }
  NodeGraph precise(shared, module, NodeGraph::Modules::Precise);
  Components components(precise.graph());
  LoopReporter reporter(shared, module, precise);
  for (uint32_t loop : loops(precise.graph(), components))
    reporter.report(shortest_cycle(precise.graph(), components, loop));
}

}  // namespace pravo::lower
