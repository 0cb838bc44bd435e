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

}  // namespace pravo::runtime
