#include "runtime/expressions.h"

#include <chrono>
#include <filesystem>
#include <unordered_set>

#include "ir/diagnostics/runtime.h"

namespace pravo::runtime {

namespace {

InterpreterOptions interpreter_options(const RunContext& context) {
  InterpreterOptions options;
  std::unordered_set<NameId> given;
  for (const RootVariable& variable : context.variables) {
    options.inputs.push_back({variable.name, variable.value});
    given.insert(variable.name);
  }
  const ModuleBody& root = context.program.body(ModuleId(0));
  for (const VariableInfo& variable : root.variables) {
    const Inst& inst = root.inst(variable.inst);
    if ((inst.flags & kHasDefault) != 0 || given.contains(variable.name)) continue;
    options.inputs.push_back({variable.name, Value::unknown(variable.type.type.without_optional())});
  }
  options.workspace = context.workspace;
  options.oracle = context.oracle;
  std::error_code error;
  options.working_directory = std::filesystem::current_path(error).string();
  return options;
}

WorldHost::Options host_options(const RunContext& context) {
  WorldHost::Options options;
  options.directory = context.directory;
  options.compiler = context.compiler;
  options.defer_impure = false;
  options.plan_moment.seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return options;
}

}  // namespace

Expressions::Expressions(const RunContext& context, provider::Registry& providers, const State& state)
    : effects_(context.program, providers, state),
      host_(host_options(context)),
      interpreter_(context.program, effects_, host_, interpreter_options(context)) {}

std::optional<Value> Expressions::evaluate(InstId inst, InstId first, Diagnostics& diags) {
  interpreter_.extend_root();
  size_t failures = effects_.failures().size();
  Evaluated result = interpreter_.evaluate(interpreter_.root(), inst);
  // Objects that could not be read leave the value unknown; the user should know why.
  for (; failures < effects_.failures().size(); ++failures) diags.add(effects_.failures()[failures]);
  PRAVOC_CHECK(!result.pending());
  if (result.failed()) report(result.fault, diags);
  interpreter_.forget_root(first);
  if (!result.ready()) return std::nullopt;
  return std::move(result.value);
}

// Every time: a fault of the configuration itself may be met again and again, and each time it is the answer.
void Expressions::report(FaultIndex first, Diagnostics& diags) {
  std::vector<FaultIndex> todo{first};
  std::unordered_set<FaultIndex> seen;
  while (!todo.empty()) {
    FaultIndex index = todo.back();
    todo.pop_back();
    if (!seen.insert(index).second) continue;
    const Fault& fault = interpreter_.fault(index);
    if (fault.causes.empty() && fault.diagnostic) diags.add(*fault.diagnostic);
    todo.insert(todo.end(), fault.causes.rbegin(), fault.causes.rend());
  }
}

}  // namespace pravo::runtime
