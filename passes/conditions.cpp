#include "passes/conditions.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/diagnostics/lower.h"
#include "ir/diagnostics/passes.h"
#include "passes/constants.h"

namespace pravo::passes {

namespace {

using Outcome = ModuleConstants::Outcome;

// More instances of modules than this are not looked at: each level of calls may double them.
constexpr size_t kMaxInstances = 100'000;

// Whether a condition's value is certainly false.
bool is_false(const Outcome& outcome) {
  if (outcome.failed() || outcome.value.is_unknown() || outcome.value.is_null()) return false;
  Result<Value> flag = convert(outcome.value.without_marks(), Type::boolean());
  return flag.ok() && !flag->is_null() && !flag->is_unknown() && !flag->as_bool();
}

// What a false condition says, without anything that is marked.
std::string message_text(const Outcome& condition, const Outcome& message) {
  MarkSet marks = condition.value.deep_marks() | message.value.deep_marks();
  if (any(marks & MarkSet::Ephemeral)) return "its message is not shown, because an ephemeral value is involved";
  if (any(marks)) return "its message is not shown, because a sensitive value is involved";
  if (message.failed()) return "its message cannot be evaluated";
  Result<Value> text = convert(message.value, Type::string());
  if (!text.ok() || text->is_null() || text->is_unknown()) return "its message is not known before plan";
  std::string_view view = text->as_string();
  size_t begin = view.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "its message is empty";
  return std::string(view.substr(begin, view.find_last_not_of(" \t\r\n") - begin + 1));
}

class ConditionCheck {
 public:
  ConditionCheck(const Program& program, const ModuleIndex& modules, Diagnostics& diags)
      : program_(program), diags_(diags), worth_(program.bodies.size()) {
    for (const Diagnostic& d : diags.all())
      if (d.severity == Severity::Error && d.range.valid()) reported_.insert({d.range.file.index, d.range.begin});
    for (ModuleId module : modules.bottom_up) worth_[module.index] = has_conditions(module) || has_arguments(module);
  }

  void run() {
    for (uint32_t m = 0; m < program_.bodies.size(); ++m)
      if (program_.bodies[m]->root && worth_[m])
        visit(std::make_shared<ModuleConstants>(program_, ModuleId(m), budget_));
  }

 private:
  // In the body, or below it along calls that certainly are made.
  bool has_conditions(ModuleId module) const {
    const ModuleBody& body = program_.body(module);
    return std::any_of(body.variables.begin(), body.variables.end(),
                       [](const VariableInfo& v) { return !v.validations.empty(); }) ||
           std::any_of(body.outputs.begin(), body.outputs.end(),
                       [](const OutputInfo& o) { return !o.preconditions.empty(); }) ||
           std::any_of(body.calls.begin(), body.calls.end(), [&](const ModuleCallInfo& c) { return is_worth(c); });
  }
  bool is_worth(const ModuleCallInfo& call) const {
    return call.target.valid() && !call.expand.valid() && worth_[call.target.index];
  }

  // Whether a call here that certainly is made has an argument whose type alone does not say that it fits.
  bool has_arguments(ModuleId module) const {
    const ModuleBody& body = program_.body(module);
    return std::any_of(body.calls.begin(), body.calls.end(), [&](const ModuleCallInfo& call) {
      if (!call.target.valid() || call.expand.valid()) return false;
      const auto& variables = program_.body(call.target).variables;
      return std::any_of(variables.begin(), variables.end(), [&](const VariableInfo& variable) {
        InstId argument = find_argument(call, variable.name);
        return argument.valid() && may_misfit(body, argument, variable);
      });
    });
  }
  bool may_misfit(const ModuleBody& body, InstId argument, const VariableInfo& variable) const {
    if (variable.type.type.is_dynamic()) return false;
    TypeId given = body.inst(body.operand(argument, 0)).type;
    return !given.valid() || !can_convert(program_.type(given), variable.type.type, true);
  }

  void check_arguments(ModuleConstants& instance, const ModuleCallInfo& call) {
    const ModuleBody& body = instance.body();
    for (const VariableInfo& variable : program_.body(call.target).variables) {
      InstId argument = find_argument(call, variable.name);
      if (!argument.valid() || !may_misfit(body, argument, variable)) continue;
      const Outcome& outcome = instance.evaluate(argument);
      if (outcome.failed() || outcome.value.is_unknown()) continue;
      Result<Value> converted = convert_with_defaults(outcome.value, variable.type);
      if (converted.ok()) continue;
      SourceRange place = body.use_range(argument, 0);
      if (!reported_.insert({place.file.index, place.begin}).second) continue;
      diags_.emit(place, diag::UnsuitableArgument, fmt::format("`{}`", program_.text(variable.name)),
                  converted.error().text());
    }
  }

  void visit(std::shared_ptr<ModuleConstants> root) {
    std::vector<std::shared_ptr<ModuleConstants>> stack{std::move(root)};
    for (size_t instances = 0; !stack.empty() && instances < kMaxInstances; ++instances) {
      std::shared_ptr<ModuleConstants> instance = std::move(stack.back());
      stack.pop_back();
      for (const VariableInfo& variable : instance->body().variables)
        for (InstId condition : variable.validations)
          if (instance->parent() != nullptr) check_validation(*instance, variable, condition);
      for (const OutputInfo& output : instance->body().outputs)
        for (InstId condition : output.preconditions) check_precondition(*instance, output, condition);
      for (const ModuleCallInfo& call : instance->body().calls)
        if (call.target.valid() && !call.expand.valid()) check_arguments(*instance, call);
      for (const ModuleCallInfo& call : instance->body().calls)
        if (is_worth(call)) stack.push_back(std::make_shared<ModuleConstants>(instance, call));
    }
  }

  void check_validation(ModuleConstants& instance, const VariableInfo& variable, InstId condition) {
    const ModuleBody& body = instance.body();
    const ModuleCallInfo& call = *instance.call();
    InstId argument = find_argument(call, variable.name);
    SourceRange place = argument.valid() ? instance.parent()->body().use_range(argument, 0) : call.range;
    const Outcome outcome = instance.evaluate(body.operand(condition, 0));
    std::string_view name = program_.text(variable.name);
    if (outcome.failed())
      return fail(body, outcome, place, argument.valid() ? "with this argument" : "with the default, in this call");
    if (!is_false(outcome)) return;
    const Outcome message = instance.evaluate(body.operand(condition, 1));
    if (!reported_validations_.insert({place.file.index, place.begin, body.range(condition).begin}).second) return;
    auto built =
        diags_.emit(place, diag::ArgumentRefused, name, call_text(program_, call), message_text(outcome, message));
    if (!argument.valid()) built.note(variable.range, "the variable has its default, which is refused");
    built.note(body.range(condition), "the validation is here");
  }

  void check_precondition(ModuleConstants& instance, const OutputInfo& output, InstId condition) {
    const ModuleBody& body = instance.body();
    const Outcome outcome = instance.evaluate(body.operand(condition, 0));
    SourceRange caller = instance.call() != nullptr ? instance.call()->range : SourceRange{};
    if (outcome.failed()) return fail(body, outcome, caller, "in this call");
    if (!is_false(outcome)) return;
    const Outcome message = instance.evaluate(body.operand(condition, 1));
    SourceRange place = body.use_range(condition, 0);
    if (!reported_.insert({place.file.index, place.begin}).second) return;
    auto built = diags_.emit(place, diag::OutputRefused, program_.text(output.name), message_text(outcome, message));
    if (caller.valid()) built.note(caller, "in this call");
  }

  // A condition that cannot be evaluated with the values of this instance.
  void fail(const ModuleBody& body, const Outcome& outcome, SourceRange note, std::string_view note_text) {
    const EvalError& error = *outcome.error;
    SourceRange range = body.range(outcome.at);
    if (!reported_.insert({range.file.index, range.begin}).second) return;
    auto built = diags_.emit(range, diag::CertainFailure, error.text());
    if (note.valid()) built.note(note, std::string(note_text));
  }

  const Program& program_;
  Diagnostics& diags_;
  ConstantBudget budget_;
  std::vector<bool> worth_;                           // by module: whether there is anything to look at
  std::set<std::pair<uint32_t, uint32_t>> reported_;  // file and begin of errors
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> reported_validations_;
};

}  // namespace

void report_failed_conditions(const Program& program, const ModuleIndex& modules, Diagnostics& diags) {
  ConditionCheck(program, modules, diags).run();
}

}  // namespace pravo::passes
