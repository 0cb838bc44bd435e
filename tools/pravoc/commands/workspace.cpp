// workspace list, show, new, select, delete: several states of one configuration.
#include <algorithm>

#include <fmt/format.h>

#include "ir/diagnostics/commands.h"
#include "runtime/state/edit.h"
#include "tools/pravoc/state_session.h"
#include "tools/pravoc/workspaces.h"

namespace pravo::cli {

namespace {

struct WorkspaceOptions : StateOptions {
  std::string name;
  bool create = false;
  bool force = false;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The current workspace, or nothing after it was said that it has a name that none can have.
std::optional<std::string> valid_current(Session& session) {
  std::string name = current_workspace();
  if (is_workspace_name(name)) return name;
  Diagnostics diags;
  diags.emit({}, diag::InvalidWorkspaceName, printable(name));
  report_faults(session, diags);
  return std::nullopt;
}

void run_show(Session& session) {
  if (std::optional<std::string> name = valid_current(session)) session.out().write(*name + "\n");
}

void run_list(Session& session) {
  std::string current = current_workspace();
  // One that `.terraform/environment` records can be left by choosing another, so the list is shown all the same.
  if (workspace_is_overridden() && !valid_current(session)) return;
  std::optional<StatePlace> place = find_place(session, false, true);
  if (!place) return;
  std::string out;
  for (const std::string& name : workspace_names(place->backend))
    out += fmt::format("{} {}\n", name == current ? '*' : ' ', printable(name));
  session.out().write(out);
  if (workspace_is_overridden()) session.err().write("note: TF_WORKSPACE says which workspace is current\n");
}

std::string created_text(const std::string& name) {
  return fmt::format(
      "Created and switched to workspace \"{}\"!\n\nIt has no state yet: what other workspaces manage "
      "does not exist for plan and apply here.\n",
      name);
}

// A new workspace's state, copied from a file: the same contents under a lineage of its own.
bool copy_state(const WorkspaceOptions& options, const load::LocalBackend& backend, runtime::State contents,
                Session& session) {
  runtime::StatePaths paths;
  paths.read = workspace_state_path(backend, options.name);
  std::unique_ptr<StateSession> target =
      StateSession::open(session, options, std::move(paths), "workspace-new", BackupForm::Plain);
  if (!target) return false;
  target->state = std::move(contents);
  target->state.lineage.clear();
  target->state.serial = 0;
  return target->save();
}

void run_new(const WorkspaceOptions& options, Session& session) {
  Diagnostics diags;
  if (!is_workspace_name(options.name))
    diags.emit({}, diag::InvalidWorkspaceName, printable(options.name))
        .help("a name has letters, digits and `-_.~$&+=:@`");
  else if (workspace_is_overridden() && current_workspace() != options.name)
    diags.emit({}, diag::WorkspaceOverridden, printable(current_workspace()));
  std::optional<runtime::State> contents;
  if (!diags.has_errors() && !options.state_path.empty()) {
    runtime::LocalState source(runtime::StatePaths{options.state_path, "", ""});
    contents = source.read(diags);
    if (contents && !source.found()) diags.emit({}, diag::NoState, printable(options.state_path)).help("");
  }
  report_faults(session, diags);
  if (diags.has_errors()) return;
  std::optional<StatePlace> place = find_place(session, false, true);
  if (!place) return;
  if (has(workspace_names(place->backend), options.name)) diags.emit({}, diag::WorkspaceExists, options.name);
  bool good = !diags.has_errors() && make_workspace(place->backend, options.name, diags) &&
              (!contents || copy_state(options, place->backend, std::move(*contents), session)) &&
              choose_workspace(options.name, diags);
  report_faults(session, diags);
  if (good)
    session.out().write(options.state_path.empty()
                            ? created_text(options.name)
                            : fmt::format("Created and switched to workspace \"{}\"!\n", options.name));
}

void run_select(const WorkspaceOptions& options, Session& session) {
  std::optional<StatePlace> place = find_place(session, false, true);
  if (!place) return;
  Diagnostics diags;
  std::vector<std::string> names = workspace_names(place->backend);
  bool created = false;
  if (workspace_is_overridden()) {
    diags.emit({}, diag::WorkspaceOverridden, printable(current_workspace()));
  } else if (!is_workspace_name(options.name)) {
    diags.emit({}, diag::InvalidWorkspaceName, printable(options.name))
        .help("a name has letters, digits and `-_.~$&+=:@`");
  } else if (options.name == current_workspace()) {
    return;
  } else if (!has(names, options.name)) {
    if (options.create) {
      created = make_workspace(place->backend, options.name, diags);
    } else {
      auto report = diags.emit({}, diag::WorkspaceMissing, options.name);
      std::vector<std::string_view> views(names.begin(), names.end());
      if (std::string_view near = closest_name(options.name, views); !near.empty())
        report.help(fmt::format("did you mean `{}`? `pravoc workspace new {}` makes a new one", near, options.name));
    }
  }
  bool good = !diags.has_errors() && choose_workspace(options.name, diags);
  report_faults(session, diags);
  if (!good) return;
  session.out().write(created ? created_text(options.name)
                              : fmt::format("Switched to workspace \"{}\".\n", options.name));
}

// The managed objects of a state, a line each.
std::string managed_objects(const runtime::State& state) {
  std::string out;
  for (const runtime::InstanceAddress& address : runtime::instances_of(state)) {
    if (address.resource.mode != ResourceMode::Managed) continue;
    const runtime::StateInstance& instance = *state.find(address);
    if (instance.current) out += fmt::format("\n  - {}", address.to_string());
    for (const auto& [key, object] : instance.deposed)
      out += fmt::format("\n  - {} (deposed object {})", address.to_string(), key);
  }
  return out;
}

void run_delete(const WorkspaceOptions& options, Session& session) {
  std::optional<StatePlace> place = find_place(session, false, true);
  if (!place) return;
  std::optional<std::string> current = valid_current(session);
  if (!current) return;
  Diagnostics diags;
  std::vector<std::string> names = workspace_names(place->backend);
  if (options.name == *current)
    diags.emit({}, diag::WorkspaceInUse, printable(options.name), "it is the current one")
        .help("`pravoc workspace select` another one first");
  else if (options.name == "default")
    diags.emit({}, diag::WorkspaceInUse, options.name, "the default workspace is always there");
  else if (!has(names, options.name))
    diags.emit({}, diag::WorkspaceMissing, printable(options.name)).help("`pravoc workspace list` shows what there is");
  report_faults(session, diags);
  if (diags.has_errors()) return;
  runtime::StatePaths paths;
  paths.read = workspace_state_path(place->backend, options.name);
  // The lock is held until the directory is gone.
  std::unique_ptr<StateSession> state =
      StateSession::open(session, options, std::move(paths), "workspace-delete", BackupForm::Plain);
  if (!state) return;
  std::string objects = managed_objects(state->state);
  if (!objects.empty() && !options.force) {
    state->diags.emit({}, diag::WorkspaceNotEmpty, options.name).note({}, "its state has:" + objects);
    state->flush();
    return;
  }
  bool removed = remove_workspace(place->backend, options.name, diags);
  report_faults(session, diags);
  if (!removed) return;
  session.out().write(fmt::format("Deleted workspace \"{}\"!\n", options.name));
  if (!objects.empty())
    session.err().write(
        fmt::format("warning: the objects that `{}` recorded may still exist, and nothing manages them "
                    "now:{}\n",
                    options.name, objects));
}

}  // namespace

void add_workspace_commands(CLI::App& app, Session& session) {
  auto* group = app.add_subcommand("workspace", "Have several states of one configuration");
  group->require_subcommand(1);
  group->add_subcommand("list", "List the workspaces; a star marks the current one")->callback([&session] {
    run_list(session);
  });
  group->add_subcommand("show", "Show the name of the current workspace")->callback([&session] { run_show(session); });
  {
    auto* command = group->add_subcommand("new", "Make a workspace, and make it the current one");
    auto options = std::make_shared<WorkspaceOptions>();
    command->add_option("NAME", options->name, "its name")->required();
    command->add_option("--state", options->state_path, "Start with a copy of this state file")->type_name("FILE");
    add_lock_flags(*command, *options);
    command->callback([options, &session] { run_new(*options, session); });
  }
  {
    auto* command = group->add_subcommand("select", "Make a workspace the current one");
    auto options = std::make_shared<WorkspaceOptions>();
    command->add_option("NAME", options->name, "its name")->required();
    command->add_flag("--or-create", options->create, "Make it if there is none");
    command->callback([options, &session] { run_select(*options, session); });
  }
  auto* command = group->add_subcommand("delete", "Delete a workspace and its state");
  auto options = std::make_shared<WorkspaceOptions>();
  command->add_option("NAME", options->name, "its name")->required();
  command->add_flag("--force", options->force, "Also when its state has objects: they exist on, and are forgotten");
  add_lock_flags(*command, *options);
  command->callback([options, &session] { run_delete(*options, session); });
}

}  // namespace pravo::cli
