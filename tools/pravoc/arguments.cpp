#include "tools/pravoc/arguments.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

namespace pravo::cli {

NamedCommand find_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  NamedCommand out;
  const CLI::App* group = &app;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i].starts_with('-')) continue;
    const std::string& word = arguments[i];
    std::vector<const CLI::App*> found =
        group->get_subcommands([&](const CLI::App* c) { return c->get_name() == word; });
    if (found.empty()) return out;
    group = found.front();
    out = {i + 1, group, (out.words.empty() ? "" : out.words + " ") + word};
  }
  return out;
}

void insert_environment_arguments(const CLI::App& app, std::vector<std::string>& arguments) {
  NamedCommand named = find_command(app, arguments);
  if (named.command == nullptr) return;
  std::string suffix = named.words;
  for (char& c : suffix)
    if (c == ' ' || c == '-') c = '_';
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 8> words;
  for (const std::string& name : {std::string("TF_CLI_ARGS"), "TF_CLI_ARGS_" + suffix})
    if (const char* text = std::getenv(name.c_str())) llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  arguments.insert(arguments.begin() + static_cast<ptrdiff_t>(named.end), words.begin(), words.end());
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

DirectoryArgument take_directory(std::vector<std::string>& arguments) {
  DirectoryArgument out;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--";) {
    std::string_view text = arguments[i];
    size_t dashes = text.starts_with("--") ? 2 : 1;
    if (!text.starts_with('-') || !text.substr(dashes).starts_with("chdir")) {
      ++i;
      continue;
    }
    text.remove_prefix(dashes + std::string_view("chdir").size());
    if (!text.empty() && text[0] != '=') {
      ++i;
      continue;
    }
    const bool apart = text.empty();
    std::string path(apart ? (i + 1 < arguments.size() ? std::string_view(arguments[i + 1]) : text) : text.substr(1));
    if (path.empty() || (apart && path.starts_with('-')))
      out.fault = "-chdir needs a directory";
    else if (out.path)
      out.fault = "-chdir is given twice";
    if (!out.fault.empty()) return out;
    out.path = std::move(path);
    auto at = arguments.begin() + static_cast<ptrdiff_t>(i);
    arguments.erase(at, at + (apart ? 2 : 1));
  }
  return out;
}

namespace {

// `-(1 - 1)`, `-1`, `-var.x`, `-length(x)`: the name of an option has letters, digits and dashes.
bool is_no_option(std::string_view text) {
  if (text.size() < 2 || text[0] != '-' || text == "--") return false;
  text.remove_prefix(text.starts_with("--") ? 2 : 1);
  std::string_view name = text.substr(0, text.find('='));
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return true;
  return !std::all_of(name.begin(), name.end(),
                      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; });
}

}  // namespace

void set_expression_apart(const CLI::App& app, std::vector<std::string>& arguments) {
  auto word =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& a) { return !a.starts_with('-'); });
  if (word == arguments.end() || *word != "eval") return;
  const CLI::App* eval = app.get_subcommand("eval");
  for (auto at = word + 1; at != arguments.end() && *at != "--"; ++at) {
    if (!is_no_option(*at)) {
      // An option whose value is the next word.
      std::string_view name = *at;
      size_t dashes = std::min(name.find_first_not_of('-'), name.size());
      const CLI::Option* option =
          dashes == 0 ? nullptr : eval->get_option_no_throw("--" + std::string(name.substr(dashes)));
      if (option != nullptr && option->get_items_expected_min() > 0 && at + 1 != arguments.end()) ++at;
      continue;
    }
    std::string expression = std::move(*at);
    arguments.erase(at);
    arguments.insert(arguments.end(), {"--", std::move(expression)});
    return;
  }
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
  state_->var = command.add_option("--var", state_->vars, "A value of a root variable; may be repeated")
                    ->type_name("NAME=VALUE")
                    ->allow_extra_args(false);
  state_->file =
      command.add_option("--var-file", state_->files, "A file with values of root variables; may be repeated")
          ->type_name("FILE")
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
