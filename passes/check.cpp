#include "passes/check.h"

#include <set>
#include <thread>

#include "passes/advise.h"
#include "passes/conditions.h"
#include "passes/fold.h"
#include "passes/mark_check.h"
#include "passes/module_index.h"
#include "passes/unused.h"

namespace pravo::passes {

namespace {

// What needs no marks: values that certainly cannot be computed, or are refused, and names that nothing uses. `found`
// starts with what was reported before, since one fault is reported once.
void check_values(const Program& program, bool sound, Diagnostics& found) {
  const ModuleIndex modules = index_modules(program);
  report_certain_failures(program, modules, found);
  report_failed_conditions(program, modules, found);
  if (sound) report_unused(program, found);
}

// Smaller programs are done before a thread has started.
constexpr size_t kWorthAThread = 5000;

size_t inst_count(const Program& program) {
  size_t count = 0;
  for (const auto& body : program.bodies) count += body->insts.size();
  return count;
}

}  // namespace

CheckFacts check(const Program& program, const SourceManager& sources, Diagnostics& diags,
                 const CheckOptions& options) {
  const bool sound = !diags.has_errors();
  const size_t before = diags.all().size();
  Diagnostics values = diags;
  std::thread beside;
  if (inst_count(program) >= kWorthAThread)
    beside = std::thread([&] { check_values(program, sound, values); });
  else
    check_values(program, sound, values);

  CheckFacts facts{propagate_marks(program, options.schemas)};
  check_marks(program, facts.marks, options.schemas, sources, diags);
  // A value that must not be where it is hides that it cannot be computed either.
  std::set<std::pair<uint32_t, uint32_t>> refused;
  for (const Diagnostic& d : diags.all())
    if (d.severity == Severity::Error && d.range.valid()) refused.insert({d.range.file.index, d.range.begin});
  if (sound) advise(program, facts.marks, options.schemas, sources, diags);

  if (beside.joinable()) beside.join();
  for (size_t i = before; i < values.all().size(); ++i) {
    const Diagnostic& d = values.all()[i];
    if (d.severity != Severity::Error || !refused.contains({d.range.file.index, d.range.begin})) diags.add(d);
  }
  return facts;
}

std::string describe_marks(const Program& program, const CheckFacts& facts, ModuleId module, InstId inst) {
  return describe_marks(program, facts.marks, module, inst);
}

}  // namespace pravo::passes
