// The parts of `pravoc state`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/address.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

void add_state_reading_commands(CLI::App& group, Session& session);   // list, show, pull
void add_state_changing_commands(CLI::App& group, Session& session);  // rm, mv, replace-provider
void add_state_push_command(CLI::App& group, Session& session);

// What an address names, or nothing after a diagnostic.
std::optional<runtime::StateAddress> parse_target(const std::string& text, Diagnostics& diags);
std::optional<runtime::InstanceAddress> parse_instance(const std::string& text, Diagnostics& diags);

}  // namespace pravo::cli
