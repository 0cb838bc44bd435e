// The text form of the IR (docs/ir.md). print -> parse -> print is the identity on every program.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ir/diagnostics.h"
#include "ir/program.h"

namespace pravo {

struct PrintOptions {
  // A trailing `; ...` comment for an instruction (inferred marks, facts), or empty. Comments are not parsed.
  std::function<std::string(ModuleId, InstId)> comment;
  // Only these instructions, by printed name ("%o"); all when empty.
  std::vector<std::string> only;
};

std::string print_program(const Program& program, const PrintOptions& options = {});
// The printed name of an instruction, with its `%`.
std::string print_name(const Program& program, ModuleId module, InstId id);

// Parses `file` into `program` (which must be empty). False when there were errors, each reported with its
// place.
bool parse_program(const SourceManager& sources, FileId file, Program& program, Diagnostics& diags);

}  // namespace pravo
