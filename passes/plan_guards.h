// Local values that are there to make a plan fail. Terraform computes a local value that nothing refers to, and a
// failure in it ends the plan: before there were conditions and checks this was how a configuration refused something.
#pragma once

#include "ir/program.h"

namespace pravo::passes {

// Whether the expression of a Local may be such a guard: whether it holds, outside of `can` and of those arguments of
// `try` that have another behind them,
// - a call that fails where what it looks for is absent or its text is no such value: `regex`, `index`, `one`,
//   `lookup` without a default, `tobool`, `tonumber`, `parseint`, `assume...`; or
// - a message (text with a space) as the name of a file that is read, as an index, or to be made a collection.
// What it refers to (other local values, variables, resources) is not looked into.
bool may_guard_plan(const Program& program, const ModuleBody& body, InstId local);

}  // namespace pravo::passes
