// Where a command finds its state: the options for it, the backend of the configuration, the workspace.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "frontend/load/backend.h"
#include "runtime/state/local_state.h"
#include "tools/pravoc/compile.h"

namespace pravo::cli {

// Options of every command that opens a state.
struct StateOptions {
  std::string state_path;
  std::string state_out_path;
  std::string backup_path;
  std::string lock_timeout = "0s";
  bool lock = true;
};

// -lock and -lock-timeout.
void add_lock_flags(CLI::App& command, StateOptions& options);

// The local backend of a configuration, which may be null. Nothing, after a diagnostic, when it keeps its state in a
// backend that is not there yet.
std::optional<load::LocalBackend> find_backend(const Compilation* compilation, Diagnostics& diags);

// Where the state of a workspace is: -state, else the local backend's path, else the default place. False, after a
// diagnostic, when that is not known.
bool find_state(const Compilation* compilation, const std::string& workspace, const StateOptions& options,
                runtime::StatePaths& paths, Diagnostics& diags);

// "10s", "1m30s" as Go writes durations. Nothing when it is none.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

}  // namespace pravo::cli
