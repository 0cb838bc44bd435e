// Sensitive values that a caller's arguments bring to a place in a module that shows them. In the module's body they
// are symbols; each call says what the symbols are, and hands on what it cannot say either.
#include <algorithm>

#include <fmt/format.h>

#include "ir/diagnostics/passes.h"
#include "passes/mark_sinks.h"

namespace pravo::passes {

std::vector<InstId> MarkChecker::shown_values(ModuleId module, InstId place, ShowKind kind) const {
  const ModuleBody& body = this->body(module);
  switch (kind) {
    case ShowKind::ForEach:
      return {body.operand(place, 0)};
    case ShowKind::Message:
      return {body.operand(place, 1)};
    case ShowKind::DynamicBlock:
      break;
  }
  // A secret may decide whether there is a block, as it may decide `count` (docs/marks.md): what counts are the
  // collections behind conditions and filters.
  constexpr size_t kMaxValues = 64;
  std::vector<InstId> values;
  std::vector<InstId> stack{body.operand(place, 0)};
  for (size_t steps = 0; !stack.empty() && steps < kMaxValues; ++steps) {
    InstId id = stack.back();
    stack.pop_back();
    const Inst& inst = body.inst(id);
    if (inst.kind == OpKind::Cond) {
      for (uint32_t arm = 0; arm < 2; ++arm)
        stack.push_back(body.operand(body.region(RegionId(inst.payload + arm)).yield, 0));
    } else if (inst.kind == OpKind::Local || inst.kind == OpKind::ForList) {
      stack.push_back(body.operand(id, 0));
    } else {
      values.push_back(id);
    }
  }
  values.insert(values.end(), stack.begin(), stack.end());
  return values;
}

void MarkChecker::shown(ModuleId module, InstId place, ShowKind kind) {
  for (InstId value : shown_values(module, place, kind)) {
    MarkTreeId all = tree(module, value);
    if (facts_.trees.is_clean(all)) continue;
    MarkTreeId marks = kind == ShowKind::Message ? facts_.trees.deep(all) : facts_.trees.own(all);
    if (facts_.trees.has_own(marks, MarkSet::Sensitive))
      report_shown(kAnyCall, module, place, value, kind);
    else if (facts_.trees[marks].symbolic)
      add_pending(module, {kind, module, place, value, marks, {}});
  }
}

void MarkChecker::add_pending(ModuleId holder, Pending pending) {
  if (!pending_seen_
           .insert({holder.index, pending.module.index, pending.inst.index, pending.value.index, pending.marks.index})
           .second)
    return;
  pending_[holder.index].push_back(std::move(pending));
}

void MarkChecker::inherit(ModuleId module) {
  const std::vector<ModuleCallInfo>& calls = body(module).calls;
  for (uint32_t c = 0; c < calls.size(); ++c) {
    ModuleId target = calls[c].target;
    if (!target.valid() || pending_[target.index].empty()) continue;
    bool any_marked = std::any_of(calls[c].args.begin(), calls[c].args.end(), [&](const auto& arg) {
      const MarkNode& node = facts_.trees[tree(module, arg.second)];
      return any(node.deep & MarkSet::Sensitive) || node.symbolic;
    });
    if (!any_marked) continue;
    std::vector<uint32_t> rows;
    for (uint32_t i = 0; i < body(target).variables.size(); ++i) rows.push_back(i);
    std::vector<MarkTreeId> inputs = call_inputs(program_, facts_, module, CallId(c), rows);
    MarkTrees::Substitution at_call(facts_.trees, inputs);
    for (const Pending& open : pending_[target.index]) {
      MarkTreeId marks = at_call(open.marks);
      if (facts_.trees.is_clean(marks)) continue;
      std::vector<std::pair<ModuleId, CallId>> chain = open.chain;
      chain.emplace_back(module, CallId(c));
      if (facts_.trees.has_own(marks, MarkSet::Sensitive)) {
        ContextId context = kAnyCall;
        for (auto it = chain.rbegin(); it != chain.rend(); ++it)
          context = explainer_.context(context, it->first, it->second);
        report_shown(context, open.module, open.inst, open.value, open.kind);
      } else {
        add_pending(module, {open.kind, open.module, open.inst, open.value, marks, std::move(chain)});
      }
    }
  }
}

void MarkChecker::report_shown(ContextId context, ModuleId module, InstId place, InstId value, ShowKind kind) {
  const ModuleBody& body = this->body(module);
  Leak leak;
  leak.context = context;
  leak.module = module;
  leak.inst = value;
  leak.demand = kind == ShowKind::Message ? Demand::anywhere() : Demand::own();
  leak.mark = MarkSet::Sensitive;
  leak.range = body.use_range(place, kind == ShowKind::Message ? 1 : 0);
  switch (kind) {
    case ShowKind::ForEach: {
      std::string owner = expansion_owner(module, place);
      if (owner.empty()) return;
      leak.shown = fmt::format("an instance key of {}", owner);
      leak.arrives = fmt::format("as keys of the instances of {}", owner);
      report(std::move(leak), diag::SensitiveInForEach, owner);
      return;
    }
    case ShowKind::DynamicBlock: {
      InstId target(body.inst(place).payload);
      std::string owner = target.valid() ? node_name(program_, module, target) : "a resource";
      if (target.valid()) leak.address = owner;
      leak.shown = fmt::format("the number of blocks of `{}`", owner);
      leak.arrives = fmt::format("decides how many blocks `{}` has", owner);
      report(std::move(leak), diag::SensitiveInDynamicBlock, owner);
      return;
    }
    case ShowKind::Message:
      leak.arrives = "into the error message";
      report(std::move(leak), diag::SensitiveInMessage);
      return;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::passes
