// The rows of ir/diagnostics/passes.def, as emit() takes them.
#pragma once

#include "ir/diagnostics.h"

namespace pravo::diag {
#define PRAVO_DIAG PRAVO_DIAG_ROW
#include "ir/diagnostics/passes.def"
#undef PRAVO_DIAG
}  // namespace pravo::diag
