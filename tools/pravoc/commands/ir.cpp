// `pravoc ir [DIR]`: the IR as text, after lowering or with what the passes found.
#include <algorithm>

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

void run_ir(const IrOptions& options, Session& session) {
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
  session.out().write(print_program(*compilation->program, print));
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
      ->allow_extra_args(false);
  command->callback([options, &session] { run_ir(*options, session); });
}

}  // namespace pravo::cli
