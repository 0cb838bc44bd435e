#include "runtime/plan/plan.h"

#include <algorithm>

namespace pravo::runtime {

bool Plan::applyable() const {
  if (errored) return false;
  if (mode == PlanMode::RefreshOnly) return !drift.empty();
  auto changes_something = [](const auto& change) { return change.action != Action::NoOp; };
  return std::any_of(changes.begin(), changes.end(), changes_something) ||
         std::any_of(outputs.begin(), outputs.end(), changes_something);
}

}  // namespace pravo::runtime
