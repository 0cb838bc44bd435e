// Which warnings are about the text of a configuration alone.
#pragma once

#include "ir/diagnostics.h"

namespace pravo {

// Whether a diagnostic says how the configuration could be written better, while everything that runs does the same
// with it either way. `check` and `validate` show these; what plans and applies does not repeat them each time
// (docs/diagnostics.md lists them).
bool is_lint(DiagnosticKind kind);

}  // namespace pravo
