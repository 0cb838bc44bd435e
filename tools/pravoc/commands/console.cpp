// `pravoc console`: expressions at a prompt, with the directory's configuration, variables and state in scope. Where
// standard input is no terminal it does what Terraform's console does there.
#include <unistd.h>
#include <iostream>

#include "tools/pravoc/arguments.h"
#include "tools/pravoc/console/answers.h"
#include "tools/pravoc/console/completion.h"
#include "tools/pravoc/console/input.h"
#include "tools/pravoc/console/line_editor.h"
#include "tools/pravoc/input_lines.h"

namespace pravo::cli {

namespace {

constexpr std::string_view kHelp =
    "Type an expression to see its value, in the scope of the configuration and the state:\n"
    "    var.name, local.name, module.name.output, a resource by its address, functions.\n"
    "type(EXPRESSION) shows the type of a value. The tab key completes names. Brackets and\n"
    "heredocs that are open go on in the next line.\n"
    "\n"
    "`exit`, Ctrl-D, or Ctrl-C on an empty line ends the session.";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Only the last answer is shown, and the first fault ends it all.
void run_piped(ExpressionSession& expressions, Session& session) {
  std::string last;
  for (std::string line;;) {
    InputEnd end = read_line(std::cin, line);
    if (end == InputEnd::TooLong) {
      session.err().write("error: " + too_long_message(true) + "\n");
      session.exit_code = kError;
      return;
    }
    if (end == InputEnd::End) break;
    std::string_view input = trimmed(line);
    if (input == "exit") return;
    last.clear();
    if (input.empty()) continue;
    if (input == "help") {
      last = kHelp;
      continue;
    }
    Diagnostics diags;
    std::optional<Answer> answer = expressions.evaluate(std::string(input), diags);
    report_text(session, expressions.compilation(), diags);
    if (!answer) {
      session.exit_code = kError;
      return;
    }
    last = shown(session, *answer);
  }
  session.out().write(last + "\n");
}

void run_interactive(ExpressionSession& expressions, Session& session) {
  InputHistory history;
  LineEditor editor([&](std::string_view word) { return complete(expressions.program(), word); });
  for (const std::string& input : history.read()) editor.remember(input);
  std::string pending;
  while (true) {
    LineEditor::Line line = editor.read(pending.empty() ? "> " : ": ");
    if (line.kind == LineEditor::Line::Kind::End) {
      session.out().write("\n");
      return;
    }
    if (line.kind == LineEditor::Line::Kind::Interrupted) {
      if (pending.empty() && line.text.empty()) return;
      pending.clear();
      continue;
    }
    std::string input = pending.empty() ? line.text : pending + "\n" + line.text;
    pending.clear();
    std::string_view word = trimmed(input);
    if (word.empty()) continue;
    if (word == "exit") return;
    if (word == "help") {
      session.out().write(std::string(kHelp) + "\n");
      continue;
    }
    if (wants_more(input)) {
      pending = std::move(input);
      continue;
    }
    editor.remember(input);
    Diagnostics diags;
    std::optional<Answer> answer = expressions.evaluate(input, diags);
    report_text(session, expressions.compilation(), diags);
    if (!answer) continue;
    session.out().write(shown(session, *answer) + "\n");
    if (!any(answer->value.deep_marks())) history.append(input);
  }
}

void run_console(const ExpressionOptions& options, Session& session) {
  std::unique_ptr<ExpressionSession> expressions = open_session(options, false, session);
  if (!expressions) return;
  if (::isatty(STDIN_FILENO) == 1)
    run_interactive(*expressions, session);
  else
    run_piped(*expressions, session);
}

}  // namespace

void add_console_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("console", "Try expressions at a prompt");
  auto options = std::make_shared<ExpressionOptions>();
  command->add_option("--state", options->state_path, "Read this state file")->type_name("FILE");
  auto variables = std::make_shared<VariableOptions>(*command);
  command->callback([options, variables, &session] {
    options->variables = variables->values();
    run_console(*options, session);
  });
}

}  // namespace pravo::cli
