// How help looks: options with one dash and `=VALUE`, as one types them, and every command under `pravoc help`.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace pravo::cli {

// A flag that is on unless the user says `-name=false`; help shows it in that form, with what that does.
CLI::Option* add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& what_false_does);

// Makes `app`, and every command that is added to it from now on, write its help in this form.
void set_help_form(CLI::App& app);

// The help of the command that was parsed last, or of `app` itself.
std::string help_text(const CLI::App& app);

}  // namespace pravo::cli
