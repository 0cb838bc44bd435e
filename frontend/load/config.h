// The decoded configuration: what the blocks of a module say, after files are merged (override files applied)
// and every block has been checked against the arguments that its kind may have. Expressions stay syntax;
// lowering turns them into IR.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/hcl/syntax.h"
#include "frontend/load/declarations.h"
#include "frontend/load/test_file.h"
#include "ir/diagnostics.h"
#include "ir/names.h"
#include "ir/source.h"

namespace pravo::load {

// One module source, decoded. Calls of the same directory share one Module.
struct Module {
  std::string directory;  // as given or relative to the root; what path.module says
  std::string canonical;  // the real path, the identity of a module source
  std::vector<FileId> files;
  SourceRange anywhere;      // a range of the first file, for faults without a place of their own
  bool is_template = false;  // a template's text: its variables are names that stand alone

  std::vector<Variable> variables;
  std::vector<Local> locals;
  std::vector<Output> outputs;
  std::vector<ProviderConfig> providers;
  std::vector<RequiredProvider> required_providers;
  std::vector<Resource> resources;  // all modes, also those nested in checks
  std::vector<ModuleCall> calls;
  std::vector<Check> checks;
  std::vector<Import> imports;
  std::vector<Moved> moved;
  std::vector<Removed> removed;
  std::optional<Backend> backend;
  std::vector<std::pair<std::string, SourceRange>> required_versions;

  // The address of the provider behind a local name: required_providers, else hashicorp/NAME
  // ("terraform" is terraform.io/builtin/terraform).
  std::string provider_address(std::string_view local_name, const Names& names) const;
};

// A whole configuration: modules[0] is the root. A called module comes after its first caller.
struct Configuration {
  std::deque<Module> modules;
  std::deque<hcl::SyntaxTree> trees;  // keeps every Expr alive
  std::vector<TestFile> tests;        // where LoadOptions::tests asks for them
  // What else lies in the root's directory, by name: listing thousands of files takes a while.
  std::vector<std::string> root_tests;   // test files
  std::vector<std::string> root_tfvars;  // variable files that are read without being asked for
  // What runs name in their `module` blocks: each the root of a configuration of its own, whose expressions may be of
  // trees of this one.
  std::vector<std::unique_ptr<Configuration>> test_modules;
  Module& root() { return modules.front(); }
  const Module& root() const { return modules.front(); }
};

struct LoadOptions {
  std::string directory = ".";
  std::string data_directory = ".terraform";  // TF_DATA_DIR; relative to the directory
  unsigned threads = 0;                       // 0: as many as the machine has
  bool tests = false;                         // read the root module's test files, and the modules of their runs
  std::string test_directory = "tests";       // where test files are beside the directory itself
};

// Reads a directory and every module that it reaches. Faults are reported; the result holds what could be
// understood, so that later phases can report theirs too.
Configuration load_configuration(const LoadOptions& options, SourceManager& sources, Names& names, Diagnostics& diags);

}  // namespace pravo::load
