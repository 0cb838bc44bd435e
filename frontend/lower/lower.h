// Lowering: a decoded configuration becomes the IR. Names are resolved here, and here alone: past lowering a
// reference is an operand. What is certain without values is reported: names that mean nothing, references where
// the language forbids them, cycles, arguments that a known schema does not have, types that cannot fit.
#pragma once

#include "frontend/load/config.h"
#include "ir/diagnostics.h"
#include "ir/program.h"
#include "ir/schema.h"

namespace pravo::lower {

struct LowerOptions {
  SchemaSource* schemas = nullptr;  // of providers that are not built in; null: nothing is known of them
};

// One ModuleBody per load::Module, under the same index; resources, calls, variables, outputs and checks of a body
// have the indexes of their load:: counterparts, too. A reference that means nothing becomes an `unknown` of the
// dynamic type, so that one fault is reported once.
Program lower(const load::Configuration& configuration, const SourceManager& sources, Names& names, Diagnostics& diags,
              const LowerOptions& options);

}  // namespace pravo::lower
