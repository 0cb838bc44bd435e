#include "runtime/builtin/terraform/provider.h"
#include "runtime/state/state.h"

namespace pravo::builtin {

namespace {

const Value& part(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  PRAVOC_CHECK(found != nullptr);
  return *found;
}

// The object with some attributes set anew.
Value with_parts(const Value& object, std::initializer_list<std::pair<std::string_view, Value>> parts) {
  std::vector<Value> values(object.elements().begin(), object.elements().end());
  for (const auto& [name, value] : parts) {
    size_t at = object.keys().find(name);
    PRAVOC_CHECK(at != KeySet::npos);
    values[at] = value;
  }
  return Value::object(object.keys(), std::move(values));
}

Value unknown_id() {
  Refinements refinements;
  refinements.not_null = true;
  return Value::unknown(Type::string(), refinements);
}

// The output has the input's type, and is known only when there is no input.
Value planned_output(const Value& input) { return input.is_null() ? input : Value::unknown(input.type()); }

}  // namespace

provider::PlanResponse plan_data(const provider::PlanRequest& request) {
  provider::PlanResponse response;
  response.planned_private = request.prior_private;
  response.planned = request.proposed;
  if (request.proposed.is_null()) return response;
  const Value& input = part(request.proposed, "input");
  if (request.prior.is_null()) {
    response.planned = with_parts(request.proposed, {{"id", unknown_id()}, {"output", planned_output(input)}});
    return response;
  }
  if (!part(request.prior, "triggers_replace").equals_raw(part(request.proposed, "triggers_replace"))) {
    response.requires_replace.push_back({PathStep::attribute(Str("triggers_replace"))});
    response.planned = with_parts(request.proposed, {{"id", unknown_id()}, {"output", planned_output(input)}});
    return response;
  }
  if (!part(request.prior, "input").equals_raw(input))
    response.planned = with_parts(request.proposed, {{"output", planned_output(input)}});
  return response;
}

provider::ApplyResponse apply_data(const provider::ApplyRequest& request) {
  provider::ApplyResponse response;
  response.private_data = request.planned_private;
  if (request.planned.is_null()) {
    response.state = request.planned;
    return response;
  }
  const Value& id = part(request.planned, "id");
  const Value& input = part(request.planned, "input");
  const Value& output = part(request.planned, "output");
  response.state = with_parts(request.planned, {{"id", id.is_unknown() ? Value::string(runtime::new_uuid()) : id},
                                                {"output", output.is_unknown() ? input : output}});
  return response;
}

}  // namespace pravo::builtin
