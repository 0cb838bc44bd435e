#include "tools/pravoc/state_place.h"

#include <cstdlib>

#include "ir/diagnostics/commands.h"
#include "tools/pravoc/help.h"
#include "tools/pravoc/terminal.h"
#include "tools/pravoc/workspaces.h"

namespace pravo::cli {

void add_lock_flags(CLI::App& command, StateOptions& options) {
  add_switch(command, "--lock", options.lock, "Do not hold the lock on the state");
  command.add_flag("!--no-lock", options.lock)->group("");  // an older spelling
  command.add_option("--lock-timeout", options.lock_timeout, "How long to wait for a lock that others hold: 30s, 2m")
      ->type_name("DURATION")
      ->capture_default_str();
}

std::optional<load::LocalBackend> find_backend(const Compilation* compilation, Diagnostics& diags) {
  if (compilation == nullptr || compilation->configuration.modules.empty()) return load::LocalBackend();
  const std::optional<load::Backend>& backend = compilation->configuration.root().backend;
  if (backend && backend->type != "local") {
    diags.emit(backend->header, diag::BackendNotSupported, backend->type);
    return std::nullopt;
  }
  size_t errors = diags.error_count();
  load::LocalBackend local =
      load::read_backend(compilation->configuration, compilation->sources, compilation->names, diags);
  if (diags.error_count() > errors) return std::nullopt;
  return local;
}

bool find_state(const Compilation* compilation, const std::string& workspace, const StateOptions& options,
                runtime::StatePaths& paths, Diagnostics& diags) {
  std::optional<load::LocalBackend> backend = find_backend(compilation, diags);
  if (!backend) return false;
  // The name becomes part of a path.
  if (!is_workspace_name(workspace)) {
    diags.emit({}, diag::InvalidWorkspaceName, printable(workspace));
    return false;
  }
  paths.read = options.state_path.empty() ? workspace_state_path(*backend, workspace) : options.state_path;
  paths.write = options.state_out_path;
  paths.backup = options.backup_path;
  return true;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  if (text == "0") return std::chrono::milliseconds(0);
  double total = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    char* end = nullptr;
    std::string copy(text);
    double number = std::strtod(copy.c_str(), &end);
    auto used = static_cast<size_t>(end - copy.c_str());
    if (used == 0 || number < 0) return std::nullopt;
    text.remove_prefix(used);
    double factor = 0;
    for (auto [unit, milliseconds] :
         {std::pair<std::string_view, double>{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}) {
      if (!text.starts_with(unit)) continue;
      factor = milliseconds;
      text.remove_prefix(unit.size());
      break;
    }
    if (factor == 0) return std::nullopt;
    total += number * factor;
    if (total > 1e12) return std::nullopt;
  }
  return std::chrono::milliseconds(static_cast<int64_t>(total));
}

}  // namespace pravo::cli
