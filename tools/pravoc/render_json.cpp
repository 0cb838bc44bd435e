#include "tools/pravoc/render_json.h"

#include <algorithm>

namespace pravo::cli {

namespace {

using Json = nlohmann::ordered_json;

Json position_to_json(const LineColumn& at) {
  return Json{{"line", at.line}, {"column", at.column}, {"byte", at.byte}};
}

// The source lines from the range's first to its last, with the offsets of the marked part (in bytes of
// `code`, as Terraform counts them).
Json snippet_to_json(const JsonContext& context, SourceRange range) {
  LineColumn begin = context.sources.position(range.file, range.begin);
  LineColumn end = context.sources.position(range.file, range.end);
  constexpr uint32_t kMaxLines = 40;
  uint32_t last = std::min(end.line, begin.line + kMaxLines);
  std::string code;
  size_t line_begin = 0;
  for (uint32_t line = begin.line; line <= last; ++line) {
    std::string_view text = context.sources.line(range.file, line);
    if (line == begin.line)
      line_begin = static_cast<size_t>(text.data() - context.sources.text(range.file).data());
    else
      code += '\n';
    code += text;
  }
  size_t from = std::min(code.size(), static_cast<size_t>(range.begin) - line_begin);
  size_t to = std::min(code.size(), std::max(from, static_cast<size_t>(range.end) - line_begin));
  std::string block = context.enclosing_block ? context.enclosing_block(range) : std::string();
  return Json{{"context", block.empty() ? Json(nullptr) : Json(block)},
              {"code", code},
              {"start_line", begin.line},
              {"highlight_start_offset", from},
              {"highlight_end_offset", to},
              {"values", Json::array()}};
}

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "";
}

}  // namespace

Json range_to_json(const JsonContext& context, SourceRange range) {
  return Json{{"filename", context.prefix + std::string(context.sources.name(range.file))},
              {"start", position_to_json(context.sources.position(range.file, range.begin))},
              {"end", position_to_json(context.sources.position(range.file, range.end))}};
}

Json diagnostic_to_json(const JsonContext& context, const Diagnostic& d) {
  Json out{{"severity", severity_text(d.severity)}, {"summary", d.message}, {"detail", d.help}};
  if (!d.address.empty()) out["address"] = d.address;
  if (d.range.valid()) {
    out["range"] = range_to_json(context, d.range);
    if (!context.sources.secret(d.range.file) && !context.sources.text(d.range.file).empty())
      out["snippet"] = snippet_to_json(context, d.range);
  }
  out["code"] = diagnostic_id(d.kind);
  auto place = [&](SourceRange range, Json& entry) {
    if (range.valid()) entry["range"] = range_to_json(context, range);
  };
  Json notes = Json::array();
  for (const DiagnosticNote& note : d.notes) {
    Json entry{{"message", note.message}};
    place(note.range, entry);
    notes.push_back(std::move(entry));
  }
  Json trace = Json::array();
  for (const TraceStep& step : d.trace) {
    Json entry{{"message", step.message}};
    place(step.range, entry);
    trace.push_back(std::move(entry));
  }
  Json fixes = Json::array();
  for (const FixEdit& fix : d.fixes) {
    Json entry{{"description", fix.description}, {"replacement", fix.replacement}};
    place(fix.range, entry);
    fixes.push_back(std::move(entry));
  }
  out["notes"] = std::move(notes);
  out["trace"] = std::move(trace);
  out["fixes"] = std::move(fixes);
  return out;
}

}  // namespace pravo::cli
