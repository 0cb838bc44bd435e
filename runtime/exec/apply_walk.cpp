#include "runtime/exec/apply_walk.h"

#include <algorithm>
#include <utility>

#include "ir/diagnostics/lower.h"
#include "ir/diagnostics/runtime.h"
#include "runtime/exec/object_parts.h"

namespace pravo::runtime {

namespace {

Observer::Operation operation_of(Action action) {
  if (action == Action::Update) return Observer::Operation::Update;
  return action == Action::Delete ? Observer::Operation::Delete : Observer::Operation::Create;
}

bool changes_objects(const Plan& plan) {
  return std::any_of(plan.changes.begin(), plan.changes.end(), [](const InstanceChange& change) {
    return change.action != Action::NoOp && change.action != Action::Read;
  });
}

}  // namespace

ApplyWalk::ApplyWalk(const RunContext& context, provider::Registry& providers, Diagnostics& diags, const Plan& plan,
                     StateWriter& writer, ApplyResult& result)
    : Walk(context, providers, diags, plan, true), plan_(plan), writer_(writer), result_(result) {}

void ApplyWalk::apply() {
  if (plan_.mode != PlanMode::RefreshOnly && changes_objects(plan_) && !writer_.start(diags_)) return;
  for (const InstanceChange& change : plan_.changes)
    if (change.deposed.empty() && change.action != Action::Delete) {
      Planned planned;
      planned.change = &change;
      planned_.emplace(change.address.to_string(), std::move(planned));
    }
  build_destroys();
  if (plan_.mode == PlanMode::Destroy) {
    scheduler_.run();
    if (!diags_.has_errors() && !result_.interrupted && !plan_.partial()) {
      result_.state.outputs.clear();
      result_.state.checks.clear();
      changed_ = true;
    }
  } else if (plan_.mode == PlanMode::RefreshOnly) {
    record_refresh();
  } else {
    declare_checks();
    run();
    for (const auto& [name, planned] : planned_)
      if (!planned.bound && !diags_.has_errors() && !result_.interrupted)
        diags_.emit({}, diag::GoneFromConfig, name).address(name);
    for (const OutputChange& change : plan_.outputs)
      if (change.action == Action::Delete && !diags_.has_errors()) result_.state.outputs.erase(change.name);
    result_.state.checks = take_checks();
  }
  if (stopping()) result_.interrupted = true;
  if (result_.interrupted) diags_.emit({}, diag::Interrupted);
  result_.state.compact();
  writer_.finish(result_.state, changed_, diags_);
}

// The plan has read everything; what it found is in its prior state already.
void ApplyWalk::record_refresh() {
  changed_ = !plan_.drift.empty();
  for (const OutputChange& change : plan_.outputs) {
    if (change.action == Action::NoOp) continue;
    changed_ = true;
    if (change.action == Action::Delete || !change.after.is_wholly_known()) {
      result_.state.outputs.erase(change.name);
      continue;
    }
    StateOutput& output = result_.state.outputs[change.name];
    output.value = change.sensitive ? change.after.with_marks(MarkSet::Sensitive) : change.after;
    output.sensitive = change.sensitive;
  }
  result_.state.checks = plan_.checks;
}

// --- instances of the configuration

void ApplyWalk::found_instance(ModuleInstance& module, uint32_t resource, uint32_t row) {
  const ResourceInfo& info = module.body().resources[resource];
  InstanceAddress where = address(module, resource, row);
  std::string name = where.to_string();
  NodeIndex n = node(module, resource);
  auto found = planned_.find(name);
  if (found == planned_.end()) {
    // A data source that was read at plan is in the state.
    const StateInstance* instance = info.mode == ResourceMode::Data ? plan_.prior.find(where) : nullptr;
    if (instance == nullptr || !instance->current) {
      if (!diags_.has_errors()) diags_.emit(info.range, diag::NotInPlan, name).address(name);
      fail_row(module, resource, row);
      return;
    }
    const Schema* type = schema(info);
    Result<Value> value = decode_object(*instance->current, type->block);
    PRAVOC_CHECK(value.ok());
    if (info.conditions.empty()) return finish_row(module, resource, row, std::move(*value), false);
    add_task(TaskKind::Instance, &module, resource, row, graph_.rank(n));
    return;
  }
  Planned& planned = found->second;
  planned.bound = true;
  planned.module = &module;
  planned.resource = resource;
  planned.row = row;
  if (planned.change->action == Action::NoOp) {
    refresh_metadata(module, resource, row);
    if (info.conditions.empty()) return finish_row(module, resource, row, planned.change->after, false);
  }
  uint32_t holds = 0;
  for (uint32_t g : planned.after)
    if (!groups_of_destroys_[g].complete) ++holds;
  bool own = planned.change->action == Action::DeleteThenCreate && !destroys_[tasks_[planned.destroy].item].ready;
  // A check looks at what was made, so what it reads is read when all else is done.
  const bool late = info.in_check;
  TaskId task =
      add_task(TaskKind::Instance, &module, resource, row, graph_.rank(n), holds + (own ? 1 : 0) + (late ? 1 : 0));
  if (late) late_.push_back(task);
  planned.task = task;
  planned.held = own;
  for (uint32_t g : planned.after)
    if (!groups_of_destroys_[g].complete) groups_of_destroys_[g].held.push_back(task);
}

void ApplyWalk::settled() {
  // What waits for one of these may bring more of them.
  while (!late_.empty()) {
    for (TaskId task : std::exchange(late_, {})) scheduler_.release(task);
    scheduler_.run();
  }
}

StateInstance* ApplyWalk::recorded(const InstanceAddress& where) {
  StateResource* resource = result_.state.find(where.resource);
  return resource == nullptr ? nullptr : resource->find(where.key);
}

// What the configuration says of an object beside its attributes is recorded anew each time.
void ApplyWalk::refresh_metadata(ModuleInstance& module, uint32_t resource, uint32_t row) {
  StateInstance* instance = recorded(address(module, resource, row));
  if (instance == nullptr || !instance->current) return;
  NodeIndex n = node(module, resource);
  instance->current->dependencies = graph_.recorded(n);
  instance->current->create_before_destroy = graph_.create_before_destroy(n);
}

// The instance is not created or updated. What was to be destroyed after it stays, too.
void ApplyWalk::give_up(TaskId id) {
  Task task = tasks_[id];
  auto found = planned_.find(address(*task.module, task.item, task.row).to_string());
  if (found != planned_.end() && found->second.change->action == Action::CreateThenDelete) {
    Destroy& destroy = destroys_[tasks_[found->second.destroy].item];
    if (!destroy.ready) {
      destroy.cancelled = true;
      destroy.ready = true;
      if (destroy.waited) scheduler_.release(found->second.destroy);
    }
  }
  fail_row(*task.module, task.item, task.row);
}

bool ApplyWalk::stop_here() {
  if (stopping()) {
    result_.interrupted = true;
    if (context_.stop->load() > 1) pool_.stop_all();
    return true;
  }
  return broken_;
}

void ApplyWalk::run_instance(TaskId id) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  NodeIndex n = node(module, task.item);
  if (stop_here() || poisoned(n)) return give_up(id);
  // After a failure a check would see half of what it is about.
  if (module.body().resources[task.item].in_check && diags_.has_errors()) return give_up(id);
  if (!await_explicit(id, graph_.explicit_dependencies(n))) return;
  InstanceAddress where = address(module, task.item, task.row);
  auto found = planned_.find(where.to_string());
  if (found == planned_.end()) {
    const StateInstance* instance = plan_.prior.find(where);
    Result<Value> value = decode_object(*instance->current, schema(module.body().resources[task.item])->block);
    return run_unchanged(id, *value);
  }
  Planned& planned = found->second;
  for (uint32_t g : planned.after)
    if (groups_of_destroys_[g].failed) return give_up(id);
  if (planned.change->action == Action::NoOp) return run_unchanged(id, planned.change->after);
  if (planned.change->action == Action::Read) return run_data(id, planned);
  run_managed(id, planned);
}

// Conditions are looked at also where nothing changes.
void ApplyWalk::run_unchanged(TaskId id, const Value& value) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  switch (evaluate_conditions(id, module, task.row, info.conditions, ConditionKind::Precondition,
                              checked_instance(module, task.item, task.row))) {
    case ConditionOutcome::Pending:
      return;
    case ConditionOutcome::Fail:
      return fail_row(module, task.item, task.row);
    case ConditionOutcome::Pass:
      break;
  }
  if (!holds_postconditions(id, info, value)) return fail_row(module, task.item, task.row);
  finish_row(module, task.item, task.row, value, false);
}

bool ApplyWalk::holds_postconditions(TaskId id, const ResourceInfo& info, const Value& value) {
  if (info.conditions.empty()) return true;
  Task task = tasks_[id];
  Row& row = group(*task.module, task.item).rows[task.row];
  row.value = value;
  row.state = Row::State::Done;
  ConditionOutcome outcome =
      evaluate_conditions(id, *task.module, task.row, info.conditions, ConditionKind::Postcondition,
                          checked_instance(*task.module, task.item, task.row));
  group(*task.module, task.item).rows[task.row].state = Row::State::Waiting;
  return outcome != ConditionOutcome::Fail;
}

void ApplyWalk::run_managed(TaskId id, Planned& planned) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  const Schema& type = *schema(info);
  const InstanceChange& change = *planned.change;
  if (change.action == Action::DeleteThenCreate && destroys_[tasks_[planned.destroy].item].cancelled)
    return give_up(id);
  if (!info.conditions.empty()) {
    switch (evaluate_conditions(id, module, task.row, info.conditions, ConditionKind::Precondition,
                                checked_instance(module, task.item, task.row))) {
      case ConditionOutcome::Pending:
        return;
      case ConditionOutcome::Fail:
        return give_up(id);
      case ConditionOutcome::Pass:
        break;
    }
  }
  Value config;
  bool failed = false;
  if (!evaluate_config(id, info, type, config, failed)) {
    if (failed) give_up(id);
    return;
  }
  std::string name = change.address.to_string();
  if (!config.is_wholly_known()) {
    diags_.emit(info.range, diag::ConfigUnknown, name).address(name);
    return give_up(id);
  }
  provider::Provider* provider = pool_.get(info.provider_address, diags_);
  if (provider == nullptr) return give_up(id);
  const bool replace = is_replace(change.action);
  const Action action = replace ? Action::Create : change.action;
  std::optional<StateWriter::Ticket> intent = note_intent(*provider, change.address, {}, action);
  if (!intent) return give_up(id);
  if (change.action == Action::CreateThenDelete) {
    Destroy& destroy = destroys_[tasks_[planned.destroy].item];
    destroy.deposed = set_aside(change.address);
  }
  auto input = std::make_shared<ApplyInput>();
  input->type = context_.program.text(info.type);
  input->schema = &type;
  input->action = action;
  input->before = replace ? Value::null(type.block.type) : change.before.without_deep_marks();
  input->config = config.without_deep_marks();
  input->planned = change.after.without_deep_marks();
  const StateInstance* before = recorded(change.address);
  if (!replace && before != nullptr && before->current) input->prior_private = before->current->private_data;
  input->planned_private = change.planned_private;
  input->options.ignore = info.ignore_changes;
  input->options.ignore_all = info.ignore_all_changes;
  auto output = std::make_shared<ApplyOutput>();
  auto since = std::chrono::steady_clock::now();
  const bool fresh = operation_of(input->action) == Observer::Operation::Create;
  event_started(change.address, {}, operation_of(input->action), fresh ? std::string_view() : id_of(change.before));
  call(*provider, apply_call(*provider, *intent, input, output),
       [this, id, config, output, since, &planned] { applied(id, planned, config, std::move(*output), since); });
}

InstanceObject ApplyWalk::new_object(ModuleInstance& module, uint32_t resource, Value value, const Schema& type) {
  NodeIndex n = node(module, resource);
  InstanceObject object;
  object.schema_version = type.version;
  object.value = std::move(value);
  object.dependencies = graph_.recorded(n);
  object.create_before_destroy = graph_.create_before_destroy(n);
  return object;
}

void ApplyWalk::applied(TaskId id, Planned& planned, const Value& config, ApplyOutput output,
                        std::chrono::steady_clock::time_point since) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  const Schema& type = *schema(info);
  const InstanceChange& change = *planned.change;
  bool replace = is_replace(change.action);
  bool create = replace || change.action == Action::Create;

  Value secrets[] = {config, change.before};
  bool errors = report(output.messages, module.body(), module.body().operand(info.inst, 0), info.range,
                       change.address.to_string(), secrets);
  bool good = !errors && !output.failed;
  Value value;
  if (output.state && !output.state->is_null()) {
    value = with_sensitive_of(*output.state, config);
    value = with_schema_marks(type.block, std::move(value));
    InstanceObject object = new_object(module, task.item, value, type);
    object.tainted = output.tainted;
    object.private_data = std::move(output.private_data);
    result_.state.get(change.address.resource, provider_config(info)).get(change.address.key).current =
        std::move(object);
    changed_ = true;
  } else if (output.state && !create) {
    // The provider says that an object which it failed to update is gone.
    if (StateInstance* instance = recorded(change.address)) instance->current.reset();
    result_.state.prune(change.address);
    changed_ = true;
  }
  event_ended(change.address, {}, operation_of(create ? Action::Create : change.action), id_of(value), since, good);
  if (change.action == Action::CreateThenDelete) {
    Destroy& destroy = destroys_[tasks_[planned.destroy].item];
    bool there = output.state && !output.state->is_null();
    if (!there) take_back(change.address, destroy.deposed);
    destroy.cancelled = !good;
    destroy.ready = true;
    if (destroy.waited) scheduler_.release(planned.destroy);
  }
  after_operation(change.address, {}, create ? Action::Create : change.action);
  if (!good) return give_up(id);
  if (create)
    ++result_.added;
  else
    ++result_.changed;
  if (!holds_postconditions(id, info, value)) return fail_row(module, task.item, task.row);
  finish_row(module, task.item, task.row, std::move(value), true);
  if (info.expand.valid() && info.conditions.empty()) interpreter_.release_row(module, info.expand, task.row);
}

// What the journal says before the provider is asked. Nothing: it cannot, and so nothing more is asked.
std::optional<StateWriter::Ticket> ApplyWalk::note_intent(provider::Provider& provider, const InstanceAddress& where,
                                                          std::string_view deposed, Action action) {
  if (provider.immediate()) return 0;
  std::optional<StateWriter::Ticket> ticket = writer_.intent(where, deposed, action, diags_);
  if (!ticket) broken_ = true;
  return ticket;
}

// The call itself, for another thread: it waits there until the intent is on the disk, together with others.
std::function<void()> ApplyWalk::apply_call(provider::Provider& provider, StateWriter::Ticket intent,
                                            std::shared_ptr<ApplyInput> input, std::shared_ptr<ApplyOutput> output) {
  return [this, &provider, intent, input = std::move(input), output = std::move(output)] {
    if (provider.immediate() || writer_.durable(intent))
      *output = apply_object(provider, *input);
    else
      output->failed = true;
  };
}

void ApplyWalk::after_operation(const InstanceAddress& where, std::string_view deposed, Action action) {
  if (!writer_.result(where, deposed, action, result_.state, diags_)) broken_ = true;
  if (!writer_.checkpoint(result_.state)) broken_ = true;
}

// The object that is replaced makes room under its address until it is destroyed.
std::string ApplyWalk::set_aside(const InstanceAddress& where) {
  StateInstance* instance = recorded(where);
  PRAVOC_CHECK(instance != nullptr && instance->current.has_value());
  std::string deposed;
  do {
    deposed = new_uuid().substr(0, 8);
  } while (instance->deposed.find(deposed) != instance->deposed.end());
  instance->deposed.emplace(deposed, std::move(*instance->current));
  instance->current.reset();
  return deposed;
}

void ApplyWalk::take_back(const InstanceAddress& where, const std::string& deposed) {
  StateInstance* instance = recorded(where);
  PRAVOC_CHECK(instance != nullptr);
  auto found = instance->deposed.find(deposed);
  PRAVOC_CHECK(found != instance->deposed.end());
  instance->current = std::move(found->second);
  instance->deposed.erase(found);
}

// --- data sources that were left for now

void ApplyWalk::run_data(TaskId id, Planned& planned) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  const Schema& type = *schema(info);
  if (!info.conditions.empty()) {
    switch (evaluate_conditions(id, module, task.row, info.conditions, ConditionKind::Precondition,
                                checked_instance(module, task.item, task.row))) {
      case ConditionOutcome::Pending:
        return;
      case ConditionOutcome::Fail:
        return give_up(id);
      case ConditionOutcome::Pass:
        break;
    }
  }
  Value config;
  bool failed = false;
  if (!evaluate_config(id, info, type, config, failed)) {
    if (failed) give_up(id);
    return;
  }
  const InstanceAddress& where = planned.change->address;
  std::string name = where.to_string();
  if (!config.is_wholly_known()) {
    diags_.emit(info.range, diag::ConfigUnknown, name).address(name);
    return give_up(id);
  }
  provider::Provider* provider = pool_.get(info.provider_address, diags_);
  if (provider == nullptr) return give_up(id);
  auto input = std::make_shared<DataInput>();
  input->type = context_.program.text(info.type);
  input->schema = &type;
  input->config = config.without_deep_marks();
  auto output = std::make_shared<DataOutput>();
  auto since = std::chrono::steady_clock::now();
  event_started(where, {}, Observer::Operation::Read, {});
  call(
      *provider, [provider, input, output] { *output = read_data(*provider, *input); },
      [this, id, where, config, output, since] {
        Task t = tasks_[id];
        ModuleInstance& m = *t.module;
        const ResourceInfo& r = m.body().resources[t.item];
        const Schema& s = *schema(r);
        bool errors = report(output->messages, m.body(), m.body().operand(r.inst, 0), r.range, where.to_string(),
                             {&config, 1}, r.in_check);
        bool good = !errors && !output->failed;
        event_ended(where, {}, Observer::Operation::Read, good ? id_of(output->state) : std::string_view(), since,
                    good);
        if (!good) return fail_row(m, t.item, t.row);
        Value value = with_sensitive_of(output->state, config);
        value = with_schema_marks(s.block, std::move(value));
        InstanceObject object;
        object.schema_version = s.version;
        object.value = value;
        result_.state.get(where.resource, provider_config(r)).get(where.key).current = std::move(object);
        changed_ = true;
        if (!holds_postconditions(id, r, value)) return fail_row(m, t.item, t.row);
        finish_row(m, t.item, t.row, std::move(value), true);
      });
}

// --- outputs

void ApplyWalk::run_output(TaskId id) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ModuleBody& body = module.body();
  const OutputInfo& info = body.outputs[task.item];
  std::string name(context_.program.text(info.name));
  std::string local = "output." + name;
  if (!info.preconditions.empty()) {
    const std::string& scope = modules_[module.static_module].address;
    Checked checked{CheckKind::Output, scope.empty() ? local : scope + "." + local,
                    module.path->is_root() ? local : module.path->text() + "." + local};
    if (evaluate_conditions(id, module, 0, info.preconditions, ConditionKind::Precondition, checked) !=
        ConditionOutcome::Pass)
      return;
  }
  Evaluated result = interpreter_.evaluate(module, info.inst);
  bool failed = false;
  if (!settle(id, result, failed) || module.parent != nullptr) return;
  if (!is_recordable(result.value, body.use_range(info.inst, 0), local)) return;
  bool sensitive = shown_as_sensitive(module, info);
  if (!sensitive && any(result.value.deep_marks() & MarkSet::Sensitive)) {
    diags_.emit(body.use_range(info.inst, 0), diag::SensitiveOutputValue, name).address(local);
    return;
  }
  if (result.value.is_null()) {
    changed_ |= result_.state.outputs.erase(name) > 0;
    return;
  }
  Value value = result.value.without_deep_marks();
  // Of what is not selected and was never made nothing is known.
  if (plan_.partial()) value = value.unknown_as_null();
  if (!value.is_wholly_known()) {
    diags_.emit(body.use_range(info.inst, 0), diag::ConfigUnknown, local).address(local);
    return;
  }
  if (sensitive) value = value.with_marks(MarkSet::Sensitive);
  StateOutput& output = result_.state.outputs[name];
  changed_ |= output.sensitive != sensitive || !output.value.equals_raw(value);
  output.value = std::move(value);
  output.sensitive = sensitive;
}

}  // namespace pravo::runtime
