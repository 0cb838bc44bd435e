// What a plan says beside the instances of the configuration: objects that are to go, outputs, drift.
#include <algorithm>

#include <fmt/format.h>

#include "ir/diagnostics/lower.h"
#include "ir/diagnostics/runtime.h"
#include "runtime/exec/plan_walk.h"

namespace pravo::runtime {

// --- objects that no configuration stands for

void PlanWalk::find_orphans() {
  bool destroy = options_.mode == PlanMode::Destroy;
  if (destroy && selection_.active()) selection_.follow_state(plan_.prior);
  for (const StateResource* resource : plan_.prior.address_order()) {
    if (resource->address.mode != ResourceMode::Managed) continue;
    for (const StateInstance& instance : resource->instances) {
      if (matched_.find(&instance) != matched_.end()) continue;
      if (!is_selected({resource->address, instance.key})) continue;
      if (!destroy && refuse_move({resource->address, instance.key})) continue;
      ActionReason reason = destroy ? ActionReason::None : orphan_reason(resource->address, instance.key);
      add_orphan(*resource, instance, reason);
    }
  }
}

bool PlanWalk::is_selected(const InstanceAddress& recorded) {
  if (!selection_.active()) return true;
  if (options_.mode == PlanMode::Destroy) return selection_.destroys(recorded);
  return selection_.includes_orphan(graph_.find(recorded.resource.static_text()), recorded);
}

// Where `count` was added or removed, a single instance and the one with index 0 are the same: Terraform moves it. To
// destroy it and make another would lose what it holds.
bool PlanWalk::refuse_move(const InstanceAddress& recorded) {
  NodeIndex n = graph_.find(recorded.resource.static_text());
  if (n == kNoNode) return false;
  bool moved = false;
  auto key_now = [&](const ModuleBody& body, InstId expand, const InstanceKey& key) {
    bool count = expand.valid() && body.inst(expand).kind == OpKind::ExpandCount;
    InstanceKey now = key.is_none() && count                         ? InstanceKey::at(0)
                      : key == InstanceKey::at(0) && !expand.valid() ? InstanceKey::none()
                                                                     : key;
    moved |= !(now == key);
    return now;
  };
  ModulePath path;
  uint32_t module = 0;
  for (const ModulePath::Step& step : recorded.resource.module->steps()) {
    const ModuleBody& body = modules_.body(module);
    for (uint32_t c = 0; c < body.calls.size(); ++c) {
      if (context_.program.text(body.calls[c].name) != step.name) continue;
      path = path.child(step.name, key_now(body, body.calls[c].expand, step.key));
      module = modules_[module].children[c];
      break;
    }
  }
  const ResourceInfo& info = graph_.info(n);
  InstanceAddress now = recorded;
  now.key = key_now(modules_.body(module), info.expand, recorded.key);
  now.resource.module = std::make_shared<const ModulePath>(std::move(path));
  if (!moved || plan_.prior.find(now) != nullptr) return false;
  diags_
      .emit(info.range, diag::NotSupportedYet,
            fmt::format("moving `{}` to `{}`, as adding or removing `count` asks for,", recorded.to_string(),
                        now.to_string()))
      .help("`terraform state mv` moves it; without `count`, or with it, as before, it stays where it is")
      .address(recorded.to_string());
  return true;
}

void PlanWalk::add_orphan(const StateResource& resource, const StateInstance& instance, ActionReason reason) {
  auto add = [&](const std::string& deposed, const InstanceObject& object) {
    orphans_.push_back({{resource.address, instance.key}, deposed, &resource, &object, reason});
    add_task(TaskKind::Other, nullptr, static_cast<uint32_t>(orphans_.size() - 1), 0, UINT32_MAX);
  };
  if (instance.current) add({}, *instance.current);
  for (const auto& [deposed, object] : instance.deposed) add(deposed, object);
}

ActionReason PlanWalk::orphan_reason(const ResourceAddress& where, const InstanceKey& key) {
  NodeIndex n = graph_.find(where.static_text());
  if (n == kNoNode) return ActionReason::DeleteBecauseNoResourceConfig;
  ModuleInstance* module = nullptr;
  for (size_t m = 0; m < interpreter_.module_count() && module == nullptr; ++m)
    if (*interpreter_.module(static_cast<uint32_t>(m)).path == *where.module)
      module = &interpreter_.module(static_cast<uint32_t>(m));
  if (module == nullptr) return ActionReason::DeleteBecauseNoModule;
  const ResourceInfo& info = graph_.info(n);
  bool count = info.expand.valid() && module->body().inst(info.expand).kind == OpKind::ExpandCount;
  InstanceKey::Kind wanted = !info.expand.valid() ? InstanceKey::Kind::None
                             : count              ? InstanceKey::Kind::Number
                                                  : InstanceKey::Kind::String;
  if (key.kind != wanted) return ActionReason::DeleteBecauseWrongRepetition;
  return count ? ActionReason::DeleteBecauseCountIndex : ActionReason::DeleteBecauseEachKey;
}

void PlanWalk::run_other(TaskId id) { plan_deletion(id); }

void PlanWalk::plan_deletion(TaskId id) {
  const Orphan& orphan = orphans_[tasks_[id].item];
  if (stopping()) {
    interrupted_ = true;
    return;
  }
  std::string text = orphan.address.to_string();
  std::optional<ProviderConfigAddress> config = ProviderConfigAddress::parse(orphan.resource->provider);
  std::string provider_address = config ? config->provider : orphan.resource->provider;
  const ProviderSchema* known = pool_.registry().schema(provider_address);
  const Schema* type = nullptr;
  if (known != nullptr) {
    auto found = known->resources.find(orphan.address.resource.type);
    if (found != known->resources.end()) type = &found->second;
  }
  if (known == nullptr) {
    diags_.emit({}, diag::ProviderMissing, provider_address).address(text);
    return;
  }
  if (type == nullptr) {
    diags_
        .emit({}, diag::UnknownResourceType, provider_address, mode_words(ResourceMode::Managed),
              orphan.address.resource.type)
        .help("the state has an object of this type: use a version of the provider that knows it")
        .address(text);
    return;
  }
  NodeIndex n = graph_.find(orphan.address.resource.static_text());
  const bool goes = options_.mode != PlanMode::RefreshOnly;
  if (goes && n != kNoNode && graph_.info(n).prevent_destroy && orphan.deposed.empty()) {
    diags_.emit(graph_.info(n).range, diag::PreventDestroy, text).address(text);
    return;
  }
  provider::Provider* provider = pool_.get(provider_address, diags_);
  if (provider == nullptr) return;
  auto input = std::make_shared<PlanInput>();
  input->type = orphan.address.resource.type;
  input->schema = type;
  input->refresh.type = input->type;
  input->refresh.schema = type;
  input->refresh.recorded = orphan.object;
  input->refresh.refresh = options_.refresh;
  input->config = Value::null(type->block.type);
  auto output = std::make_shared<PlanOutput>();
  auto since = std::chrono::steady_clock::now();
  if (options_.refresh)
    event_started(orphan.address, orphan.deposed, Observer::Operation::Refresh,
                  recorded_id(*orphan.object, type->block));
  call(
      *provider, [provider, input, output] { *output = plan_object(*provider, *input); },
      [this, id, type, output, since, text] {
        const Orphan& o = orphans_[tasks_[id].item];
        auto as_recorded = [&](const Value& value) {
          if (value.is_null()) return value;
          std::vector<PathMarks> marks =
              o.object->value ? o.object->value->unmark_with_paths().second : o.object->sensitive;
          Value marked = value.mark_with_paths(marks);
          return with_schema_marks(type->block, std::move(marked));
        };
        Value before = as_recorded(output->refreshed.current);
        if (options_.refresh)
          event_ended(o.address, o.deposed, Observer::Operation::Refresh, recorded_id(*o.object, type->block), since,
                      !output->refreshed.failed);
        bool errors = report(output->messages, context_.program.body(ModuleId(0)), InstId(), {}, text, {&before, 1});
        if (errors || output->failed) return;
        if (!output->refreshed.recorded.equals_raw(output->refreshed.current)) {
          add_drift(o.address, *o.resource, *o.object, as_recorded(output->refreshed.recorded), before, type->version);
          std::optional<InstanceObject> now;
          if (!before.is_null()) {
            now = *o.object;
            now->value = before;
            now->attributes_json.clear();
            now->sensitive.clear();
            now->schema_version = type->version;
            now->private_data = output->refreshed.private_data;
          }
          corrections_.push_back({o.address, o.deposed, std::move(now)});
        }
        if (options_.mode == PlanMode::RefreshOnly) return;
        if (output->action == Action::NoOp) return;  // it is gone already
        InstanceChange change;
        change.address = o.address;
        change.deposed = o.deposed;
        change.provider = o.resource->provider;
        change.action = Action::Delete;
        change.reason = o.reason;
        change.before = before;
        change.after = Value::null(type->block.type);
        change.planned_private = std::move(output->planned_private);
        change.schema_version = type->version;
        plan_.changes.push_back(std::move(change));
      });
}

void PlanWalk::add_drift(const InstanceAddress& where, const StateResource& resource, const InstanceObject&,
                         const Value& before, const Value& after, uint64_t schema_version) {
  InstanceChange change;
  change.address = where;
  change.provider = resource.provider;
  change.action = after.is_null() ? Action::Delete : Action::Update;
  change.before = before;
  change.after = after;
  change.schema_version = schema_version;
  plan_.drift.push_back(std::move(change));
}

// --- outputs

void PlanWalk::run_output(TaskId id) {
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
    ConditionOutcome outcome =
        evaluate_conditions(id, module, 0, info.preconditions, ConditionKind::Precondition, checked);
    if (outcome != ConditionOutcome::Pass) return;
  }
  Evaluated result = interpreter_.evaluate(module, info.inst);
  bool failed = false;
  if (!settle(id, result, failed) || module.parent != nullptr) return;
  if (!is_recordable(result.value, body.use_range(info.inst, 0), local)) return;
  bool declared = shown_as_sensitive(module, info);
  if (!declared && any(result.value.deep_marks() & MarkSet::Sensitive)) {
    diags_.emit(body.use_range(info.inst, 0), diag::SensitiveOutputValue, name).address(local);
    return;
  }
  PRAVOC_CHECK(!any(result.value.deep_marks() & MarkSet::Ephemeral));
  Value after = result.value.without_deep_marks();
  OutputChange change;
  change.name = name;
  auto before = plan_.prior.outputs.find(name);
  bool was_sensitive = false;
  if (before != plan_.prior.outputs.end()) {
    change.before = before->second.value.without_deep_marks();
    was_sensitive = before->second.sensitive;
    bool same = after.is_wholly_known() && change.before.equals_raw(after) && was_sensitive == declared;
    change.action = same ? Action::NoOp : Action::Update;
  } else {
    change.action = after.is_null() ? Action::NoOp : Action::Create;
  }
  change.sensitive = declared || was_sensitive;
  change.after = std::move(after);
  plan_.outputs.push_back(std::move(change));
}

void PlanWalk::removed_outputs() {
  // An output that could not be evaluated is not gone.
  std::unordered_set<std::string_view> there;
  for (const OutputChange& change : plan_.outputs) there.insert(change.name);
  if (options_.mode != PlanMode::Destroy)
    for (const OutputInfo& info : context_.program.body(ModuleId(0)).outputs)
      there.insert(context_.program.text(info.name));
  std::vector<OutputChange> removed;
  for (const auto& [name, output] : plan_.prior.outputs) {
    if (there.find(name) != there.end()) continue;
    OutputChange change;
    change.name = name;
    change.action = Action::Delete;
    change.before = output.value.without_deep_marks();
    change.sensitive = output.sensitive;
    removed.push_back(std::move(change));
  }
  for (OutputChange& change : removed) plan_.outputs.push_back(std::move(change));
}

// --- the state to start from

void PlanWalk::finish_prior() {
  // Data sources are read anew each time: what the configuration no longer reads is forgotten.
  std::vector<InstanceAddress> data;
  for (const StateResource* resource : plan_.prior.address_order())
    if (resource->address.mode == ResourceMode::Data)
      for (const StateInstance& instance : resource->instances)
        if (InstanceAddress where{resource->address, instance.key}; is_selected(where)) data.push_back(where);
  for (const InstanceAddress& where : data) {
    plan_.prior.find(where.resource)->find(where.key)->current.reset();
    plan_.prior.prune(where);
  }
  for (Correction& correction : corrections_) {
    if (!correction.object) {
      StateResource* resource = plan_.prior.find(correction.address.resource);
      if (resource == nullptr) continue;
      if (StateInstance* instance = resource->find(correction.address.key)) {
        if (correction.deposed.empty())
          instance->current.reset();
        else
          instance->deposed.erase(correction.deposed);
      }
      plan_.prior.prune(correction.address);
      continue;
    }
    std::string provider;
    NodeIndex n = graph_.find(correction.address.resource.static_text());
    if (n != kNoNode) provider = provider_config(graph_.info(n));
    StateInstance& instance = plan_.prior.get(correction.address.resource, provider).get(correction.address.key);
    if (correction.deposed.empty())
      instance.current = std::move(*correction.object);
    else
      instance.deposed[correction.deposed] = std::move(*correction.object);
  }
  plan_.prior.compact();
}

}  // namespace pravo::runtime
