// The pieces of advise().
#pragma once

#include "passes/advise.h"

namespace pravo::passes {

void advise_ephemeral(const Program& program, const MarkFacts& facts, SchemaSource* schemas,
                      const SourceManager& sources, Diagnostics& diags);
void advise_data(const Program& program, MarkFacts& facts, SchemaSource* schemas, Diagnostics& diags);
void advise_providers(const Program& program, const MarkFacts& facts, Diagnostics& diags);

}  // namespace pravo::passes
