// Every command lives in tools/pravoc/commands; this file reads the global options and turns faults of the command
// line into messages.
#include "tools/pravoc/program.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "ir/diagnostics.h"
#include "ir/large_pages.h"
#include "tools/pravoc/arguments.h"
#include "tools/pravoc/help.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

constexpr std::string_view kIntroduction =
    "pravoc checks, plans and applies infrastructure configuration.\n"
    "\n"
    "`pravoc check` proves where ephemeral and sensitive values can flow, with no provider, network or\n"
    "credential. `pravoc plan` and `pravoc apply` change real things.";

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// The command that an unknown word was probably meant to be.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  NamedCommand named = find_command(app, arguments);
  const CLI::App& group = named.command == nullptr ? app : *named.command;
  std::vector<std::string> names = command_names(group);
  if (names.empty()) return "";
  auto word = std::find_if(arguments.begin() + static_cast<ptrdiff_t>(named.end), arguments.end(),
                           [](const std::string& argument) { return !argument.starts_with('-'); });
  std::string before = named.words.empty() ? "" : named.words + " ";
  if (word == arguments.end()) return before.empty() ? "" : fmt::format("`{}` needs one of its commands", named.words);
  std::vector<std::string_view> views(names.begin(), names.end());
  std::string_view near = closest_name(*word, views);
  std::string unknown = fmt::format("there is no command `{}{}`", before, printable(*word));
  return near.empty() ? unknown : fmt::format("{}; did you mean `{}{}`?", unknown, before, near);
}

// A descriptor that is closed when the program starts would be given to the first file that it opens, and output would
// go there. What stands in its place reads as empty, and takes no output: that is lost, and exit_code() says so.
void occupy_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
}

// Results that could not be written are not results.
int exit_code(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs("error: standard output could not be written\n", stderr);
  return kError;
}

// `pravoc help plan` is `pravoc plan -help`. A word that is no command stays, to be reported.
void rewrite_help(const CLI::App& app, std::vector<std::string>& arguments) {
  auto word =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& a) { return !a.starts_with('-'); });
  if (word == arguments.end() || *word != "help") return;
  word = arguments.erase(word);
  if (word == arguments.end() || find_command(app, arguments).command != nullptr) arguments.emplace_back("--help");
}

}  // namespace

int run_program(Session& session, int argc, char** argv) {
  use_large_pages();
  occupy_standard_descriptors();
  CLI::App app{std::string(kIntroduction), "pravoc"};
  app.require_subcommand(1);
  set_help_form(app);
  app.set_help_flag("--help,-h", "Show this help");
  app.add_flag("--no-color", session.no_color, "Never use colour");
  std::string directory;
  app.add_option("--chdir", directory, "Work in this directory, as if pravoc had been started there")->type_name("DIR");
  app.fallthrough();

  add_check_command(app, session);
  add_init_command(app, session);
  add_validate_command(app, session);
  add_run_commands(app, session);
  add_show_commands(app, session);
  add_state_commands(app, session);
  add_taint_commands(app, session);
  add_workspace_commands(app, session);
  add_unlock_command(app, session);
  add_console_command(app, session);
  add_eval_command(app, session);
  add_functions_command(app, session);
  add_ir_command(app, session);
  add_explain_command(app, session);
  add_version_command(app, session);

  app.add_subcommand("help", "Show the help of a command: `pravoc help plan`");

  std::vector<std::string> arguments(argv + 1, argv + argc);
  // The directory has to be changed before a command runs, and commands run while CLI11 parses.
  DirectoryArgument where = take_directory(arguments);
  if (where.fault.empty()) {
    // What is typed wins over the environment.
    insert_environment_arguments(app, arguments);
    DirectoryArgument of_environment = take_directory(arguments);
    if (!where.path) where = std::move(of_environment);
    set_expression_apart(app, arguments);
    arguments = normalise_arguments(arguments);
    rewrite_help(app, arguments);
  }
  if (!where.fault.empty()) {
    std::fprintf(stderr, "error: %s\nWrite it as -chdir=DIR.\n", where.fault.c_str());
    return kError;
  }
  if (where.path) {
    std::error_code error;
    std::filesystem::current_path(*where.path, error);
    if (error) {
      std::fprintf(stderr, "error: cannot work in `%s`: %s\n", printable(*where.path).c_str(), error.message().c_str());
      return kError;
    }
  }
  // Terraform's users type `-version` too.
  if (arguments.size() == 1 && (arguments[0] == "--version" || arguments[0] == "-v")) arguments[0] = "version";
  if (arguments.empty()) arguments.emplace_back("--help");

  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    std::string help = help_text(app);
    std::fwrite(help.data(), 1, help.size(), stdout);
    return exit_code(kOk);
  } catch (const CLI::ParseError& error) {
    std::string message = unknown_command(app, arguments);
    if (message.empty()) message = one_dash_help(error.what());
    std::string command = find_command(app, arguments).words;
    if (!command.empty()) command += ' ';
    std::fprintf(stderr, "error: %s\nRun `pravoc %s-help` to see what there is.\n", message.c_str(), command.c_str());
    return kError;
  }
  return exit_code(session.exit_code);
}

}  // namespace pravo::cli
