// Everything that passes find out about a program, in order: where marks can flow and what takes them wrongly, values
// that certainly cannot be computed, what is not used, and advice.
#pragma once

#include <string>

#include "ir/diagnostics.h"
#include "ir/program.h"
#include "ir/schema.h"
#include "passes/mark_propagate.h"

namespace pravo::passes {

struct CheckOptions {
  SchemaSource* schemas = nullptr;  // of providers that are not built in; null: nothing is known of them
};

struct CheckFacts {
  MarkFacts marks;
};

// Reports to `diags`. Errors that are there already mean that parts of the program are missing or wrong: marks are
// checked all the same, but what looks unused then may only have lost its users, so warnings are left out.
CheckFacts check(const Program& program, const SourceManager& sources, Diagnostics& diags,
                 const CheckOptions& options = {});

// The inferred marks of a value: "marks .a: eph", or empty when it is clean.
std::string describe_marks(const Program& program, const CheckFacts& facts, ModuleId module, InstId inst);

}  // namespace pravo::passes
