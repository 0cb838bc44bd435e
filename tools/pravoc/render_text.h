// Diagnostics for people: the message, the source line with the place marked, the path of a leak step by
// step, and what to do.
#pragma once

#include <string>

#include "ir/diagnostics.h"
#include "tools/pravoc/terminal.h"

namespace pravo::cli {

struct RenderContext {
  const SourceManager& sources;
  std::string prefix;  // put before file names: the checked directory, as the user named it, with a `/`
  const Terminal& terminal;
};

// "main.tf:3:10", with the prefix.
std::string place_text(const RenderContext& context, SourceRange range);

std::string render_text(const RenderContext& context, const Diagnostic& diagnostic);

// One line a diagnostic, `file:line:column: severity: message [id]`, notes and trace as further lines: for
// editors' error matchers and golden tests.
std::string render_line(const RenderContext& context, const Diagnostic& diagnostic);

}  // namespace pravo::cli
