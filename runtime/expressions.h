// Evaluates expressions that were added to a program after its configuration (a prompt's input): with the values of
// variables, with the state for what is real, without planning or reading anything.
#pragma once

#include <memory>
#include <optional>

#include "runtime/exec/state_effects.h"
#include "runtime/interp/world_host.h"
#include "runtime/run.h"

namespace pravo::runtime {

class Expressions {
 public:
  // The program may grow while this lives. A root variable without a value is unknown.
  Expressions(const RunContext& context, provider::Registry& providers, const State& state);

  // The value of an instruction of the root's body; values of the instructions from `first` on, which are the
  // expression's own, are forgotten again. Nothing: the faults were added to `diags`.
  std::optional<Value> evaluate(InstId inst, InstId first, Diagnostics& diags);

 private:
  void report(FaultIndex fault, Diagnostics& diags);

  StateEffects effects_;
  WorldHost host_;
  Interpreter interpreter_;
};

}  // namespace pravo::runtime
