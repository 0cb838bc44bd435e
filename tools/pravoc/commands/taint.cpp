// taint and untaint: whether the next plan replaces an instance.
#include <fmt/format.h>

#include "ir/diagnostics/commands.h"
#include "runtime/state/edit.h"
#include "tools/pravoc/commands/state_commands.h"
#include "tools/pravoc/state_session.h"

namespace pravo::cli {

namespace {

struct TaintOptions : StateOptions {
  std::string address;
  bool allow_missing = false;
};

void run_taint(const TaintOptions& options, bool tainted, Session& session) {
  Diagnostics diags;
  std::optional<runtime::InstanceAddress> address = parse_instance(options.address, diags);
  if (address && tainted && address->resource.mode != ResourceMode::Managed)
    diags.emit({}, diag::NotAnAddress, printable(options.address), "an instance of a managed resource")
        .help("only what a provider manages can be tainted");
  report_faults(session, diags);
  if (diags.has_errors()) return;
  std::unique_ptr<StateSession> state =
      StateSession::open(session, options, tainted ? "taint" : "untaint", BackupForm::Plain);
  if (!state) return;
  runtime::StateResource* resource = state->state.find(address->resource);
  runtime::StateInstance* instance = resource == nullptr ? nullptr : resource->find(address->key);
  if (instance == nullptr || !instance->current) {
    if (options.allow_missing) {
      session.err().write(
          fmt::format("warning: the state has no `{}`; -allow-missing lets that pass\n", printable(options.address)));
      return;
    }
    runtime::report_missing(state->state, printable(options.address), state->diags);
    state->flush();
    return;
  }
  runtime::InstanceObject& object = *instance->current;
  if (!tainted && !object.tainted) {
    state->diags.emit({}, diag::NotTainted, address->to_string());
    state->flush();
    return;
  }
  bool changed = object.tainted != tainted || state->file().write_path() != state->file().read_path();
  object.tainted = tainted;
  if (!state->save(changed)) return;
  session.out().write(fmt::format("Resource instance {} has been {}.\n", address->to_string(),
                                  tainted ? "marked as tainted" : "successfully untainted"));
}

}  // namespace

void add_taint_commands(CLI::App& app, Session& session) {
  for (bool tainted : {true, false}) {
    auto* command = tainted ? app.add_subcommand("taint", "Have the next apply replace a resource instance")
                            : app.add_subcommand("untaint", "Take back that a resource instance is to be replaced");
    auto options = std::make_shared<TaintOptions>();
    command->add_option("ADDRESS", options->address, "the address of the instance")->required();
    command->add_flag("--allow-missing", options->allow_missing, "An instance that is not there is no error");
    add_lock_flags(*command, *options);
    command->add_option("--state", options->state_path, "Change this state file")->type_name("FILE");
    command->add_option("--state-out", options->state_out_path, "Write the new state here instead of where it was")
        ->type_name("FILE");
    command->add_option("--backup", options->backup_path, "Where the old state is kept; `-` for nowhere")
        ->type_name("FILE");
    static bool ignored = false;
    command->add_flag("--ignore-remote-version", ignored)->group("");
    command->callback([options, tainted, &session] { run_taint(*options, tainted, session); });
  }
}

}  // namespace pravo::cli
