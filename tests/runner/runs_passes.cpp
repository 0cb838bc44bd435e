// Passes alone and together, on the program of `=== ir` or on what the files lower to.
#include "passes/advise.h"
#include "passes/check.h"
#include "passes/mark_check.h"
#include "passes/mark_propagate.h"
#include "passes/unused.h"
#include "tests/runner/run_functions.h"

namespace pravo::testing {

namespace {

Program* input_program(RunContext& c) { return c.ir_text ? c.parsed_program() : lowered_program(c); }

// The facts of a run whose comments `=== expect ir` prints.
std::shared_ptr<passes::MarkFacts> propagate(RunContext& c, const Program& program) {
  auto facts = std::make_shared<passes::MarkFacts>(passes::propagate_marks(program, c.schemas));
  c.comment = [&program, facts](ModuleId module, InstId inst) {
    return passes::describe_marks(program, *facts, module, inst);
  };
  return facts;
}

}  // namespace

void run_mark_propagate(RunContext& c) {
  if (const Program* program = input_program(c)) propagate(c, *program);
}

void run_mark_check(RunContext& c) {
  const Program* program = input_program(c);
  if (program == nullptr) return;
  auto facts = propagate(c, *program);
  passes::check_marks(*program, *facts, c.schemas, c.sources, c.diags);
}

void run_unused(RunContext& c) {
  if (const Program* program = input_program(c)) passes::report_unused(*program, c.diags);
}

void run_advise(RunContext& c) {
  const Program* program = input_program(c);
  if (program == nullptr) return;
  auto facts = propagate(c, *program);
  passes::advise(*program, *facts, c.schemas, c.sources, c.diags);
}

void run_check(RunContext& c) {
  const Program* program = input_program(c);
  if (program == nullptr) return;
  auto facts = std::make_shared<passes::CheckFacts>(passes::check(*program, c.sources, c.diags, {c.schemas}));
  c.comment = [program, facts](ModuleId module, InstId inst) {
    return passes::describe_marks(*program, *facts, module, inst);
  };
}

}  // namespace pravo::testing
