// Shows the diagnostics of a compilation in the form that the user asked for.
#pragma once

#include <string>

#include "tools/pravoc/compile.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

// Writes every diagnostic to stderr, as text.
void report_text(Session& session, const Compilation& compilation);

// The document of `validate -json` for one or several compilations.
std::string report_json(const std::vector<const Compilation*>& compilations);

}  // namespace pravo::cli
