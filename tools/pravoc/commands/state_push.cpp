// state push: a state file takes the place of the current workspace's state.
#include <iostream>

#include <fmt/format.h>

#include "runtime/state/edit.h"
#include "runtime/state/file_io.h"
#include "runtime/state/state_text.h"
#include "tools/pravoc/commands/state_commands.h"
#include "tools/pravoc/input_lines.h"
#include "tools/pravoc/state_session.h"

namespace pravo::cli {

namespace {

struct PushOptions : StateOptions {
  std::string path;
  bool force = false;
};

// The text that is pushed, or nothing after a fault was shown.
std::optional<std::string> read_source(const std::string& path, Session& session) {
  auto fail = [&](const std::string& why) -> std::optional<std::string> {
    session.err().write(fmt::format("error: {}\n", printable(why)));
    session.exit_code = kError;
    return std::nullopt;
  };
  std::string text;
  if (path == "-") {
    if (read_all(std::cin, text) == InputEnd::TooLong) return fail(too_long_message(false));
  } else {
    runtime::FileError error;
    std::optional<std::string> contents = runtime::read_file(path, error);
    if (!contents) return fail(error.code != 0 ? error.what : fmt::format("there is no file `{}`", path));
    text = std::move(*contents);
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(fmt::format("there is no state in {}, it is empty",
                            path == "-" ? "standard input" : fmt::format("`{}`", path)));
  return text;
}

void run_push(const PushOptions& options, Session& session) {
  std::optional<std::string> text = read_source(options.path, session);
  if (!text) return;
  Diagnostics diags;
  std::string name = options.path == "-" ? "standard input" : printable(options.path);
  std::optional<runtime::State> pushed = runtime::parse_state(*text, name, diags);
  report_faults(session, diags);
  if (!pushed) return;
  std::unique_ptr<StateSession> current = StateSession::open(session, options, "state-push", BackupForm::Plain);
  if (!current) return;
  const bool same = current->file().same_contents(*pushed, current->schemas());
  if (!options.force && !runtime::check_push(current->state, *pushed, same, name, current->diags)) {
    current->flush();
    return;
  }
  if (same && current->state.lineage == pushed->lineage && current->state.serial == pushed->serial) return;
  bool written = current->file().replace(*pushed, current->schemas(), current->diags);
  current->flush();
  if (!written) session.exit_code = kError;
}

}  // namespace

void add_state_push_command(CLI::App& group, Session& session) {
  auto* command = group.add_subcommand("push", "Put a state file in the place of the state");
  auto options = std::make_shared<PushOptions>();
  command->add_option("PATH", options->path, "the state file; `-` for standard input")->required();
  command->add_flag("--force", options->force, "Also when it is older, or of another lineage");
  add_lock_flags(*command, *options);
  static bool ignored = false;
  command->add_flag("--ignore-remote-version", ignored)->group("");
  command->callback([options, &session] { run_push(*options, session); });
}

}  // namespace pravo::cli
