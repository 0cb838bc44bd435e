// force-unlock: the local backend's lock is the operating system's and ends with the process that holds it, so that all
// there is to do is to say who that is.
#include <fmt/format.h>

#include "ir/diagnostics/commands.h"
#include "tools/pravoc/state_session.h"

namespace pravo::cli {

namespace {

struct UnlockOptions {
  std::string id;
  bool force = false;
};

void run_unlock(const UnlockOptions& options, Session& session) {
  std::optional<runtime::StatePaths> paths = find_state_files(session, {}, true);
  if (!paths) return;
  runtime::LocalState file(std::move(*paths));
  std::optional<runtime::LockInfo> holder = file.holder();
  Diagnostics diags;
  std::string name = printable(file.write_path());
  if (!holder) {
    diags.emit({}, diag::CannotUnlock, name, "it is not locked")
        .help("what a process that died has left beside it locks nothing");
  } else {
    auto report =
        diags.emit({}, diag::CannotUnlock, name, "its lock belongs to a process that runs, and ends with that process");
    report.help("wait for it or end it; `-lock=false` goes past the lock, at your own risk");
    if (!holder->id.empty())
      report.note({}, printable(fmt::format("held by {} since {} for {}, id {}", holder->who, holder->created,
                                            holder->operation, holder->id)));
    if (!holder->id.empty() && holder->id != options.id)
      report.note({}, printable(fmt::format("`{}` is not its id", options.id)));
  }
  report_faults(session, diags);
}

}  // namespace

void add_unlock_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("force-unlock", "Say who locks the state; a local lock ends with its process");
  auto options = std::make_shared<UnlockOptions>();
  command->add_option("ID", options->id, "the id of the lock, as the message about it says")->required();
  command->add_flag("--force", options->force, "Do not ask first");
  command->callback([options, &session] { run_unlock(*options, session); });
}

}  // namespace pravo::cli
