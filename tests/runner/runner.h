// Runs one `.test` file: each `=== run`, then what the sections behind it expect. Every program that a run leaves is
// verified, printed, parsed and printed again.
#pragma once

#include <string>
#include <vector>

namespace pravo::testing {

struct TestResult {
  std::vector<std::string> problems;  // why the test fails; empty: it passes
  std::string updated;                // the test file with its expectations rewritten to what was found
};

// `directory` is where relative names of schemas are looked up.
TestResult run_test(const std::string& text, const std::string& schema_directory);

}  // namespace pravo::testing
