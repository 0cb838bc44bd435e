// The functions behind the names of runs that are not in runs.cpp itself.
#pragma once

#include "tests/runner/runs.h"

namespace pravo::load {
struct Configuration;
}

namespace pravo::testing {

// The program that the files of the test are lowered to, made once for all runs of the test. Its diagnostics are
// those of the run that asks first. Null when nothing can be lowered.
Program* lowered_program(RunContext& c);
// What it was lowered from; null before.
const load::Configuration* loaded_configuration(RunContext& c);

void run_lower(RunContext& c);

void run_mark_propagate(RunContext& c);
void run_mark_check(RunContext& c);
void run_unused(RunContext& c);
void run_advise(RunContext& c);
void run_check(RunContext& c);

void run_plan(RunContext& c);
void run_apply(RunContext& c);

}  // namespace pravo::testing
