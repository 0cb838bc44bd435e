// `pravoc eval`: one expression, or one a line, with the directory's configuration, variables and state in scope.
#include <iostream>

#include <fmt/format.h>

#include "tools/pravoc/arguments.h"
#include "tools/pravoc/console/answers.h"
#include "tools/pravoc/console/through_ir.h"
#include "tools/pravoc/input_lines.h"

namespace pravo::cli {

namespace {

struct EvalOptions {
  ExpressionOptions scope;
  std::optional<std::string> expression;
  bool lines = false;
  bool null = false;
  bool through_ir = false;
  bool json = false;
};

void refuse(Session& session, std::string_view why) {
  session.err().write(fmt::format("error: {}\n", why));
  session.exit_code = kError;
}

char line_end(const EvalOptions& options) { return options.null ? '\0' : '\n'; }

// Each line is answered before the next is read, so a program may hold a dialogue.
void run_lines(const EvalOptions& options, ExpressionSession& expressions, Session& session) {
  size_t number = 0;
  for (std::string line;;) {
    InputEnd end = read_line(std::cin, line, line_end(options));
    if (end == InputEnd::TooLong) return refuse(session, too_long_message(true));
    if (end == InputEnd::End) return;
    ++number;
    Diagnostics diags;
    std::optional<Answer> answer = expressions.evaluate(std::move(line), diags);
    if (options.json)
      session.out().write(answer_json(expressions.compilation(), answer, diags));
    else
      session.out().write((answer ? escape_line(answer->text()) : "ERROR") + "\n");
    if (!options.json) report_line(session, expressions.sources(), number, diags);
  }
}

void run_through_ir(const EvalOptions& options, ExpressionSession& expressions, Session& session) {
  std::vector<std::string> lines;
  size_t total = 0;
  for (std::string line;;) {
    InputEnd end = read_line(std::cin, line, line_end(options));
    total += line.size() + 1;
    if (end == InputEnd::TooLong || total > kMaxInput) return refuse(session, too_long_message(end != InputEnd::None));
    if (end == InputEnd::End) break;
    lines.push_back(std::move(line));
  }
  ThroughIr result = evaluate_through_ir(expressions, lines);
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    out += (result.answers[i] ? escape_line(result.answers[i]->text()) : "ERROR") + "\n";
    report_line(session, expressions.sources(), i + 1, result.diags[i]);
  }
  session.out().write(out);
  for (const std::string& fault : result.faults) {
    session.err().write(fmt::format("error: {}\n", fault));
    session.exit_code = kError;
  }
}

void run_one(const EvalOptions& options, ExpressionSession& expressions, Session& session) {
  std::string text;
  if (options.expression)
    text = *options.expression;
  else if (read_all(std::cin, text) == InputEnd::TooLong)
    return refuse(session, too_long_message(false));
  // The line break that ends a file is no part of the expression.
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  Diagnostics diags;
  std::optional<Answer> answer = expressions.evaluate(std::move(text), diags);
  if (options.json) {
    session.out().write(answer_json(expressions.compilation(), answer, diags));
  } else {
    report_text(session, expressions.compilation(), diags);
    if (answer) session.out().write(shown(session, *answer) + "\n");
  }
  if (!answer) session.exit_code = kError;
}

void run_eval(const EvalOptions& options, Session& session) {
  if (options.lines && options.expression)
    return refuse(session, "-lines reads expressions from standard input; give none here");
  if (options.null && !options.lines) return refuse(session, "-null goes with -lines");
  if (options.through_ir && (!options.lines || options.json))
    return refuse(session, "-through-ir goes with -lines, without -json");
  std::unique_ptr<ExpressionSession> expressions = open_session(options.scope, options.json, session);
  if (!expressions) return;
  if (options.through_ir) return run_through_ir(options, *expressions, session);
  if (options.lines) return run_lines(options, *expressions, session);
  run_one(options, *expressions, session);
}

}  // namespace

void add_eval_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("eval", "Evaluate an expression in the scope of the configuration and the state");
  auto options = std::make_shared<EvalOptions>();
  command->add_option("EXPR", options->expression, "the expression; without one it is read from standard input");
  command->add_flag("--lines", options->lines,
                    "Read one expression a line and answer each with one line: the value, with \\ as \\\\ and line "
                    "breaks and tabs as \\n, \\r and \\t, or ERROR");
  command->add_flag("--null", options->null,
                    "With -lines: a NUL byte ends an expression, which may have several lines; answers are as before");
  command->add_flag("--through-ir", options->through_ir,
                    "With -lines: print all expressions as IR, and evaluate what parsing that text gives");
  command->add_flag("--json", options->json, "Answer as JSON; sensitive values are in clear, ephemeral ones never");
  command->add_option("--state", options->scope.state_path, "Read this state file")->type_name("FILE");
  auto variables = std::make_shared<VariableOptions>(*command);
  command->callback([options, variables, &session] {
    options->scope.variables = variables->values();
    run_eval(*options, session);
  });
}

}  // namespace pravo::cli
