// `pravoc ir [DIR]`: the IR as text, after lowering or with what the passes found.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/text.h"
#include "ir/verify.h"
#include "tools/pravoc/compile.h"
#include "tools/pravoc/print_after.h"
#include "tools/pravoc/report.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

struct IrOptions {
  std::string directory = ".";
  std::string stage = "checked";
  std::vector<std::string> only;
  std::vector<std::string> print_after;
};

// The phases that were asked for, in the order in which they run, each under its name.
void run_print_after(const IrOptions& options, Session& session) {
  CompileOptions compile_options;
  compile_options.directory = options.directory;
  compile_options.run_passes = false;
  compile_options.read_variables = false;
  auto compilation = compile(compile_options);
  report_text(session, *compilation);
  if (compilation->diags.has_errors()) session.exit_code = kError;
  for (const std::string& pass : printable_passes()) {
    if (std::find(options.print_after.begin(), options.print_after.end(), pass) == options.print_after.end()) continue;
    if (pass != "parse" && !compilation->program) continue;
    session.out().write(fmt::format("; after {}\n", pass));
    session.out().write(print_after(pass, *compilation, options.only, session.out()));
  }
}

// The names that stand at the start of no line of a printed program.
std::vector<std::string> missing_names(const std::vector<std::string>& wanted, std::string_view text) {
  std::unordered_set<std::string_view> printed;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    printed.insert(line.substr(0, line.find(' ')));
    at = end + 1;
  }
  std::vector<std::string> out;
  for (const std::string& name : wanted)
    if (printed.find(name) == printed.end()) out.push_back(name);
  return out;
}

void run_ir(IrOptions options, Session& session) {
  // A shell's history has them with and without.
  for (std::string& name : options.only)
    if (!name.starts_with('%')) name.insert(0, "%");
  if (!options.print_after.empty()) return run_print_after(options, session);
  CompileOptions compile_options;
  compile_options.directory = options.directory;
  compile_options.run_passes = options.stage == "checked";
  compile_options.read_variables = false;
  auto compilation = compile(compile_options);
  report_text(session, *compilation);
  if (compilation->diags.has_errors()) session.exit_code = kError;
  if (!compilation->program) return;
  PrintOptions print;
  print.only = options.only;
  if (compilation->facts)
    print.comment = [&](ModuleId module, InstId inst) {
      return passes::describe_marks(*compilation->program, *compilation->facts, module, inst);
    };
  std::string text = print_program(*compilation->program, print);
  session.out().write(text);
  for (const std::string& name : missing_names(options.only, text)) {
    session.err().write(fmt::format("error: the program has no value `{}`\n", printable(name)));
    session.exit_code = kError;
  }
  for (const std::string& fault : verify(*compilation->program)) {
    session.err().write(fmt::format("error: the IR is not sound: {}\n", fault));
    session.exit_code = kError;
  }
}

}  // namespace

void add_ir_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("ir", "Print the dataflow graph that a configuration is compiled to");
  auto options = std::make_shared<IrOptions>();
  command->add_option("DIR", options->directory, "the configuration (default: the current directory)");
  command->add_option("--stage", options->stage, "lowered, or checked: with the marks that were inferred")
      ->check(CLI::IsMember({"lowered", "checked"}))
      ->capture_default_str();
  command
      ->add_option("--print-after", options->print_after,
                   "What this phase made: syntax trees, the program, or what it reports; may be given several times")
      ->check(CLI::IsMember(printable_passes()))
      ->allow_extra_args(false);
  command->add_option("--only", options->only, "Only these values, by their printed name (%name)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->callback([options, &session] { run_ir(*options, session); });
}

}  // namespace pravo::cli
