// The command line as Terraform's users type it: long options with one dash or two, `-name=value` or
// `-name value`. CLI11 knows two dashes only, so arguments are normalised first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "frontend/load/variables.h"

namespace pravo::cli {

// Rewrites `-name` to `--name` (single letters stay) up to a lone `--`.
std::vector<std::string> normalise_arguments(const std::vector<std::string>& arguments);

// The words that name a command, one (`plan`) or two (`state list`): where they end in `arguments`, and the command
// itself. Before its words there are options only; null: there is no such command.
struct NamedCommand {
  size_t end = 0;
  const CLI::App* command = nullptr;
  std::string words;  // "state list"
};
NamedCommand find_command(const CLI::App& app, const std::vector<std::string>& arguments);

// Terraform's TF_CLI_ARGS and TF_CLI_ARGS_COMMAND (`TF_CLI_ARGS_state_list`): their words, split as a shell does, come
// after the command and before what was typed. `arguments` are not normalised yet.
void insert_environment_arguments(const CLI::App& app, std::vector<std::string>& arguments);

// The directory that -chdir names.
struct DirectoryArgument {
  std::optional<std::string> path;
  std::string fault;  // what is wrong with the option; empty: nothing
};

// Takes `-chdir=DIR` or `-chdir DIR`, with one dash or two, out of what was typed, wherever it stands before `--`.
DirectoryArgument take_directory(std::vector<std::string>& arguments);

// The expression of `eval` may start with a minus: what cannot be an option is put behind `--`. `arguments` are not
// normalised yet.
void set_expression_apart(const CLI::App& app, std::vector<std::string>& arguments);

// The options -var and -var-file of a command; `values()` gives them in the order of the command line, which
// decides which of two values wins.
class VariableOptions {
 public:
  explicit VariableOptions(CLI::App& command);
  std::vector<load::VarArgument> values() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// A message of the parser's, with one dash before long options again.
std::string one_dash_help(std::string help);

}  // namespace pravo::cli
