// Workspaces: several states of one configuration. Their names are directories of the local backend, and the current
// one is recorded in the data directory, as Terraform does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/load/backend.h"
#include "ir/diagnostics.h"

namespace pravo::cli {

// The name of the current workspace: TF_WORKSPACE, else `.terraform/environment`, else "default".
std::string current_workspace();
// Whether TF_WORKSPACE decides, so that nothing can be chosen.
bool workspace_is_overridden();
// Records the choice of a workspace. False, after a diagnostic, when that cannot be written.
bool choose_workspace(std::string_view name, Diagnostics& diags);

// Letters, digits and what a path segment of a URL may hold without being escaped.
bool is_workspace_name(std::string_view name);

// Where the state of a workspace is.
std::string workspace_state_path(const load::LocalBackend& backend, std::string_view name);
// "default" and those that have a directory, sorted by name after it.
std::vector<std::string> workspace_names(const load::LocalBackend& backend);
// Makes or removes the directory of a workspace other than "default". False after a diagnostic.
bool make_workspace(const load::LocalBackend& backend, std::string_view name, Diagnostics& diags);
bool remove_workspace(const load::LocalBackend& backend, std::string_view name, Diagnostics& diags);

}  // namespace pravo::cli
