// conditions: what a module refuses of the constants that it is given. Validations of variables, and preconditions of
// outputs, are evaluated for each instance of a module that certainly is there, as far as the constants of the
// configuration decide them; one that is certainly false is an error, at the argument or at the condition. So is an
// argument whose value, not yet its type, does not fit the variable.
//
// Conditions of resources and assertions are not judged here: Terraform, too, leaves those to plan.
#pragma once

#include "ir/diagnostics.h"
#include "ir/program.h"
#include "passes/module_index.h"

namespace pravo::passes {

// Faults at places where `diags` holds an error already are not repeated.
void report_failed_conditions(const Program& program, const ModuleIndex& modules, Diagnostics& diags);

}  // namespace pravo::passes
