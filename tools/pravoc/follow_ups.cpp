#include "tools/pravoc/follow_ups.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <utility>

#include "ir/diagnostics/load.h"
#include "ir/diagnostics/lower.h"
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

bool is_one_of(DiagnosticKind kind, std::initializer_list<DiagnosticKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// A file of a configuration that is not looked at at all.
bool is_lost_file(const Diagnostic& d, const SourceManager& sources) {
  if (!d.range.valid() || !is_one_of(d.kind, {diag::FileUnreadable.kind, diag::FileNotText.kind, diag::Utf16.kind}))
    return false;
  std::string_view name = sources.name(d.range.file);
  return name.ends_with(".tf") || name.ends_with(".tf.json");
}

std::string_view directory_of(std::string_view file) { return file.substr(0, file.rfind('/') + 1); }

// What a lost file declares is not known. Its module may have what is referred to in it, and what calls of it name.
void drop_what_may_be_declared(Diagnostics& diags, const SourceManager& sources) {
  std::set<std::string_view> modules;
  for (const Diagnostic& d : diags.all())
    if (is_lost_file(d, sources)) modules.insert(directory_of(sources.name(d.range.file)));
  if (modules.empty()) return;
  auto may_be_declared = [&](const Diagnostic& d) {
    if (is_one_of(d.kind, {diag::UndeclaredOutput.kind, diag::UnknownModuleArgument.kind,
                           diag::UndeclaredVariableValue.kind, diag::UndeclaredVarOption.kind}))
      return true;
    return d.range.valid() && modules.contains(directory_of(sources.name(d.range.file))) &&
           is_one_of(d.kind, {diag::UndeclaredVariable.kind, diag::UndeclaredLocal.kind, diag::UndeclaredModule.kind,
                              diag::UndeclaredResource.kind});
  };
  Diagnostics kept;
  for (const Diagnostic& d : diags.all())
    if (!may_be_declared(d)) kept.add(d);
  diags = std::move(kept);
}

}  // namespace

void drop_follow_ups(Diagnostics& diags, const SourceManager& sources) {
  drop_what_may_be_declared(diags, sources);
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
