// Edits that certainly repair a fault.
#pragma once

#include <optional>
#include <string_view>

#include "ir/diagnostics.h"

namespace pravo::passes {

// Adds `argument = true` to the block with this header. Nothing where the text leaves doubt: the argument is there
// already, the file is not in the native syntax, or the block is not laid out as people lay it out.
std::optional<FixEdit> declare(const SourceManager& sources, SourceRange header, std::string_view argument,
                               std::string description);

}  // namespace pravo::passes
