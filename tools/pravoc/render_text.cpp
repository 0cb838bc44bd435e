#include "tools/pravoc/render_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace pravo::cli {

namespace {

std::string_view severity_word(Severity severity) {
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

Style severity_style(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return Style::Error;
    case Severity::Warning:
      return Style::Warning;
    case Severity::Note:
      return Style::Note;
  }
  return Style::Plain;
}

std::string expand_tabs(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\t')
      out += "    ";
    else
      out += c;
  }
  return printable(out);
}

unsigned digits(uint32_t number) {
  unsigned count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

// The line of the range's start with the range marked below it. Long lines are cut around the place.
void add_snippet(std::string& out, const RenderContext& context, SourceRange range, unsigned margin, Style style) {
  LineColumn begin = context.sources.position(range.file, range.begin);
  LineColumn end = context.sources.position(range.file, range.end);
  std::string_view line = context.sources.line(range.file, begin.line);
  std::string_view whole = context.sources.text(range.file);
  auto line_begin = static_cast<uint32_t>(line.data() - whole.data());
  uint32_t from = std::min<uint32_t>(range.begin - line_begin, static_cast<uint32_t>(line.size()));
  uint32_t to = end.line == begin.line ? std::max(from, range.end - line_begin) : static_cast<uint32_t>(line.size());
  to = std::min<uint32_t>(to, static_cast<uint32_t>(line.size()));

  constexpr uint32_t kWindow = 160;
  uint32_t cut = 0;
  if (line.size() > kWindow && from > kWindow / 2) {
    cut = from - kWindow / 2;
    while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
  }
  uint32_t stop = static_cast<uint32_t>(line.size());
  if (stop - cut > kWindow) {
    stop = cut + kWindow;
    while (stop < line.size() && (static_cast<unsigned char>(line[stop]) & 0xC0) == 0x80) ++stop;
  }
  std::string before = expand_tabs(line.substr(cut, from - cut));
  std::string marked = expand_tabs(line.substr(from, std::min(to, stop) - std::min(from, stop)));
  std::string after = expand_tabs(line.substr(std::min(to, stop), stop - std::min(to, stop)));
  std::string_view lead = cut > 0 ? "..." : "";
  std::string_view trail = stop < line.size() ? "..." : "";

  const Terminal& t = context.terminal;
  std::string bar = t.paint(Style::Place, "|");
  out += fmt::format("{} {}\n", std::string(margin, ' '), bar);
  out += fmt::format("{} {} {}{}{}{}{}\n", t.paint(Style::Place, fmt::format("{:>{}}", begin.line, margin)), bar, lead,
                     before, marked, after, trail);
  size_t indent = lead.size() + display_width(before);
  size_t width = std::max<size_t>(1, display_width(marked));
  std::string carets(width, '^');
  if (end.line > begin.line) carets += fmt::format(" ... to line {}", end.line);
  out += fmt::format("{} {} {}{}\n", std::string(margin, ' '), bar, std::string(indent, ' '), t.paint(style, carets));
}

}  // namespace

std::string place_text(const RenderContext& context, SourceRange range) {
  if (!range.valid()) return "";
  LineColumn at = context.sources.position(range.file, range.begin);
  return fmt::format("{}{}:{}:{}", context.prefix, printable(context.sources.name(range.file)), at.line, at.column);
}

std::string render_text(const RenderContext& context, const Diagnostic& d) {
  const Terminal& t = context.terminal;
  Style style = severity_style(d.severity);
  std::string out = fmt::format("{}{} {}\n", t.paint(style, severity_word(d.severity)),
                                t.paint(Style::Bold, ": " + printable(d.message)),
                                t.paint(Style::Faint, fmt::format("[{}]", diagnostic_id(d.kind))));
  unsigned margin = 1;
  // Of an empty file, or one that could not be read, there is no line to show.
  bool quoted = d.range.valid() && !context.sources.secret(d.range.file) && !context.sources.text(d.range.file).empty();
  if (quoted) margin = digits(context.sources.position(d.range.file, d.range.begin).line);
  std::string gutter(margin, ' ');
  if (d.range.valid()) {
    std::string where = place_text(context, d.range);
    if (!d.address.empty()) where += ", in " + printable(d.address);
    out += fmt::format("{}{} {}\n", gutter, t.paint(Style::Place, "-->"), where);
    if (quoted) add_snippet(out, context, d.range, margin, style);
  } else if (!d.address.empty()) {
    out += fmt::format("{}{} in {}\n", gutter, t.paint(Style::Place, "-->"), printable(d.address));
  }
  std::string mark = t.paint(Style::Place, "=");
  if (!d.trace.empty()) {
    out += fmt::format("{} {} {}\n", gutter, mark, t.paint(Style::Bold, "how it gets here:"));
    size_t number_width = digits(static_cast<uint32_t>(d.trace.size()));
    size_t place_width = 0;
    for (const TraceStep& step : d.trace) place_width = std::max(place_width, place_text(context, step.range).size());
    place_width = std::min<size_t>(place_width, 40);
    for (size_t i = 0; i < d.trace.size(); ++i) {
      const TraceStep& step = d.trace[i];
      out += fmt::format("{}     {:>{}}. {:<{}}  {}\n", gutter, i + 1, number_width, place_text(context, step.range),
                         place_width, printable(step.message));
    }
  }
  for (const DiagnosticNote& note : d.notes) {
    std::string where = place_text(context, note.range);
    std::string text = printable(note.message);
    if (!where.empty()) text = where + ": " + text;
    out += fmt::format("{} {} {}: {}\n", gutter, mark, t.paint(Style::Note, "note"),
                       wrap_text(text, margin + 9, t.width()));
  }
  if (!d.help.empty())
    out += fmt::format("{} {} {}: {}\n", gutter, mark, t.paint(Style::Note, "help"),
                       wrap_text(printable(d.help), margin + 9, t.width()));
  for (const FixEdit& fix : d.fixes)
    out += fmt::format("{} {} {}: {}\n", gutter, mark, t.paint(Style::Add, "fix"),
                       wrap_text(fmt::format("{}: {}", place_text(context, fix.range), printable(fix.description)),
                                 margin + 8, t.width()));
  return out;
}

std::string render_line(const RenderContext& context, const Diagnostic& d) {
  auto line = [&](SourceRange range, std::string_view word, std::string_view message) {
    std::string where = place_text(context, range);
    std::string flat(message);
    std::replace(flat.begin(), flat.end(), '\n', ' ');
    return where.empty() ? fmt::format("{}: {}", word, flat) : fmt::format("{}: {}: {}", where, word, flat);
  };
  std::string out = line(d.range, severity_word(d.severity), d.message) + fmt::format(" [{}]\n", diagnostic_id(d.kind));
  for (const TraceStep& step : d.trace) out += line(step.range, "trace", step.message) + "\n";
  for (const DiagnosticNote& note : d.notes) out += line(note.range, "note", note.message) + "\n";
  return out;
}

}  // namespace pravo::cli
