// unused: warns of variables, locals and data sources that nothing refers to. A variable that only its own validation
// looks at counts as unused; a local that may be there to make the plan fail does not. Bodies of installed modules are
// left out.
#pragma once

#include "ir/diagnostics.h"
#include "ir/program.h"

namespace pravo::passes {

void report_unused(const Program& program, Diagnostics& diags);

}  // namespace pravo::passes
