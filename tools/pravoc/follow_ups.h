// What is said only because a file or a line of one could not be understood.
#pragma once

#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::cli {

// Drops what later layers report on the lines where a syntax error starts: the tree stands there for a guess at what
// was meant, and what is wrong with a guess helps nobody. Drops also what is said to be declared nowhere and may be
// declared in a file that could not be read. Takes time for the diagnostics, and nothing without such errors.
void drop_follow_ups(Diagnostics& diags, const SourceManager& sources);

}  // namespace pravo::cli
