// Sensitive values that a caller's arguments bring to a place in a module that shows them. In the module's body they
// are symbols; each call says what the symbols are, and hands on what it cannot say either.
#include <algorithm>

#include <fmt/format.h>

#include "passes/mark_sinks.h"

namespace pravo::passes {

InstId MarkChecker::shown_value(ModuleId module, InstId place, ShowKind kind) const {
  return body(module).operand(place, kind == ShowKind::Message ? 1 : 0);
}

void MarkChecker::shown(ModuleId module, InstId place, ShowKind kind) {
  MarkTreeId value = tree(module, shown_value(module, place, kind));
  if (facts_.trees.is_clean(value)) return;
  MarkTreeId marks = kind == ShowKind::Message ? facts_.trees.deep(value) : facts_.trees.own(value);
  if (facts_.trees.has_own(marks, MarkSet::Sensitive)) {
    report_shown(kAnyCall, module, place, kind);
    return;
  }
  if (facts_.trees[marks].symbolic) add_pending(module, {kind, module, place, marks, {}});
}

void MarkChecker::add_pending(ModuleId holder, Pending pending) {
  if (!pending_seen_.insert({holder.index, pending.module.index, pending.inst.index, pending.marks.index}).second)
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
        report_shown(context, open.module, open.inst, open.kind);
      } else {
        add_pending(module, {open.kind, open.module, open.inst, marks, std::move(chain)});
      }
    }
  }
}

void MarkChecker::report_shown(ContextId context, ModuleId module, InstId place, ShowKind kind) {
  const ModuleBody& body = this->body(module);
  Leak leak;
  leak.context = context;
  leak.module = module;
  leak.inst = shown_value(module, place, kind);
  leak.demand = shown_demand(kind);
  leak.mark = MarkSet::Sensitive;
  leak.range = body.use_range(place, kind == ShowKind::Message ? 1 : 0);
  switch (kind) {
    case ShowKind::ForEach: {
      std::string owner = expansion_owner(module, place);
      leak.arrives = fmt::format("as keys of the instances of {}", owner);
      report(std::move(leak), diag::SensitiveInForEach, owner);
      return;
    }
    case ShowKind::DynamicBlock: {
      InstId target(body.inst(place).payload);
      std::string owner = target.valid() ? node_name(program_, module, target) : "a resource";
      if (target.valid()) leak.address = owner;
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
