// Diagnostics for programs: the format of `terraform validate -json` (format_version 1.0), with the fields
// `code`, `notes`, `trace` and `fixes` added to a diagnostic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "ir/diagnostics.h"

namespace pravo::cli {

struct JsonContext {
  const SourceManager& sources;
  std::string prefix;  // put before file names
  // The header of the block around a place (`resource "a" "b"`), or empty.
  std::function<std::string(SourceRange)> enclosing_block;
};

nlohmann::ordered_json range_to_json(const JsonContext& context, SourceRange range);
nlohmann::ordered_json diagnostic_to_json(const JsonContext& context, const Diagnostic& diagnostic);

}  // namespace pravo::cli
