#include "passes/check.h"

#include "passes/mark_check.h"

namespace pravo::passes {

CheckFacts check(const Program& program, const SourceManager& sources, Diagnostics& diags,
                 const CheckOptions& options) {
  CheckFacts facts{propagate_marks(program, options.schemas)};
  check_marks(program, facts.marks, options.schemas, sources, diags);
  return facts;
}

std::string describe_marks(const Program& program, const CheckFacts& facts, ModuleId module, InstId inst) {
  return describe_marks(program, facts.marks, module, inst);
}

}  // namespace pravo::passes
