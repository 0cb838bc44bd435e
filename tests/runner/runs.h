// What a `=== run NAME` does. To add one: a function, declared in run_functions.h, and its
// row in kRuns (runs.cpp).
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostics.h"
#include "ir/program.h"
#include "ir/schema.h"
#include "ir/source.h"
#include "ir/text.h"

namespace pravo::testing {

// What a run works on, and where it leaves what it found. One for all runs of a test file: sources, the directory
// and `state` stay, diagnostics and results are those of the last run.
class RunContext {
 public:
  struct File {
    std::string name;
    std::string text;
  };

  std::vector<File> files;             // the `=== file` sections
  std::optional<std::string> ir_text;  // the `=== ir` section
  std::vector<std::string> options;    // words behind the run's name
  SchemaSource* schemas = nullptr;     // of the `=== schemas` section, or null

  // --- made by what asks for it first
  SourceManager sources;
  Names names;
  // The program of the `=== ir` section, parsed and verified. Null, with diagnostics or problems, if it is not sound.
  Program* parsed_program();
  // A directory that holds the files, for what reads from disk; removed with the context.
  const std::string& directory();

  // --- results of a run
  Diagnostics diags;
  std::optional<Program> program;                        // what `=== expect ir` prints
  std::function<std::string(ModuleId, InstId)> comment;  // behind an instruction there
  std::map<std::string, std::string> outputs;            // what `=== expect NAME` compares, by name
  std::vector<std::string> problems;                     // faults of ours: the test fails

  // --- for runs that build on each other
  std::any state;
  std::shared_ptr<void> keep_alive;  // what `program` refers to

  bool option(std::string_view word) const;
  // What follows `NAME=` among the options, or empty.
  std::string option_value(std::string_view name) const;

  RunContext() = default;
  RunContext(const RunContext&) = delete;
  RunContext& operator=(const RunContext&) = delete;
  ~RunContext();

 private:
  std::string directory_;
  bool ir_parsed_ = false;
};

using Run = void (*)(RunContext&);
// Null when there is no run of this name.
Run find_run(std::string_view name);
std::vector<std::string_view> run_names();

}  // namespace pravo::testing
