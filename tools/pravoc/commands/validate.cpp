// `pravoc validate`: Terraform's command, answered as Terraform does: is the configuration of this directory valid?
// It is `check` of one directory without what goes beyond: no warnings of ours in the text, one line when all is well.
#include <fmt/format.h>

#include "tools/pravoc/arguments.h"
#include "tools/pravoc/compile.h"
#include "tools/pravoc/report.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

struct ValidateOptions {
  bool json = false;
  bool no_tests = false;
  std::string test_directory = "tests";
};

void run_validate(const ValidateOptions& options, Session& session) {
  CompileOptions compile_options;
  compile_options.read_variables = false;
  compile_options.tests = !options.no_tests;
  compile_options.test_directory = options.test_directory;
  compile_options.keep_syntax = false;
  auto compilation = compile(compile_options);
  if (compilation->diags.has_errors()) session.exit_code = kError;
  if (options.json) {
    session.out().write(report_json({compilation.get()}));
    return;
  }
  report_text(session, *compilation);
  if (!compilation->diags.has_errors())
    session.out().write(fmt::format("{} The configuration is valid{}.\n", session.out().paint(Style::Add, "Success!"),
                                    compilation->diags.warning_count() > 0 ? ", with the warnings above" : ""));
}

}  // namespace

void add_validate_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("validate", "Terraform's command: whether the configuration here is valid");
  auto options = std::make_shared<ValidateOptions>();
  command->add_flag("--json", options->json, "Answer as JSON, in the shape of `terraform validate -json`");
  command->add_flag("--no-tests", options->no_tests, "Do not read test files (*.tftest.hcl)");
  command
      ->add_option("--test-directory", options->test_directory,
                   "Where test files are beside the directory itself (default: tests)")
      ->type_name("DIR");
  command->callback([options, &session] { run_validate(*options, session); });
}

}  // namespace pravo::cli
