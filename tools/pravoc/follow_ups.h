// What is said of a line only because its syntax is wrong.
#pragma once

#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::cli {

// Drops what later layers report on the lines where a syntax error starts: the tree stands there for a guess at what
// was meant, and what is wrong with a guess helps nobody. Takes time for the diagnostics, and nothing without a syntax
// error.
void drop_follow_ups(Diagnostics& diags, const SourceManager& sources);

}  // namespace pravo::cli
