// The options of plan, apply, destroy and refresh, and which of them go together.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/pravoc/run_support.h"

namespace pravo::cli {

enum class RunCommand : uint8_t { Plan, Apply, Destroy, Refresh };

// Those that `command` has go into `options`, which must live as long as the parser.
void add_run_flags(CLI::App& command, RunCommand kind, RunOptions& options);

// Throws CLI::ValidationError where options contradict each other, so that nothing is done that only one of them asks
// for. The rules are Terraform's.
void refuse_contradictions(RunCommand kind, const RunOptions& options);

}  // namespace pravo::cli
