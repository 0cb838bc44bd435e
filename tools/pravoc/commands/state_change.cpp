// state rm, state mv, state replace-provider: changes of what a state records. Nothing that exists is touched; each
// keeps the state before it as a backup with its date.
#include <filesystem>

#include <fmt/format.h>

#include "frontend/load/address.h"
#include "ir/json_codec.h"
#include "runtime/state/edit.h"
#include "tools/pravoc/ask.h"
#include "tools/pravoc/commands/state_commands.h"
#include "tools/pravoc/state_session.h"

namespace pravo::cli {

namespace {

using runtime::InstanceAddress;
using runtime::StateAddress;

struct ChangeOptions : StateOptions {
  bool dry_run = false;
  bool auto_approve = false;
  std::vector<std::string> addresses;
  std::string from;
  std::string to;
  std::string backup_out_path;
};

void run_remove(const ChangeOptions& options, Session& session) {
  std::unique_ptr<StateSession> state = StateSession::open(session, options, "state-rm", BackupForm::Dated);
  if (!state || !state->require_found()) return;
  std::vector<InstanceAddress> instances;
  std::vector<std::string> missing;
  for (const std::string& text : options.addresses) {
    std::optional<StateAddress> target = parse_target(text, state->diags);
    if (!target) continue;
    std::vector<InstanceAddress> more = runtime::instances_of(state->state, *target);
    if (more.empty()) missing.push_back(text);
    instances.insert(instances.end(), more.begin(), more.end());
  }
  if (state->flush()) return;
  std::string out;
  for (const InstanceAddress& address : instances)
    out += fmt::format("{} {}\n", options.dry_run ? "Would remove" : "Removed", address.to_string());
  if (options.dry_run) {
    session.out().write(out.empty() ? "Would have removed nothing.\n" : out);
    return;
  }
  if (instances.empty()) {
    for (const std::string& text : missing) runtime::report_missing(state->state, printable(text), state->diags);
    state->flush();
    return;
  }
  for (const std::string& text : missing)
    session.err().write(fmt::format("warning: the state has no `{}`\n", printable(text)));
  runtime::forget(state->state, instances);
  if (!state->save()) return;
  session.out().write(out + fmt::format("Successfully removed {} resource instance(s).\n", instances.size()));
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

std::string in_quotes(std::string_view text) {
  std::string out;
  append_json_string(out, text, false);
  return out;
}

void run_move(const ChangeOptions& options, Session& session) {
  StateOptions from_options = options;
  from_options.state_out_path.clear();
  std::unique_ptr<StateSession> from = StateSession::open(session, from_options, "state-mv", BackupForm::Dated);
  if (!from || !from->require_found()) return;
  std::unique_ptr<StateSession> other;
  if (!options.state_out_path.empty() && !same_file(options.state_out_path, from->file().read_path())) {
    runtime::StatePaths paths;
    paths.read = options.state_out_path;
    paths.backup = options.backup_out_path;
    other = StateSession::open(session, options, std::move(paths), "state-mv", BackupForm::Dated);
    if (!other) return;
  }
  StateSession& to = other ? *other : *from;
  std::optional<StateAddress> source = parse_target(options.from, from->diags);
  std::optional<StateAddress> destination = parse_target(options.to, from->diags);
  std::optional<std::vector<runtime::MovedObject>> moved;
  if (source && destination) moved = runtime::move_objects(from->state, to.state, *source, *destination, from->diags);
  if (from->flush() || !moved) return;
  std::string out;
  for (const runtime::MovedObject& object : *moved)
    out += fmt::format("{} {} to {}\n", options.dry_run ? "Would move" : "Move", in_quotes(object.from),
                       in_quotes(object.to));
  // What is in both states after a fault is easier to mend than what is in none.
  if (!options.dry_run) {
    if (!to.save() || (other && !from->save())) return;
    out += fmt::format("Successfully moved {} object(s).\n", moved->size());
  }
  session.out().write(out);
}

// `hashicorp/aws` as states name it. Nothing after a fault was shown.
std::optional<std::string> full_provider_address(const std::string& text, Session& session) {
  load::ProviderSource source = load::parse_provider_source(text);
  if (source.fault.empty()) return source.address;
  session.err().write(
      fmt::format("error: `{}` is not the address of a provider: {}\n", printable(text), printable(source.fault)));
  session.exit_code = kError;
  return std::nullopt;
}

void run_replace_provider(const ChangeOptions& options, Session& session) {
  std::optional<std::string> from = full_provider_address(options.from, session);
  std::optional<std::string> to = full_provider_address(options.to, session);
  if (!from || !to) return;
  std::unique_ptr<StateSession> state =
      StateSession::open(session, options, "state-replace-provider", BackupForm::Dated);
  if (!state || !state->require_found()) return;
  std::vector<std::string> changed = runtime::replace_provider(state->state, *from, *to);
  if (changed.empty()) {
    session.out().write("No matching resources found.\n");
    return;
  }
  std::string out = fmt::format("Resources of provider {} that are to belong to {}:\n\n", *from, *to);
  for (const std::string& address : changed) out += "  " + address + "\n";
  session.out().write(out);
  if (!options.auto_approve) {
    std::optional<std::string> answer =
        read_answer([&] { session.out().write("\nChange the state so? Only `yes` goes on: "); }, /*hidden=*/false);
    if (!answer) {
      session.err().write("error: approval is needed, and nobody answers; give -auto-approve\n");
      session.exit_code = kError;
      return;
    }
    if (*answer != "yes") {
      session.out().write("Nothing was changed.\n");
      return;
    }
  }
  if (!state->save(*from != *to)) return;
  session.out().write(fmt::format("\nSuccessfully replaced provider for {} resources.\n", changed.size()));
}

void add_change_flags(CLI::App& command, ChangeOptions& options) {
  command.add_option("--state", options.state_path, "Change this state file")->type_name("FILE");
  command
      .add_option("--backup", options.backup_path, "Where the old state is kept instead of beside it, with its date")
      ->type_name("FILE");
  add_lock_flags(command, options);
  // Of backends that are not there yet.
  static bool ignored = false;
  command.add_flag("--ignore-remote-version", ignored)->group("");
}

}  // namespace

void add_state_changing_commands(CLI::App& group, Session& session) {
  {
    auto* command = group.add_subcommand("rm", "Forget resource instances; what exists is left alone");
    auto options = std::make_shared<ChangeOptions>();
    command->add_option("ADDRESS", options->addresses, "modules with all in them, resources, or instances")->required();
    command->add_flag("--dry-run", options->dry_run, "Only say what would be removed");
    add_change_flags(*command, *options);
    command->callback([options, &session] { run_remove(*options, session); });
  }
  {
    auto* command = group.add_subcommand("mv", "Move a module, a resource or an instance to another address");
    auto options = std::make_shared<ChangeOptions>();
    command->add_option("SOURCE", options->from, "what is moved: a module, a resource or an instance")->required();
    command->add_option("DESTINATION", options->to, "its new address, where nothing may be yet")->required();
    command->add_flag("--dry-run", options->dry_run, "Only say what would be moved");
    add_change_flags(*command, *options);
    command->add_option("--state-out", options->state_out_path, "Move it into this state file")->type_name("FILE");
    command->add_option("--backup-out", options->backup_out_path, "Where the old state of -state-out is kept")
        ->type_name("FILE");
    command->callback([options, &session] { run_move(*options, session); });
  }
  auto* command = group.add_subcommand("replace-provider", "Give the resources of one provider to another");
  auto options = std::make_shared<ChangeOptions>();
  command->add_option("FROM", options->from, "the provider that they have: hashicorp/aws")->required();
  command->add_option("TO", options->to, "the provider that they get: registry.example.com/acme/aws")->required();
  command->add_flag("--auto-approve", options->auto_approve, "Do not ask before changing the state");
  add_change_flags(*command, *options);
  command->add_option("--state-out", options->state_out_path, "Write the new state here")->type_name("FILE");
  command->callback([options, &session] { run_replace_provider(*options, session); });
}

}  // namespace pravo::cli
