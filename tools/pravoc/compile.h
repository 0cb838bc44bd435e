// The front half of every command: files -> syntax -> configuration -> IR -> facts. Commands differ in what
// they do with the result, and all report the same diagnostics.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/load/config.h"
#include "frontend/load/variables.h"
#include "ir/diagnostics.h"
#include "ir/program.h"
#include "passes/check.h"

namespace pravo::cli {

struct CompileOptions {
  std::string directory = ".";
  unsigned threads = 0;                      // 0: as many as the machine has
  std::vector<load::VarArgument> variables;  // -var and -var-file, in order
  load::VariableAsker ask;                   // for what has no value, once nothing else is wrong; may be empty
  bool read_variables = true;                // check and report the values of root variables
  bool run_lowering = true;                  // false: stop after loading
  bool run_passes = true;                    // false: stop after lowering
  bool tests = false;                        // test files, too, and the modules of their runs
  std::string test_directory = "tests";      // beside the directory itself
  bool keep_syntax = true;  // false: what only reports needs no expressions once they are lowered, and has more room
};

// A compiled configuration. Later phases' results are absent when an earlier one had errors that leave nothing
// to work on.
struct Compilation {
  SourceManager sources;
  Names names;
  load::Configuration configuration;
  std::map<NameId, load::InputValue> inputs;
  std::optional<Program> program;
  std::optional<passes::CheckFacts> facts;
  Diagnostics diags;
  std::string prefix;  // what file names get in front when shown
  // Files that are looked at again after their syntax was given up.
  mutable std::map<FileId, hcl::SyntaxTree> parsed_again;

  // Those of the configuration, and of the modules that tests run.
  size_t module_count() const;
  size_t resource_count() const;
};

std::unique_ptr<Compilation> compile(const CompileOptions& options);

// The header of the top-level block that holds a place (`resource "a" "b"`), or empty.
std::string enclosing_block(const Compilation& compilation, SourceRange range);

}  // namespace pravo::cli
