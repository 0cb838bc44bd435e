#include "runtime/plan/operations.h"

#include <fmt/format.h>

namespace pravo::runtime {

namespace {

// A fault of the provider itself: what it returned cannot be right.
void provider_fault(provider::Messages& messages, std::string_view when, const std::vector<std::string>& faults) {
  for (const std::string& fault : faults) {
    provider::Message message;
    message.summary = fmt::format("the provider returned something invalid {}", when);
    message.detail = fmt::format("{}; this is a fault of the provider", fault);
    messages.push_back(std::move(message));
  }
}

void append(provider::Messages& to, provider::Messages from) {
  for (provider::Message& message : from) to.push_back(std::move(message));
}

bool refuse_deferral(provider::Messages& messages, const std::optional<provider::Deferred>& deferred) {
  if (!deferred) return false;
  provider::Message message;
  message.summary = "the provider wants to defer the change, which it was not allowed to";
  messages.push_back(std::move(message));
  return true;
}

// What the provider is to take as the configuration, given the prior object.
Value effective_config(const SchemaBlock& schema, const Value& prior, const Value& config,
                       const ChangeOptions& options) {
  if (prior.is_null()) return config;
  if (options.ignore_all) return ignore_all_changes(schema, prior);
  return options.ignore.empty() ? config : ignore_changes(prior, config, options.ignore);
}

// One PlanResourceChange with its checks. False: it failed.
bool plan_once(provider::Provider& provider, std::string_view type, const SchemaBlock& schema, const Value& prior,
               const Value& config, std::string_view prior_private, provider::Messages& messages,
               provider::PlanResponse& response) {
  provider::PlanRequest request;
  request.type = type;
  request.prior = prior;
  request.config = config;
  request.proposed = proposed_new(schema, prior, config);
  request.prior_private = prior_private;
  response = provider.plan_resource_change(request);
  bool failed = provider::has_errors(response.messages);
  append(messages, std::move(response.messages));
  response.messages.clear();
  if (failed || refuse_deferral(messages, response.deferred)) return false;
  std::vector<std::string> faults = shape_faults(schema, response.planned);
  // Providers of the old SDK cannot always tell null from empty, and say so.
  if (faults.empty() && !response.legacy_type_system) faults = plan_faults(schema, prior, config, response.planned);
  provider_fault(messages, "as its plan", faults);
  return faults.empty();
}

struct Planned {
  bool good = false;
  Action action = Action::NoOp;
  Value planned;
  std::vector<Path> replace_paths;
  std::string planned_private;
};

// From the object that is there to the planned one: the second call for a replacement included.
Planned plan_change(provider::Provider& provider, std::string_view type, const SchemaBlock& schema, const Value& prior,
                    const Value& config, std::string_view prior_private, const ChangeOptions& options,
                    provider::Messages& messages) {
  Planned out;
  Value effective = effective_config(schema, prior, config, options);
  provider::PlanResponse response;
  if (!plan_once(provider, type, schema, prior, effective, prior_private, messages, response)) return out;
  std::vector<std::string> faults;
  out.replace_paths = effective_replace_paths(schema, response.requires_replace, prior, response.planned, faults);
  provider_fault(messages, "as its plan", faults);
  if (!faults.empty()) return out;
  bool replace = !prior.is_null() && (!out.replace_paths.empty() || options.replace != ActionReason::None);
  if (prior.is_null()) {
    out.action = Action::Create;
  } else if (replace) {
    out.action = options.create_before_destroy ? Action::CreateThenDelete : Action::DeleteThenCreate;
    std::string first_private = std::move(response.planned_private);
    if (!plan_once(provider, type, schema, Value::null(schema.type), config, first_private, messages, response))
      return out;
  } else {
    out.action = response.planned.equals_raw(prior) ? Action::NoOp : Action::Update;
  }
  out.planned = std::move(response.planned);
  out.planned_private = std::move(response.planned_private);
  out.good = true;
  return out;
}

}  // namespace

RefreshOutput refresh_object(provider::Provider& provider, const RefreshInput& input) {
  RefreshOutput out;
  const SchemaBlock& schema = input.schema->block;
  out.recorded = Value::null(schema.type);
  out.current = out.recorded;
  if (input.recorded == nullptr) return out;
  out.private_data = input.recorded->private_data;
  if (input.recorded->value) {
    out.recorded = input.recorded->value->without_deep_marks();
  } else {
    if (input.recorded->schema_version > input.schema->version) {
      provider::Message message;
      message.summary =
          fmt::format("the state was written with version {} of the schema, but this provider knows version {}",
                      input.recorded->schema_version, input.schema->version);
      message.detail = "use the version of the provider that wrote it, or a newer one";
      out.messages.push_back(std::move(message));
      out.failed = true;
      return out;
    }
    provider::UpgradeRequest request{input.type, input.recorded->schema_version, input.recorded->attributes_json};
    provider::StateResponse response = provider.upgrade_resource_state(request);
    out.failed = provider::has_errors(response.messages);
    append(out.messages, std::move(response.messages));
    if (out.failed) return out;
    std::vector<std::string> faults = shape_faults(schema, response.state);
    if (faults.empty() && !response.state.is_wholly_known()) faults.push_back("it is not wholly known");
    provider_fault(out.messages, "as the upgraded state", faults);
    out.failed = !faults.empty();
    if (out.failed) return out;
    out.recorded = std::move(response.state);
  }
  out.current = out.recorded;
  if (!input.refresh) return out;
  provider::StateResponse response = provider.read_resource({input.type, out.recorded, out.private_data});
  out.failed = provider::has_errors(response.messages);
  append(out.messages, std::move(response.messages));
  if (out.failed || refuse_deferral(out.messages, response.deferred)) {
    out.failed = true;
    return out;
  }
  if (!response.state.is_null()) {
    std::vector<std::string> faults = shape_faults(schema, response.state);
    if (faults.empty() && !response.state.is_wholly_known()) faults.push_back("it is not wholly known");
    provider_fault(out.messages, "when it was read", faults);
    out.failed = !faults.empty();
    if (out.failed) return out;
  }
  out.current = response.state.is_null() ? Value::null(schema.type) : std::move(response.state);
  out.private_data = std::move(response.private_data);
  return out;
}

PlanOutput plan_object(provider::Provider& provider, const PlanInput& input) {
  PlanOutput out;
  const SchemaBlock& schema = input.schema->block;
  out.refreshed = refresh_object(provider, input.refresh);
  append(out.messages, std::move(out.refreshed.messages));
  out.refreshed.messages.clear();
  if (out.refreshed.failed) {
    out.failed = true;
    return out;
  }
  const Value& current = out.refreshed.current;

  if (input.config.is_null()) {
    out.planned = Value::null(schema.type);
    out.planned_private = out.refreshed.private_data;
    out.action = current.is_null() ? Action::NoOp : Action::Delete;
    if (out.action == Action::NoOp || !provider.capabilities().plan_destroy) return out;
    provider::PlanRequest request{input.type, current, Value::null(schema.type), Value::null(schema.type),
                                  out.refreshed.private_data};
    provider::PlanResponse response = provider.plan_resource_change(request);
    out.failed = provider::has_errors(response.messages);
    append(out.messages, std::move(response.messages));
    if (!out.failed && !response.planned.is_null()) {
      provider_fault(out.messages, "as its plan", {"an object that is to be destroyed is planned to be there"});
      out.failed = true;
    }
    out.planned_private = std::move(response.planned_private);
    return out;
  }

  append(out.messages, provider.validate_resource({input.type, input.config}));
  if (provider::has_errors(out.messages)) {
    out.failed = true;
    return out;
  }
  // A tainted object is as good as none: what is planned is a new one in its place.
  bool tainted = input.refresh.recorded != nullptr && input.refresh.recorded->tainted && !current.is_null();
  Value prior = tainted ? Value::null(schema.type) : current;
  Planned planned = plan_change(provider, input.type, schema, prior, input.config, out.refreshed.private_data,
                                input.options, out.messages);
  if (!planned.good) {
    out.failed = true;
    return out;
  }
  out.action = planned.action;
  out.planned = std::move(planned.planned);
  out.replace_paths = std::move(planned.replace_paths);
  out.planned_private = std::move(planned.planned_private);
  if (tainted) {
    out.action = input.options.create_before_destroy ? Action::CreateThenDelete : Action::DeleteThenCreate;
    out.reason = ActionReason::ReplaceBecauseTainted;
  } else if (is_replace(out.action)) {
    out.reason =
        input.options.replace != ActionReason::None ? input.options.replace : ActionReason::ReplaceBecauseCannotUpdate;
  }
  return out;
}

namespace {

ApplyOutput destroy_object(provider::Provider& provider, const ApplyInput& input) {
  ApplyOutput out;
  const SchemaBlock& schema = input.schema->block;
  provider::ApplyRequest request{input.type, input.before, Value::null(schema.type), Value::null(schema.type),
                                 input.planned_private};
  out.called = true;
  provider::ApplyResponse response = provider.apply_resource_change(request);
  out.failed = provider::has_errors(response.messages);
  append(out.messages, std::move(response.messages));
  out.private_data = std::move(response.private_data);
  if (out.failed) {
    // What the provider still knows of it stays recorded; silence is no news.
    if (response.state && response.state->is_wholly_known() && shape_faults(schema, *response.state).empty())
      out.state = std::move(*response.state);
    return out;
  }
  if (response.state && !response.state->is_null()) {
    provider_fault(out.messages, "after a destroy", {"the object is still there"});
    out.failed = true;
    out.state = response.state->unknown_as_null();
    return out;
  }
  out.state = Value::null(schema.type);
  return out;
}

// The plan is made again, now that more is known; it must keep to what was promised.
bool plan_again(provider::Provider& provider, const ApplyInput& input, ApplyOutput& out, Planned& planned) {
  const SchemaBlock& schema = input.schema->block;
  append(out.messages, provider.validate_resource({input.type, input.config}));
  if (provider::has_errors(out.messages)) return false;
  ChangeOptions options = input.options;
  options.replace = ActionReason::None;
  planned =
      plan_change(provider, input.type, schema, input.before, input.config, input.prior_private, options, out.messages);
  if (!planned.good) return false;
  bool create = input.before.is_null();
  bool as_planned =
      create ? planned.action == Action::Create : planned.action == Action::Update || planned.action == Action::NoOp;
  if (!as_planned) {
    provider::Message message;
    message.summary = "the provider plans another action now than was planned";
    message.detail = "nothing was done to this object; plan again";
    out.messages.push_back(std::move(message));
    return false;
  }
  std::vector<std::string> faults = compatibility_faults(schema, input.planned, planned.planned);
  for (const std::string& fault : faults) {
    provider::Message message;
    message.summary = "the final plan is not the one that was shown";
    message.detail = fault;
    out.messages.push_back(std::move(message));
  }
  return faults.empty();
}

}  // namespace

ApplyOutput apply_object(provider::Provider& provider, const ApplyInput& input) {
  if (input.action == Action::Delete) return destroy_object(provider, input);
  ApplyOutput out;
  const SchemaBlock& schema = input.schema->block;
  PRAVOC_CHECK(input.config.is_wholly_known());
  Planned planned;
  if (!plan_again(provider, input, out, planned)) {
    out.failed = true;
    return out;
  }
  if (planned.action == Action::NoOp) {
    // Only marks change, or the change that was planned turned out to be none.
    out.state = input.before;
    out.private_data = input.prior_private;
    return out;
  }
  provider::ApplyRequest request{input.type, input.before, planned.planned,
                                 effective_config(schema, input.before, input.config, input.options),
                                 planned.planned_private};
  out.called = true;
  provider::ApplyResponse response = provider.apply_resource_change(request);
  out.failed = provider::has_errors(response.messages);
  append(out.messages, std::move(response.messages));
  out.private_data = std::move(response.private_data);
  if (!response.state) {
    if (!out.failed) {
      provider_fault(out.messages, "after an apply", {"the new state is missing"});
      out.failed = true;
    }
    return out;
  }
  Value state = std::move(*response.state);
  std::vector<std::string> faults = shape_faults(schema, state);
  if (!faults.empty()) {
    // Nothing of it can be recorded.
    provider_fault(out.messages, "after an apply", faults);
    out.failed = true;
    return out;
  }
  if (!state.is_wholly_known()) {
    if (!out.failed) provider_fault(out.messages, "after an apply", {"the new state has parts that are still unknown"});
    out.failed = true;
    state = state.unknown_as_null();
  } else if (!out.failed && state.is_null()) {
    provider_fault(out.messages, "after an apply", {"the new state is null, although the object was to be there"});
    out.failed = true;
    return out;
  } else if (!out.failed && !response.legacy_type_system) {
    faults = compatibility_faults(schema, planned.planned, state);
    provider_fault(out.messages, "after an apply", faults);
    out.failed = !faults.empty();
  }
  // An object that came half way into being is there, but nobody can rely on it.
  out.tainted = out.failed && input.before.is_null() && !state.is_null();
  out.state = std::move(state);
  return out;
}

DataOutput read_data(provider::Provider& provider, const DataInput& input) {
  DataOutput out;
  const SchemaBlock& schema = input.schema->block;
  append(out.messages, provider.validate_data({input.type, input.config}));
  if (provider::has_errors(out.messages)) {
    out.failed = true;
    return out;
  }
  provider::StateResponse response = provider.read_data({input.type, input.config});
  out.failed = provider::has_errors(response.messages);
  append(out.messages, std::move(response.messages));
  if (out.failed || refuse_deferral(out.messages, response.deferred)) {
    out.failed = true;
    return out;
  }
  std::vector<std::string> faults;
  if (response.state.is_null())
    faults.push_back("the result is null");
  else
    faults = shape_faults(schema, response.state);
  if (faults.empty() && !response.state.is_wholly_known()) faults.push_back("the result is not wholly known");
  provider_fault(out.messages, "when the data source was read", faults);
  out.failed = !faults.empty();
  out.state = std::move(response.state);
  return out;
}

}  // namespace pravo::runtime
