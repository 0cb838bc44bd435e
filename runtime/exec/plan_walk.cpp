#include "runtime/exec/plan_walk.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/diagnostics/lower.h"
#include "ir/diagnostics/runtime.h"
#include "runtime/exec/object_parts.h"

namespace pravo::runtime {

PlanWalk::PlanWalk(const RunContext& context, provider::Registry& providers, Diagnostics& diags,
                   const PlanOptions& options, Plan& plan)
    : Walk(context, providers, diags, plan, false), options_(options), plan_(plan) {}

bool PlanWalk::make() {
  // A destroy looks at the state alone; a configuration that is broken in its values must not stand in its way.
  for (const std::string& name : selection_.unmatched(plan_.prior)) diags_.emit({}, diag::TargetUnmatched, name);
  if (plan_.partial()) diags_.emit({}, diag::PartialPlan);
  declare_checks();
  if (options_.mode != PlanMode::Destroy) run();
  if (!diags_.has_errors() && !interrupted_) {
    find_orphans();
    scheduler_.run();
  }
  if (!selection_.active()) removed_outputs();
  finish_prior();
  std::sort(plan_.changes.begin(), plan_.changes.end(), [](const InstanceChange& a, const InstanceChange& b) {
    if (auto c = a.address <=> b.address; c != 0) return c < 0;
    return a.deposed < b.deposed;
  });
  std::sort(plan_.drift.begin(), plan_.drift.end(),
            [](const InstanceChange& a, const InstanceChange& b) { return a.address < b.address; });
  std::sort(plan_.outputs.begin(), plan_.outputs.end(),
            [](const OutputChange& a, const OutputChange& b) { return a.name < b.name; });
  plan_.checks = take_checks();
  return !interrupted_;
}

// --- instances

void PlanWalk::run_instance(TaskId id) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  NodeIndex n = node(module, task.item);
  if (stopping()) {
    interrupted_ = true;
    return fail_row(module, task.item, task.row);
  }
  if (poisoned(n)) return fail_row(module, task.item, task.row);
  if (!await_explicit(id, graph_.explicit_dependencies(n))) return;
  const Schema* type = schema(info);
  if (type == nullptr) {
    diags_.emit(info.range, diag::UnknownResourceType, info.provider_address, mode_words(info.mode),
                context_.program.text(info.type));
    return fail_row(module, task.item, task.row);
  }
  if (info.mode == ResourceMode::Data) return plan_data(id, info, *type);
  PRAVOC_CHECK(info.mode == ResourceMode::Managed);
  plan_managed(id, info, *type);
}

const StateResource* PlanWalk::recorded_resource(ModuleInstance& module, uint32_t resource) {
  if (state_of_.size() <= module.index) state_of_.resize(module.index + 1);
  std::vector<const StateResource*>& of_module = state_of_[module.index];
  if (of_module.empty()) {
    const ModuleBody& body = module.body();
    of_module.resize(body.resources.size());
    for (uint32_t r = 0; r < body.resources.size(); ++r) {
      ResourceAddress address;
      address.module = module.path;
      address.mode = body.resources[r].mode;
      address.type = context_.program.text(body.resources[r].type);
      address.name = context_.program.text(body.resources[r].name);
      of_module[r] = plan_.prior.find(address);
    }
  }
  return of_module[resource];
}

void PlanWalk::plan_managed(TaskId id, const ResourceInfo& info, const Schema& type) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  auto give_up = [&] { fail_row(module, task.item, task.row); };
  if (!info.conditions.empty()) {
    switch (evaluate_conditions(id, module, task.row, info.conditions, ConditionKind::Precondition,
                                checked_instance(module, task.item, task.row))) {
      case ConditionOutcome::Pending:
        return;
      case ConditionOutcome::Fail:
        return give_up();
      case ConditionOutcome::Pass:
        break;
    }
  }
  Value config;
  bool failed = false;
  if (!evaluate_config(id, info, type, config, failed)) {
    if (failed) give_up();
    return;
  }
  bool waits = false;
  bool trigger = triggered(id, info, waits, failed);
  if (failed) return give_up();
  if (waits) return;
  provider::Provider* provider = pool_.get(info.provider_address, diags_);
  if (provider == nullptr) return give_up();

  InstanceAddress where = address(module, task.item, task.row);
  const StateResource* resource = recorded_resource(module, task.item);
  const StateInstance* recorded = resource == nullptr ? nullptr : resource->find(where.key);
  if (recorded != nullptr) matched_.insert(recorded);
  auto input = std::make_shared<PlanInput>();
  input->type = context_.program.text(info.type);
  input->schema = &type;
  input->refresh.type = input->type;
  input->refresh.schema = &type;
  input->refresh.recorded = recorded != nullptr && recorded->current ? &*recorded->current : nullptr;
  input->refresh.refresh = options_.refresh;
  input->config = config.without_deep_marks();
  input->options.ignore = info.ignore_changes;
  input->options.ignore_all = info.ignore_all_changes;
  input->options.create_before_destroy = graph_.create_before_destroy(node(module, task.item));
  if (std::find(options_.replace.begin(), options_.replace.end(), where) != options_.replace.end())
    input->options.replace = ActionReason::ReplaceByRequest;
  if (trigger) input->options.replace = ActionReason::ReplaceByTriggers;
  auto output = std::make_shared<PlanOutput>();
  auto since = std::chrono::steady_clock::now();
  if (input->refresh.recorded != nullptr && options_.refresh)
    event_started(where, {}, Observer::Operation::Refresh, recorded_id(*input->refresh.recorded, type.block));
  call(
      *provider, [provider, input, output] { *output = plan_object(*provider, *input); },
      [this, id, where, recorded, config, output, since] {
        planned(id, where, recorded, config, std::move(*output), since);
      });
}

void PlanWalk::planned(TaskId id, const InstanceAddress& where, const StateInstance* recorded, const Value& config,
                       PlanOutput output, std::chrono::steady_clock::time_point since) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  const Schema& type = *schema(info);
  const SchemaBlock& block = type.block;
  const InstanceObject* object = recorded != nullptr && recorded->current ? &*recorded->current : nullptr;

  // The state's marks belong to the object that it records.
  auto as_recorded = [&](const Value& value) {
    if (object == nullptr || value.is_null()) return value;
    Value marked = object->value ? with_sensitive_of(value, *object->value) : value.mark_with_paths(object->sensitive);
    return with_schema_marks(block, std::move(marked));
  };
  Value before = as_recorded(output.refreshed.current);
  if (object != nullptr && options_.refresh)
    event_ended(where, {}, Observer::Operation::Refresh, id_of(before), since, !output.refreshed.failed);
  Value secrets[] = {config, before};
  bool errors = report(output.messages, module.body(), module.body().operand(info.inst, 0), info.range,
                       where.to_string(), secrets);
  if (errors || output.failed) return fail_row(module, task.item, task.row);

  if (object != nullptr && !output.refreshed.recorded.equals_raw(output.refreshed.current)) {
    add_drift(where, *plan_.prior.find(where.resource), *object, as_recorded(output.refreshed.recorded), before,
              type.version);
    std::optional<InstanceObject> now;
    if (!before.is_null()) {
      now = *object;
      now->value = before;
      now->attributes_json.clear();
      now->sensitive.clear();
      now->schema_version = type.version;
      now->private_data = output.refreshed.private_data;
    }
    corrections_.push_back({where, {}, std::move(now)});
  }

  if (options_.mode == PlanMode::RefreshOnly) {
    // What is there is all that others may see; of what is not there yet nothing is known.
    Value there = before.is_null() ? Value::unknown(block.type) : before;
    return finish_row(module, task.item, task.row, std::move(there), false);
  }

  InstanceChange change;
  change.address = where;
  change.provider = provider_config(info);
  change.action = output.action;
  change.reason = output.reason;
  change.before = before;
  change.after = with_sensitive_of(output.planned, config);
  change.after = with_schema_marks(block, std::move(change.after));
  change.replace_paths = std::move(output.replace_paths);
  change.planned_private = std::move(output.planned_private);
  change.schema_version = type.version;
  // What is sensitive now and was not (or the other way round) is recorded, though nothing else happens.
  if (change.action == Action::NoOp && !change.before.equals_raw(change.after)) change.action = Action::Update;
  if (info.prevent_destroy && is_replace(change.action)) {
    diags_.emit(info.range, diag::PreventDestroy, where.to_string()).address(where.to_string());
    return fail_row(module, task.item, task.row);
  }

  Value value = change.after;
  bool changed = change.action != Action::NoOp;
  if (change_of_.size() <= module.index) change_of_.resize(module.index + 1);
  std::vector<std::vector<uint32_t>>& of_module = change_of_[module.index];
  of_module.resize(module.body().resources.size());
  std::vector<uint32_t>& rows = of_module[task.item];
  rows.resize(group(module, task.item).rows.size(), UINT32_MAX);
  rows[task.row] = static_cast<uint32_t>(plan_.changes.size());
  plan_.changes.push_back(std::move(change));
  if (recorded != nullptr)
    for (const auto& [deposed, old] : recorded->deposed) {
      orphans_.push_back({where, deposed, plan_.prior.find(where.resource), &old, ActionReason::None});
      add_task(TaskKind::Other, nullptr, static_cast<uint32_t>(orphans_.size() - 1), 0, UINT32_MAX);
    }
  if (!check_postconditions(id, info, value)) return fail_row(module, task.item, task.row);
  finish_row(module, task.item, task.row, std::move(value), changed);
  // What the configuration computed for this row is of no further use, unless its own module asks again.
  if (info.expand.valid() && info.conditions.empty()) interpreter_.release_row(module, info.expand, task.row);
}

bool PlanWalk::check_postconditions(TaskId id, const ResourceInfo& info, const Value& value) {
  if (info.conditions.empty()) return true;
  Task task = tasks_[id];
  // `self` is the instance itself, which is there for its own conditions before it is for others.
  Row& row = group(*task.module, task.item).rows[task.row];
  row.value = value;
  row.state = Row::State::Done;
  ConditionOutcome outcome =
      evaluate_conditions(id, *task.module, task.row, info.conditions, ConditionKind::Postcondition,
                          checked_instance(*task.module, task.item, task.row));
  group(*task.module, task.item).rows[task.row].state = Row::State::Waiting;
  // What a postcondition needs beside `self` was there before, or is not to be waited for.
  return outcome != ConditionOutcome::Fail;
}

// --- replace_triggered_by

bool PlanWalk::triggered(TaskId id, const ResourceInfo& info, bool& waits, bool& failed) {
  Task task = tasks_[id];
  bool out = false;
  for (InstId use : info.replace_triggered_by) {
    Evaluated value = interpreter_.evaluate(*task.module, use, task.row);
    if (!settle(id, value, failed)) {
      waits = !failed;
      return false;
    }
    out |= trigger_changes(*task.module, task.row, use, failed);
    if (failed) return false;
  }
  return out;
}

// A trigger is a resource, one of its instances, or an attribute of one. It fires when what it names is updated or
// replaced, an attribute when it may change.
bool PlanWalk::trigger_changes(ModuleInstance& module, uint32_t row, InstId use, bool& failed) {
  const ModuleBody& body = module.body();
  InstId at = body.operand(use, 0);
  Path path;
  std::optional<InstanceKey> key;
  while (true) {
    const Inst& inst = body.inst(at);
    if (inst.kind == OpKind::Attr) {
      path.insert(path.begin(), PathStep::attribute(Str(context_.program.text(NameId(inst.payload)))));
      at = body.operand(at, 0);
      continue;
    }
    bool indexed = inst.kind == OpKind::Index || inst.kind == OpKind::At;
    if (!indexed) break;
    Evaluated index = interpreter_.evaluate(module, body.operand(at, 1), row);
    InstId base = body.operand(at, 0);
    OpKind base_kind = body.inst(base).kind;
    bool selects = inst.kind == OpKind::At || base_kind == OpKind::Collect;
    if (!index.ready() || index.value.is_unknown() || index.value.is_null()) {
      failed = true;
      diags_.emit(body.range(use), diag::EvaluationFailed, "the index in `replace_triggered_by` is not known");
      return false;
    }
    Value plain = index.value.without_marks();
    if (selects) {
      const ResourceInfo* named = nullptr;
      InstId resource = base_kind == OpKind::Collect ? body.operand(base, 0) : base;
      named = &body.resources[body.inst(resource).payload];
      bool count = body.inst(named->expand).kind == OpKind::ExpandCount;
      Result<Value> converted = convert(plain, count ? Type::number() : Type::string());
      if (!converted.ok()) return false;
      key = count ? InstanceKey::at(static_cast<uint64_t>(converted->as_number().to_int64().value_or(0)))
                  : InstanceKey::named(converted->as_str());
      at = resource;
      break;
    }
    if (plain.kind() == ValueKind::Number)
      path.insert(path.begin(), PathStep::at(static_cast<uint64_t>(plain.as_number().to_int64().value_or(0))));
    else if (plain.kind() == ValueKind::String)
      path.insert(path.begin(), PathStep::key(plain.as_str()));
    at = base;
  }
  if (body.inst(at).kind == OpKind::Collect) at = body.operand(at, 0);
  if (body.inst(at).kind != OpKind::Resource) return false;
  uint32_t resource = body.inst(at).payload;
  if (module.index >= change_of_.size() || resource >= change_of_[module.index].size()) return false;
  const std::vector<uint32_t>& rows = change_of_[module.index][resource];
  for (uint32_t r = 0; r < rows.size(); ++r) {
    if (rows[r] == UINT32_MAX) continue;
    const InstanceChange& change = plan_.changes[rows[r]];
    if (key && !(change.address.key == *key)) continue;
    bool acts = change.action == Action::Update || is_replace(change.action);
    if (!acts) continue;
    if (path.empty()) return true;
    const Value* before = follow_path(change.before, path);
    const Value* after = follow_path(change.after, path);
    if (before == nullptr || after == nullptr || !before->is_wholly_known() || !after->is_wholly_known() ||
        !before->without_deep_marks().equals_raw(after->without_deep_marks()))
      return true;
  }
  return false;
}

// --- data sources

// Whether something that the data source waits for explicitly will change: then it is read when that is done.
bool PlanWalk::dependency_pending(const Task& task, NodeIndex explicitly) {
  if (explicitly == kNoNode) return false;
  std::unordered_set<NodeIndex> seen{explicitly};
  std::vector<NodeIndex> todo{explicitly};
  while (!todo.empty()) {
    NodeIndex n = todo.back();
    todo.pop_back();
    if (graph_[n].is_resource() && graph_.info(n).mode == ResourceMode::Managed) {
      bool same_module = graph_[n].module == task.module->static_module;
      for (uint32_t m = 0; m < groups_.size(); ++m) {
        const ModuleInstance& instance = interpreter_.module(m);
        if (instance.static_module != graph_[n].module || (same_module && &instance != task.module)) continue;
        if (graph_[n].resource < groups_[m].size() && groups_[m][graph_[n].resource].changed) return true;
      }
    }
    for (NodeIndex next : graph_[n].needs)
      if (seen.insert(next).second) todo.push_back(next);
  }
  return false;
}

namespace {

// A data source as far as its configuration says.
Value not_read_yet(const SchemaBlock& block, const Value& config) {
  Value proposed = proposed_new(block, Value::unknown(block.type), config.without_deep_marks());
  return with_schema_marks(block, with_sensitive_of(proposed, config));
}

}  // namespace

// A data source that the apply reads. One in a check is read there again, so that the check sees what the apply made.
void PlanWalk::add_read(TaskId id, const InstanceAddress& where, ActionReason reason, Value after) {
  if (options_.mode == PlanMode::RefreshOnly && reason == ActionReason::ReadBecauseCheckNested) return;
  const ResourceInfo& info = tasks_[id].module->body().resources[tasks_[id].item];
  const Schema& type = *schema(info);
  InstanceChange change;
  change.address = where;
  change.provider = provider_config(info);
  change.action = Action::Read;
  change.reason = reason;
  change.before = Value::null(type.block.type);
  change.after = std::move(after);
  change.schema_version = type.version;
  plan_.changes.push_back(std::move(change));
}

void PlanWalk::plan_data(TaskId id, const ResourceInfo& info, const Schema& type) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  auto give_up = [&] { fail_row(module, task.item, task.row); };
  if (!info.conditions.empty()) {
    switch (evaluate_conditions(id, module, task.row, info.conditions, ConditionKind::Precondition,
                                checked_instance(module, task.item, task.row))) {
      case ConditionOutcome::Pending:
        return;
      case ConditionOutcome::Fail:
        return give_up();
      case ConditionOutcome::Pass:
        break;
    }
  }
  Value config;
  bool failed = false;
  if (!evaluate_config(id, info, type, config, failed)) {
    if (failed) give_up();
    return;
  }
  InstanceAddress where = address(module, task.item, task.row);
  ActionReason reason = ActionReason::None;
  if (!config.is_wholly_known())
    reason = ActionReason::ReadBecauseConfigUnknown;
  else if (dependency_pending(task, graph_.explicit_dependencies(node(module, task.item))))
    reason = ActionReason::ReadBecauseDependencyPending;
  if (reason != ActionReason::None) {
    Value value = not_read_yet(type.block, config);
    add_read(id, where, reason, value);
    if (!check_postconditions(id, info, value)) return give_up();
    return finish_row(module, task.item, task.row, std::move(value), true);
  }
  provider::Provider* provider = pool_.get(info.provider_address, diags_);
  if (provider == nullptr) return give_up();
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
        const ResourceInfo& r = t.module->body().resources[t.item];
        bool errors = report(output->messages, t.module->body(), t.module->body().operand(r.inst, 0), r.range,
                             where.to_string(), {&config, 1}, r.in_check);
        bool good = !errors && !output->failed;
        event_ended(where, {}, Observer::Operation::Read, good ? id_of(output->state) : std::string_view(), since,
                    good);
        if (!good) {
          // What a check reads may come to be there by what the apply makes.
          if (r.in_check)
            add_read(id, where, ActionReason::ReadBecauseCheckNested, not_read_yet(schema(r)->block, config));
          return fail_row(*t.module, t.item, t.row);
        }
        finish_data(id, where, with_sensitive_of(output->state, config));
      });
}

void PlanWalk::finish_data(TaskId id, const InstanceAddress& where, Value value) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ResourceInfo& info = module.body().resources[task.item];
  const Schema& type = *schema(info);
  value = with_schema_marks(type.block, std::move(value));
  if (info.in_check) add_read(id, where, ActionReason::ReadBecauseCheckNested, value);
  InstanceObject object;
  object.schema_version = type.version;
  object.value = value;
  corrections_.push_back({where, {}, std::move(object)});
  if (!check_postconditions(id, info, value)) return fail_row(module, task.item, task.row);
  finish_row(module, task.item, task.row, std::move(value), false);
}

}  // namespace pravo::runtime
