#include "tools/pravoc/help.h"

#include <memory>
#include <sstream>

#include "tools/pravoc/arguments.h"
#include "tools/pravoc/terminal.h"

namespace pravo::cli {

namespace {

class HelpForm : public CLI::Formatter {
 public:
  // `-out=FILE`, `-h, -help`, `NAME`
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    if (positional) return option->get_name(true, false);
    std::string out;
    for (const std::string& name : option->get_snames()) out += (out.empty() ? "-" : ", -") + name;
    for (const std::string& name : option->get_lnames()) out += (out.empty() ? "-" : ", -") + name;
    return out;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional()) return option->get_expected_max() > 1 ? " ..." : "";
    std::string type = value_name(option);
    return type.empty() ? "" : "=" + type;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string out = option->get_description();
    if (!option->get_default_str().empty()) out += " (default: " + option->get_default_str() + ")";
    // What a check of CLI11 lets through is written behind the type: `TEXT:{a,b}`.
    std::string type = option->get_type_name();
    if (size_t at = type.find(":{"); at != std::string::npos) {
      out += "; one of ";
      for (char c : type.substr(at + 2)) out += c == ',' ? std::string(", ") : std::string(1, c);
    }
    if (out.ends_with('}')) out.pop_back();
    return wrap_text(out, 0, kColumns - column_width_);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             wrap_text(command->get_description(), 0, kColumns - column_width_), column_width_);
    return out.str();
  }
  std::string make_description(const CLI::App* app) const override {
    return wrap_text(CLI::Formatter::make_description(app), 0, kColumns) + "\n";
  }

 private:
  static constexpr size_t kColumns = 100;

  static std::string value_name(const CLI::Option* option) {
    std::string type = option->get_type_name();
    type = type.substr(0, type.find(':'));
    return type == "TEXT" ? "VALUE" : type;
  }
};

}  // namespace

CLI::Option* add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& what_false_does) {
  return command.add_flag(name, value, what_false_does)->type_name("false");
}

void set_help_form(CLI::App& app) {
  auto form = std::make_shared<HelpForm>();
  form->column_width(28);
  app.formatter(form);
}

std::string help_text(const CLI::App& app) {
  const CLI::App* shown = &app;
  std::string words = "pravoc";
  for (std::vector<CLI::App*> chosen = app.get_subcommands(); !chosen.empty(); chosen = shown->get_subcommands()) {
    shown = chosen.back();
    words += " " + shown->get_name();
  }
  std::string help = one_dash_help(shown->help());
  // CLI11 names only the last word of a command.
  std::string usage = "Usage: " + shown->get_name();
  if (size_t at = help.find(usage); shown != &app && at != std::string::npos)
    help.replace(at, usage.size(), "Usage: " + words);
  return help;
}

}  // namespace pravo::cli
