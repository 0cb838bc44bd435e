// Putting a module's declarations together: names that are taken twice, and override files.
#pragma once

#include "frontend/load/decode.h"

namespace pravo::load {

// Reports what is declared twice, and drops all but the first.
void drop_duplicates(Module& module, const Names& names, Diagnostics& diags);

// Applies what one override file declares to the module.
void apply_override(Module& module, Declarations& overriding, const SourceManager& sources, const Names& names,
                    Diagnostics& diags);

}  // namespace pravo::load
