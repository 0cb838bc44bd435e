#include "tests/runner/runs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ir/verify.h"
#include "tests/runner/run_functions.h"

namespace pravo::testing {

namespace {

// The program as it is read; the runner prints, parses and verifies it as every program.
void run_roundtrip(RunContext& c) { static_cast<void>(c.parsed_program()); }

// The broken invariants, as `=== expect problems`.
void run_verify(RunContext& c) {
  FileId file = c.sources.add("test.ir", c.ir_text.value_or(""));
  Program program(c.names);
  if (!parse_program(c.sources, file, program, c.diags)) return;
  std::string& out = c.outputs["problems"];
  for (const std::string& problem : verify(program)) out += problem + "\n";
}

struct Row {
  std::string_view name;
  Run run;
};
constexpr Row kRuns[] = {
    {"roundtrip", run_roundtrip},
    {"verify", run_verify},
    // frontend
    {"lower", run_lower},
    // passes
    {"mark-propagate", run_mark_propagate},
    {"mark-check", run_mark_check},
    {"unused", run_unused},
    {"advise", run_advise},
    {"check", run_check},
    // runtime
    {"plan", run_plan},
    {"apply", run_apply},
};

}  // namespace

Run find_run(std::string_view name) {
  for (const Row& row : kRuns)
    if (row.name == name) return row.run;
  return nullptr;
}

std::vector<std::string_view> run_names() {
  std::vector<std::string_view> out;
  for (const Row& row : kRuns) out.push_back(row.name);
  return out;
}

Program* RunContext::parsed_program() {
  if (!ir_parsed_) {
    ir_parsed_ = true;
    if (!ir_text) {
      problems.emplace_back("the run needs a section `=== ir`");
      return nullptr;
    }
    Program parsed(names);
    FileId file = sources.add("test.ir", *ir_text);
    if (!parse_program(sources, file, parsed, diags)) return nullptr;
    std::vector<std::string> broken = verify(parsed);
    if (!broken.empty()) {
      problems.insert(problems.end(), broken.begin(), broken.end());
      return nullptr;
    }
    program.emplace(std::move(parsed));
  }
  return program ? &*program : nullptr;
}

const std::string& RunContext::directory() {
  if (!directory_.empty()) return directory_;
  std::string pattern = (std::filesystem::temp_directory_path() / "pravo-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    problems.push_back("cannot make a directory like " + pattern);
    return directory_;
  }
  directory_ = pattern;
  for (const File& file : files) {
    std::filesystem::path path = std::filesystem::path(directory_) / file.name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    if (!out.flush()) problems.push_back("cannot write " + path.string());
  }
  return directory_;
}

RunContext::~RunContext() {
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
}

bool RunContext::option(std::string_view word) const {
  return std::find(options.begin(), options.end(), word) != options.end();
}

std::string RunContext::option_value(std::string_view name) const {
  for (const std::string& option : options)
    if (option.size() > name.size() && option[name.size()] == '=' && option.substr(0, name.size()) == name)
      return option.substr(name.size() + 1);
  return {};
}

}  // namespace pravo::testing
