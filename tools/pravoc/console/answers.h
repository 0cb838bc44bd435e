// How the answers to expressions are shown, and what went wrong with them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/pravoc/console/expressions.h"

namespace pravo::cli {

// Opens a session and reports what the configuration, the variables or the state have against it (as a document with
// `json`). Null, with the exit code set, after errors.
std::unique_ptr<ExpressionSession> open_session(const ExpressionOptions& options, bool json, Session& session);

// An answer for people: on a terminal nothing in it can steer that.
std::string shown(Session& session, const Answer& answer);
// The whole text on one line: `\` is `\\`, and line breaks and tabs are `\n`, `\r` and `\t`.
std::string escape_line(std::string_view text);
// One line of JSON: the value with its type and shapes of what is unknown and sensitive in it, or the diagnostics.
std::string answer_json(const Compilation& compilation, const std::optional<Answer>& answer, const Diagnostics& diags);

void report_text(Session& session, const Compilation& compilation, const Diagnostics& diags);
// One line a diagnostic, behind the number of the input line that it is about.
void report_line(Session& session, const SourceManager& sources, size_t line, const Diagnostics& diags);

}  // namespace pravo::cli
