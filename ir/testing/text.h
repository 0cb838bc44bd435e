// For tests: a program from its text, with everything that it needs to stay alive.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ir/text.h"

namespace pravo::testing {

struct Parsed {
  SourceManager sources;
  Names names;
  Program program{names};
  Diagnostics diags;
  FileId file;
  bool ok = false;

  explicit Parsed(std::string_view text) : file(sources.add("test.ir", std::string(text))) {
    ok = parse_program(sources, file, program, diags);
  }
  // As `line:column: message [id]`, one a line.
  std::string messages() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) {
      LineColumn at = sources.position(d.range.file, d.range.begin);
      out += std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + d.message + " [" +
             std::string(diagnostic_id(d.kind)) + "]\n";
      for (const DiagnosticNote& note : d.notes) {
        at = sources.position(note.range.file, note.range.begin);
        out += std::to_string(at.line) + ":" + std::to_string(at.column) + ": note: " + note.message + "\n";
      }
    }
    return out;
  }
  // The instruction with this printed name (`%x`) in a module; invalid when there is none.
  InstId find(std::string_view name, ModuleId module = ModuleId(0)) const {
    InstNames names_of(program, module);
    for (uint32_t i = 0; i < program.body(module).insts.size(); ++i)
      if (names_of(InstId(i)) == name) return InstId(i);
    return {};
  }
};

// `lines` as the body of a root module.
inline std::string in_root(std::string_view lines) { return "module @root {\n" + std::string(lines) + "\n}\n"; }

}  // namespace pravo::testing
