#include "passes/check.h"

#include "passes/advise.h"
#include "passes/fold.h"
#include "passes/mark_check.h"
#include "passes/unused.h"

namespace pravo::passes {

CheckFacts check(const Program& program, const SourceManager& sources, Diagnostics& diags,
                 const CheckOptions& options) {
  bool sound = !diags.has_errors();
  CheckFacts facts{propagate_marks(program, options.schemas)};
  check_marks(program, facts.marks, options.schemas, sources, diags);
  report_certain_failures(program, facts.marks.modules, diags);
  if (sound) {
    report_unused(program, diags);
    advise(program, facts.marks, options.schemas, sources, diags);
  }
  return facts;
}

std::string describe_marks(const Program& program, const CheckFacts& facts, ModuleId module, InstId inst) {
  return describe_marks(program, facts.marks, module, inst);
}

}  // namespace pravo::passes
