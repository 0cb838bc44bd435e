// unused: warns of variables, locals and data sources that nothing refers to. What is there to refuse something is none
// of them: a variable that its own validation looks at, a local that may be there to make the plan fail. Bodies of
// installed modules are left out.
#pragma once

#include "ir/diagnostics.h"
#include "ir/program.h"

namespace pravo::passes {

void report_unused(const Program& program, Diagnostics& diags);

}  // namespace pravo::passes
