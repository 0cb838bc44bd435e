// The constants of one instance of a module: what its values are as far as the configuration alone says, with the
// evaluators of the runtime. Variables of the root, resources, data, files and clocks are unknown values, so a result
// that is known is the same in every run. Loops and conditionals are evaluated as the interpreter does it.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/functions.h"
#include "ir/operators.h"
#include "ir/program.h"

namespace pravo::passes {

// How many instructions may still be evaluated, over all instances: beyond, everything is unknown.
struct ConstantBudget {
  uint64_t steps = 4'000'000;
};

class ModuleConstants {
 public:
  // An instruction's value, unknown where it is not constant, or why computing it fails.
  struct Outcome {
    Value value = Value::unknown();
    std::shared_ptr<const EvalError> error;  // null: `value` holds
    InstId at;                               // where the error came up

    bool failed() const { return error != nullptr; }
  };

  // The root module.
  ModuleConstants(const Program& program, ModuleId module, ConstantBudget& budget)
      : program_(program), body_(program.body(module)), budget_(budget) {}
  // The module that a call of `parent`, which is not expanded, makes an instance of.
  ModuleConstants(std::shared_ptr<ModuleConstants> parent, const ModuleCallInfo& call)
      : program_(parent->program_),
        body_(parent->program_.body(call.target)),
        budget_(parent->budget_),
        parent_(std::move(parent)),
        call_(&call) {}

  const ModuleBody& body() const { return body_; }
  const ModuleConstants* parent() const { return parent_.get(); }
  const ModuleCallInfo* call() const { return call_; }

  // Of an instruction that is in no region.
  const Outcome& evaluate(InstId id);

 private:
  struct Loop {
    InstId owner;
    const Iteration* over;
    size_t index;
  };

  const Outcome& evaluate_again(InstId id);
  Outcome compute(InstId id);
  Outcome binary_of(InstId id);
  Outcome compute_operands(InstId id);
  Result<Value> apply(InstId id, std::vector<Value> operands);
  Result<Value> call_with(const Inst& inst, std::vector<Value> operands);
  Value variable(InstId id);
  Outcome lazy(InstId id);
  Outcome element(InstId id);
  Outcome cond(InstId id);
  Outcome loop(InstId id);
  Outcome splat(InstId id);
  void run_region(RegionId region);
  Outcome settle(InstId id, Result<Value> result) const;

  const Program& program_;
  const ModuleBody& body_;
  ConstantBudget& budget_;
  std::shared_ptr<ModuleConstants> parent_;  // null: the root
  const ModuleCallInfo* call_ = nullptr;
  std::unordered_map<InstId, Outcome> outcomes_;  // those of a region are of its last round
  std::vector<Loop> loops_;
  RefusingHost host_;
  uint32_t depth_ = 0;
};

// Whether a value is small enough to compute with: a configuration may double a value a hundred times.
bool is_small(const Value& value);
// Whether a call may have a result that is much larger than its arguments.
bool may_amplify(std::string_view function, std::span<const Value> arguments);

}  // namespace pravo::passes
