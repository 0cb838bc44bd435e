#include "tools/pravoc/follow_ups.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ir/diagnostics/syntax.h"

namespace pravo::cli {

namespace {

bool is_syntax(DiagnosticKind kind) {
  static constexpr DiagnosticKind kKinds[] = {
#define PRAVO_DIAG(Name, id, severity, text, help) diag::Name.kind,
#include "ir/diagnostics/syntax.def"
#undef PRAVO_DIAG
  };
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

}  // namespace

void drop_follow_ups(Diagnostics& diags, const SourceManager& sources) {
  using Line = std::pair<uint32_t, uint32_t>;  // file, line
  auto line_of = [&](const Diagnostic& d) {
    return Line(d.range.file.index, sources.position(d.range.file, d.range.begin).line);
  };
  std::set<Line> broken;
  for (const Diagnostic& d : diags.all())
    if (d.range.valid() && is_syntax(d.kind)) broken.insert(line_of(d));
  if (broken.empty()) return;
  Diagnostics kept;
  for (const Diagnostic& d : diags.all())
    if (!d.range.valid() || is_syntax(d.kind) || !broken.contains(line_of(d))) kept.add(d);
  diags = std::move(kept);
}

}  // namespace pravo::cli
