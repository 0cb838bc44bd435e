// Validations, preconditions, postconditions and assertions.
#include "frontend/lower/body.h"

namespace pravo::lower {

InstId BodyLowering::lower_condition(const load::CheckRule& rule, ConditionKind kind, InstId guarded,
                                     const Context& context) {
  Ref condition = lower(rule.condition, context);
  Ref message = lower(rule.error_message, context);
  const Context* outer = std::exchange(context_, &context);
  want(condition, types_.boolean, "a condition");
  want(message, types_.string, "an error message");
  context_ = outer;
  InstId inst = add(OpKind::Condition, types_.any, {condition, message}, rule.range, guarded.index);
  body_.inst(inst).flags = static_cast<uint16_t>(kind);
  return inst;
}

void BodyLowering::lower_validations() {
  Context context;
  for (uint32_t i = 0; i < module_.variables.size(); ++i) {
    for (const load::CheckRule& rule : module_.variables[i].validations) {
      InstId condition = lower_condition(rule, ConditionKind::Validation, body_.variables[i].inst, context);
      body_.variables[i].validations.push_back(condition);
    }
  }
}

void BodyLowering::lower_checks() {
  for (uint32_t i = 0; i < module_.checks.size(); ++i) {
    Context context;
    context.check = i;
    Refs asserts;
    for (const load::CheckRule& rule : module_.checks[i].asserts) {
      InstId condition = lower_condition(rule, ConditionKind::Assert, body_.checks[i].inst, context);
      asserts.push_back({condition, body_.range(condition)});
    }
    set_operands(body_.checks[i].inst, asserts);
  }
}

}  // namespace pravo::lower
