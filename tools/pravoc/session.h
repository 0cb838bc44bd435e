// What every command gets: where to write, how, and the exit code to leave.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tools/pravoc/terminal.h"

namespace pravo::provider {
class Registry;
}

namespace pravo::cli {

// Exit codes (design.md section 6).
inline constexpr int kOk = 0;
inline constexpr int kError = 1;
inline constexpr int kChanges = 2;

struct Session {
  bool no_color = false;
  int exit_code = kOk;
  // Providers beside those that are built in: for programs of tests.
  std::function<void(provider::Registry&)> add_providers;

  Terminal& out() {
    if (!out_) out_ = std::make_unique<Terminal>(stdout, no_color);
    return *out_;
  }
  Terminal& err() {
    if (!err_) err_ = std::make_unique<Terminal>(stderr, no_color);
    return *err_;
  }

 private:
  std::unique_ptr<Terminal> out_;
  std::unique_ptr<Terminal> err_;
};

// Each registers one command, whose callback does the work and sets session.exit_code.
void add_check_command(CLI::App& app, Session& session);
void add_console_command(CLI::App& app, Session& session);
void add_eval_command(CLI::App& app, Session& session);
void add_explain_command(CLI::App& app, Session& session);
void add_functions_command(CLI::App& app, Session& session);
void add_init_command(CLI::App& app, Session& session);
void add_ir_command(CLI::App& app, Session& session);
void add_run_commands(CLI::App& app, Session& session);    // plan, apply, destroy, refresh
void add_show_commands(CLI::App& app, Session& session);   // show, output
void add_state_commands(CLI::App& app, Session& session);  // state list, show, pull, push, rm, mv, replace-provider
void add_taint_commands(CLI::App& app, Session& session);  // taint, untaint
void add_unlock_command(CLI::App& app, Session& session);  // force-unlock
void add_validate_command(CLI::App& app, Session& session);
void add_version_command(CLI::App& app, Session& session);
void add_workspace_commands(CLI::App& app, Session& session);  // workspace list, show, new, select, delete

}  // namespace pravo::cli
