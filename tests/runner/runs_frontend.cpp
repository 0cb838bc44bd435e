// The front end on the files of a test.
#include "frontend/load/config.h"
#include "frontend/lower/lower.h"
#include "tests/runner/run_functions.h"

namespace pravo::testing {

Program* lowered_program(RunContext& c) {
  if (c.program) return &*c.program;
  if (c.directory().empty()) return nullptr;
  load::LoadOptions options;
  options.directory = c.directory();
  options.threads = 1;
  auto configuration =
      std::make_shared<load::Configuration>(load::load_configuration(options, c.sources, c.names, c.diags));
  c.keep_alive = configuration;
  if (configuration->modules.empty()) return nullptr;
  lower::LowerOptions lower_options;
  lower_options.schemas = c.schemas;
  c.program.emplace(lower::lower(*configuration, c.sources, c.names, c.diags, lower_options));
  return &*c.program;
}

const load::Configuration* loaded_configuration(RunContext& c) {
  return static_cast<const load::Configuration*>(c.keep_alive.get());
}

// Files -> configuration -> IR, with the diagnostics of all three.
void run_lower(RunContext& c) { static_cast<void>(lowered_program(c)); }

}  // namespace pravo::testing
