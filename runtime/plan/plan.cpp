#include "runtime/plan/plan.h"

#include <algorithm>

namespace pravo::runtime {

bool Plan::applyable() const {
  if (errored) return false;
  auto changes_something = [](const auto& change) { return change.action != Action::NoOp; };
  if (mode == PlanMode::RefreshOnly)
    return !drift.empty() || std::any_of(outputs.begin(), outputs.end(), changes_something);
  return std::any_of(changes.begin(), changes.end(), changes_something) ||
         std::any_of(outputs.begin(), outputs.end(), changes_something);
}

PlanCounts count_changes(const Plan& plan) {
  PlanCounts counts;
  for (const InstanceChange& change : plan.changes) {
    switch (change.action) {
      case Action::Create:
        ++counts.add;
        break;
      case Action::Update:
        ++counts.change;
        break;
      case Action::Delete:
        ++counts.destroy;
        break;
      case Action::DeleteThenCreate:
      case Action::CreateThenDelete:
        ++counts.add;
        ++counts.destroy;
        break;
      case Action::NoOp:
      case Action::Read:
      case Action::Forget:
        break;
    }
  }
  return counts;
}

}  // namespace pravo::runtime
