// mark-check: reports every place that takes a value which it must not: what is stored in state or a plan takes
// nothing ephemeral, what is shown takes nothing sensitive. A leak's diagnostic has the whole way of the secret, from
// its source to the place, over module boundaries. Relies on the facts of mark-propagate; docs/marks.md lists the
// places and what each refuses.
#pragma once

#include "ir/diagnostics.h"
#include "passes/mark_propagate.h"

namespace pravo::passes {

// `schemas` may be null. Interns trees in `facts`, but changes none of its tables.
void check_marks(const Program& program, MarkFacts& facts, SchemaSource* schemas, const SourceManager& sources,
                 Diagnostics& diags);

}  // namespace pravo::passes
