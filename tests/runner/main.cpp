// pravo_golden FILE.test...: runs each and says what is not as expected. With PRAVOC_UPDATE=1 in the environment the
// expectations are rewritten to what was found; read the difference before committing it.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tests/runner/runner.h"

int main(int argc, char** argv) {
  const char* update_text = std::getenv("PRAVOC_UPDATE");
  bool update = update_text != nullptr && std::string_view(update_text) == "1";
  const char* source = std::getenv("PRAVO_SOURCE_DIR");
  std::string schemas = (std::filesystem::path(source == nullptr ? "." : source) / "tests/schemas").string();
  if (argc < 2) {
    fmt::print(stderr, "usage: pravo_golden FILE.test...\n");
    return 2;
  }
  int failed = 0;
  int updated = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof()) {
      fmt::print("{}: cannot be read\n", argv[i]);
      ++failed;
      continue;
    }
    pravo::testing::TestResult result = pravo::testing::run_test(text, schemas);
    if (update && result.updated != text) {
      std::ofstream out(argv[i], std::ios::binary);
      out << result.updated;
      if (!out.flush()) fmt::print("{}: cannot be written\n", argv[i]);
      fmt::print("{}: updated\n", argv[i]);
      ++updated;
      // What an update cannot mend still fails.
      result = pravo::testing::run_test(result.updated, schemas);
    }
    if (result.problems.empty()) continue;
    ++failed;
    for (const std::string& problem : result.problems)
      fmt::print("{}: {}{}", argv[i], problem, problem.ends_with('\n') ? "" : "\n");
  }
  fmt::print("{} tests, {} failed{}\n", argc - 1, failed, updated > 0 ? fmt::format(", {} updated", updated) : "");
  return failed == 0 ? 0 : 1;
}
