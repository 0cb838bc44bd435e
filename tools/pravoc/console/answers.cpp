#include "tools/pravoc/console/answers.h"

#include <fmt/format.h>

#include "ir/diagnostics/load.h"
#include "ir/eval_host.h"
#include "ir/functions.h"
#include "runtime/show/json_shapes.h"
#include "tools/pravoc/render_json.h"
#include "tools/pravoc/render_text.h"

namespace pravo::cli {

std::unique_ptr<ExpressionSession> open_session(const ExpressionOptions& options, bool json, Session& session) {
  Diagnostics problems;
  std::unique_ptr<Compilation> compilation;
  std::unique_ptr<ExpressionSession> opened = ExpressionSession::open(options, problems, compilation);
  const Compilation& about = opened ? opened->compilation() : *compilation;
  // Functions and operators need no configuration.
  Diagnostics of_interest;
  for (const Diagnostic& diagnostic : problems.all())
    if (diagnostic.kind != diag::NoConfiguration.kind) of_interest.add(diagnostic);
  problems = std::move(of_interest);
  problems.sort(about.sources);
  if (!opened) session.exit_code = kError;
  if (!json)
    report_text(session, about, problems);
  else if (!opened)
    session.out().write(answer_json(about, std::nullopt, problems));
  return opened;
}

std::string shown(Session& session, const Answer& answer) {
  return session.out().interactive() ? printable(answer.text()) : answer.text();
}

std::string escape_line(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 8);
  for (char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string answer_json(const Compilation& compilation, const std::optional<Answer>& answer, const Diagnostics& diags) {
  std::string out;
  runtime::JsonWriter w(out);
  w.open('{');
  w.member("format_version", "1.0");
  if (answer) {
    w.member("text", answer->text());
    w.key("type");
    w.raw(answer->type_json());
    if (!answer->of_type) {
      // Ephemeral values are written nowhere, whoever asks.
      RefusingHost host;
      Value arguments[] = {answer->value};
      Result<Value> written = call_function(FunctionId::Ephemeralasnull, arguments, host);
      w.key("value");
      runtime::write_plain(w, written.ok() ? *written : Value());
      w.key("value_unknown");
      runtime::write_unknown_shape(w, answer->value);
      w.key("value_sensitive");
      runtime::write_sensitive_shape(w, answer->value);
      w.key("ephemeral");
      w.flag(any(answer->value.deep_marks() & MarkSet::Ephemeral));
    }
  }
  if (!diags.empty()) {
    JsonContext context{compilation.sources, compilation.prefix,
                        [&](SourceRange range) { return enclosing_block(compilation, range); }};
    w.key("diagnostics");
    w.open('[');
    for (const Diagnostic& diagnostic : diags.all())
      w.raw(diagnostic_to_json(context, diagnostic).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    w.close(']');
  }
  w.close('}');
  return out + "\n";
}

void report_text(Session& session, const Compilation& compilation, const Diagnostics& diags) {
  RenderContext context{compilation.sources, compilation.prefix, session.err()};
  std::string out;
  for (const Diagnostic& diagnostic : diags.all()) out += render_text(context, diagnostic) + "\n";
  if (!out.empty()) session.err().write(out);
}

void report_line(Session& session, const SourceManager& sources, size_t line, const Diagnostics& diags) {
  RenderContext context{sources, "", session.err()};
  std::string out;
  for (const Diagnostic& diagnostic : diags.all())
    out += fmt::format("line {}: {}", line, render_line(context, diagnostic));
  if (!out.empty()) session.err().write(out);
}

}  // namespace pravo::cli
