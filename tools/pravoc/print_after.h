// What each phase of the compiler has made, as text: `pravoc ir -print-after=PASS` (docs/architecture.md names them).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/pravoc/compile.h"
#include "tools/pravoc/terminal.h"

namespace pravo::cli {

// The names that print_after() takes, in the order in which the phases run.
const std::vector<std::string>& printable_passes();

// The output of a phase: syntax trees of `parse`, the program of `lower`, the program with its marks of
// `mark-propagate`, and the diagnostics, one a line, of a pass that only looks for faults. Runs what the phase needs
// of `compilation`, which was compiled without passes. `only` chooses values of the program by their printed name.
std::string print_after(std::string_view pass, Compilation& compilation, const std::vector<std::string>& only,
                        const Terminal& terminal);

}  // namespace pravo::cli
