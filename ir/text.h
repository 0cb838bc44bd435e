// The text form of the IR (docs/ir.md). print -> parse -> print is the identity on every program that verifies.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/diagnostics.h"
#include "ir/program.h"

namespace pravo {

// The printed names of a body's instructions: `%` and the hint, made unique where two share one, else the number.
class InstNames {
 public:
  InstNames(const Program& program, ModuleId module);
  std::string operator()(InstId id) const {
    std::string out;
    append(out, id);
    return out;
  }
  void append(std::string& out, InstId id) const;

 private:
  std::vector<std::pair<InstId, std::string>> named_;  // those with a hint, by id
};

// The printed name of one instruction. Each call takes time linear in the body: for many use InstNames.
std::string print_name(const Program& program, ModuleId module, InstId id);

struct PrintOptions {
  // A trailing `; ...` comment for an instruction (inferred marks, facts), or empty. Comments are not parsed.
  std::function<std::string(ModuleId, InstId)> comment;
  // Only these instructions, by printed name ("%o"), without a module around them; all when empty. An instruction
  // with regions is printed with them.
  std::vector<std::string> only;
};

std::string print_program(const Program& program, const PrintOptions& options = {});
// One instruction on one line, its regions left out; for messages. Safe on a program that does not verify.
std::string print_inst(const Program& program, ModuleId module, InstId id, const InstNames& names);

// Parses `file` into `program` (which must be empty). False when there were errors, each reported with its place.
// The result may still break invariants: verify() it (ir/verify.h). The range of an instruction is its line's text.
bool parse_program(const SourceManager& sources, FileId file, Program& program, Diagnostics& diags);

}  // namespace pravo
