#include "passes/advise.h"

#include "passes/advise_parts.h"

namespace pravo::passes {

void advise(const Program& program, MarkFacts& facts, SchemaSource* schemas, const SourceManager& sources,
            Diagnostics& diags) {
  advise_ephemeral(program, facts, schemas, sources, diags);
  advise_data(program, facts, schemas, diags);
  advise_providers(program, facts, diags);
}

}  // namespace pravo::passes
