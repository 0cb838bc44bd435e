// state: the group of commands that look into a state and change it by hand.
#include "ir/diagnostics/commands.h"
#include "tools/pravoc/commands/state_commands.h"

namespace pravo::cli {

std::optional<runtime::StateAddress> parse_target(const std::string& text, Diagnostics& diags) {
  std::optional<runtime::StateAddress> address = runtime::StateAddress::parse(text);
  if (!address) diags.emit({}, diag::NotAnAddress, printable(text), "a module, a resource or a resource instance");
  return address;
}

std::optional<runtime::InstanceAddress> parse_instance(const std::string& text, Diagnostics& diags) {
  std::optional<runtime::InstanceAddress> address = runtime::InstanceAddress::parse(text);
  if (!address) diags.emit({}, diag::NotAnAddress, printable(text), "a resource instance");
  return address;
}

void add_state_commands(CLI::App& app, Session& session) {
  auto* group = app.add_subcommand("state", "Look into the state, and change by hand what it records");
  group->require_subcommand(1);
  add_state_reading_commands(*group, session);
  add_state_changing_commands(*group, session);
  add_state_push_command(*group, session);
}

}  // namespace pravo::cli
