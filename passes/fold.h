// fold: evaluates what is constant, with the evaluators of the runtime, and reports where that certainly fails: an
// index out of range of a literal, a missing key, text that is no number. Only where evaluation is certain: not in an
// arm, a `for`, try or can, not in an expansion or in a module that may have no instance, nor below a default of a
// variable. Nothing here reads a file or a clock.
#pragma once

#include "ir/diagnostics.h"
#include "ir/program.h"
#include "passes/module_index.h"

namespace pravo::passes {

// Faults at places where `diags` holds an error already are not repeated.
void report_certain_failures(const Program& program, const ModuleIndex& modules, Diagnostics& diags);

}  // namespace pravo::passes
