// The test files of a root module.
#pragma once

#include <string>

#include "frontend/load/config.h"

namespace pravo::load {

// Reads the test files of the directory `path` and of its test directory into `configuration.tests`, and the files of
// mock data that they name.
void read_tests(const std::string& path, const LoadOptions& options, Configuration& configuration,
                SourceManager& sources, Names& names, Diagnostics& diags);

}  // namespace pravo::load
