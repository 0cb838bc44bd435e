// A state that a command reads, or changes under its lock, without anything being planned.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/run.h"
#include "tools/pravoc/session.h"
#include "tools/pravoc/state_place.h"

namespace pravo::cli {

// Shows diagnostics that have no place in a configuration, and leaves the exit code of a fault.
void report_faults(Session& session, const Diagnostics& diags);

// The providers' schemas without a program: for states and plans of earlier runs.
struct ProviderSchemas {
  Names names;
  Program program{names};
  runtime::RunContext context{program};
  provider::Registry providers = runtime::make_registry(context);
  runtime::RegistrySchemas registry{providers};
};

// The configuration here as far as it says where its state is; null where -state says that. A configuration with faults
// is no reason not to read a state, but with `certain` nothing is returned, after the faults were shown: a backend that
// was not understood would send a change to another state.
struct StatePlace {
  std::unique_ptr<Compilation> compilation;
  load::LocalBackend backend;
};
std::optional<StatePlace> find_place(Session& session, bool has_state_path, bool certain);
// The files of the current workspace's state. Nothing after a fault was shown.
std::optional<runtime::StatePaths> find_state_files(Session& session, const StateOptions& options, bool certain);

// A state that was read for reading only. Nothing after a fault was shown.
struct ReadState {
  runtime::State state;
  bool found = false;  // there is a file with something in it
  std::string path;
};
std::optional<ReadState> read_state(Session& session, const std::string& state_path);

enum class BackupForm : uint8_t {
  Plain,  // terraform.tfstate.backup
  Dated,  // terraform.tfstate.1796055646.backup: one for each change by hand, which -backup=- does not turn off
};

// A state that is about to be changed. It stays locked until this goes.
class StateSession {
 public:
  // Null after a fault was shown. `operation` is what the lock says of its holder.
  static std::unique_ptr<StateSession> open(Session& session, const StateOptions& options, std::string_view operation,
                                            BackupForm backup);
  static std::unique_ptr<StateSession> open(Session& session, const StateOptions& options, runtime::StatePaths paths,
                                            std::string_view operation, BackupForm backup);

  runtime::State state;
  Diagnostics diags;

  // Whether there was a state. The first shows a fault when there was none.
  bool require_found();
  runtime::LocalState& file() { return file_; }
  runtime::StateSchemas& schemas() { return schemas_.registry; }
  // Writes the state, shows what diags hold. True: it is on the disk.
  bool save(bool changed = true);
  // Shows what diags hold. True: there were errors.
  bool flush();

 private:
  StateSession(Session& session, runtime::StatePaths paths) : session_(session), file_(std::move(paths)) {}
  Session& session_;
  runtime::LocalState file_;
  ProviderSchemas schemas_;
};

}  // namespace pravo::cli
