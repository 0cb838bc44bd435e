// advise: warnings about what is allowed and will disappoint. A sensitive variable that could be ephemeral; a data
// source that reads through a provider whose configuration may differ at apply; a provider that is configured from
// what does not exist before apply. Relies on the facts of mark-propagate.
#pragma once

#include "ir/diagnostics.h"
#include "passes/mark_propagate.h"

namespace pravo::passes {

void advise(const Program& program, MarkFacts& facts, SchemaSource* schemas, const SourceManager& sources,
            Diagnostics& diags);

}  // namespace pravo::passes
