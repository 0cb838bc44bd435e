// Values that need themselves.
#pragma once

#include "frontend/lower/shared.h"

namespace pravo::lower {

// Reports each loop among the nodes of a module once, as the whole loop in order. The modules that it calls were
// looked at before.
void report_cycles(Shared& shared, uint32_t module);

}  // namespace pravo::lower
