#include "tools/pravoc/arguments.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

namespace pravo::cli {

void insert_environment_arguments(std::vector<std::string>& arguments) {
  auto command =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& a) { return !a.starts_with('-'); });
  if (command == arguments.end()) return;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 8> words;
  for (const std::string& name : {std::string("TF_CLI_ARGS"), "TF_CLI_ARGS_" + *command})
    if (const char* text = std::getenv(name.c_str())) llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  arguments.insert(command + 1, words.begin(), words.end());
}

std::vector<std::string> normalise_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  bool options_end = false;
  for (std::string_view text : arguments) {
    if (text == "--") options_end = true;
    bool long_with_one_dash = !options_end && text.size() > 2 && text[0] == '-' && text[1] != '-' &&
                              std::isalpha(static_cast<unsigned char>(text[1])) != 0;
    out.push_back(long_with_one_dash ? "-" + std::string(text) : std::string(text));
  }
  return out;
}

std::string one_dash_help(std::string help) {
  // An option stands at the start of a line, or after a comma or a bracket; prose keeps its dashes.
  std::string out;
  out.reserve(help.size());
  for (size_t i = 0; i < help.size(); ++i) {
    bool two = help.compare(i, 2, "--") == 0 && i + 2 < help.size() &&
               std::isalpha(static_cast<unsigned char>(help[i + 2])) != 0;
    bool starts = i == 0 || help[i - 1] == ' ' || help[i - 1] == ',' || help[i - 1] == '[' || help[i - 1] == '\n';
    if (two && starts) continue;  // drops the first dash of the two
    out += help[i];
  }
  return out;
}

struct VariableOptions::State {
  CLI::App* command = nullptr;
  CLI::Option* var = nullptr;
  CLI::Option* file = nullptr;
  std::vector<std::string> vars;
  std::vector<std::string> files;
};

VariableOptions::VariableOptions(CLI::App& command) : state_(std::make_shared<State>()) {
  state_->command = &command;
  state_->var = command.add_option("--var", state_->vars, "A value of a root variable, NAME=VALUE; may be repeated")
                    ->allow_extra_args(false);
  state_->file =
      command.add_option("--var-file", state_->files, "A file with values of root variables; may be repeated")
          ->allow_extra_args(false);
}

std::vector<load::VarArgument> VariableOptions::values() const {
  std::vector<load::VarArgument> out;
  size_t var = 0;
  size_t file = 0;
  for (const CLI::Option* option : state_->command->parse_order()) {
    if (option == state_->var && var < state_->vars.size()) out.push_back({false, state_->vars[var++]});
    if (option == state_->file && file < state_->files.size()) out.push_back({true, state_->files[file++]});
  }
  return out;
}

}  // namespace pravo::cli
