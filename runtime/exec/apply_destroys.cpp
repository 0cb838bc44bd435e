// The destroys of an apply: in which order objects go, as the state recorded what they depend on, and how each goes.
#include <algorithm>
#include <utility>

#include "ir/diagnostics/lower.h"
#include "ir/diagnostics/runtime.h"
#include "runtime/exec/apply_walk.h"
#include "runtime/exec/object_parts.h"

namespace pravo::runtime {

// --- the graph of destroys

uint32_t ApplyWalk::destroy_group(const std::string& address) {
  auto [at, added] = group_index_.try_emplace(address, static_cast<uint32_t>(groups_of_destroys_.size()));
  if (added) groups_of_destroys_.emplace_back();
  return at->second;
}

// Whether an object goes after all that used it has moved on: the old one of a replacement that creates first, what
// such a replacement left behind, and an instance of a resource that is replaced in that order. In a destroy nothing
// moves on.
bool ApplyWalk::goes_last(const InstanceChange& change) const {
  if (plan_.mode == PlanMode::Destroy) return false;
  if (change.action == Action::CreateThenDelete || !change.deposed.empty()) return true;
  const StateInstance* instance = plan_.prior.find(change.address);
  return change.action == Action::Delete && instance != nullptr && instance->current &&
         instance->current->create_before_destroy;
}

void ApplyWalk::build_destroys() {
  std::vector<const InstanceChange*> going;
  for (const InstanceChange& change : plan_.changes)
    if (change.action == Action::Delete || is_replace(change.action)) going.push_back(&change);
  if (going.empty()) return;

  // Every resource of the state is a group, also those that stay: order goes through them.
  for (const StateResource* resource : plan_.prior.address_order()) {
    uint32_t g = destroy_group(resource->address.static_text());
    const std::vector<Str>* last = nullptr;
    auto note = [&](const InstanceObject& object) {
      if (!object.dependencies || object.dependencies.get() == last) return;
      last = object.dependencies.get();
      for (const Str& name : *object.dependencies) {
        uint32_t other = destroy_group(std::string(name.view()));
        if (other != g) groups_of_destroys_[g].depends_on.push_back(other);
      }
    };
    for (const StateInstance& instance : resource->instances) {
      if (instance.current) note(*instance.current);
      for (const auto& [key, object] : instance.deposed) note(object);
    }
  }
  for (DestroyGroup& group : groups_of_destroys_) {
    std::sort(group.depends_on.begin(), group.depends_on.end());
    group.depends_on.erase(std::unique(group.depends_on.begin(), group.depends_on.end()), group.depends_on.end());
  }
  order_groups();

  for (const InstanceChange* change : going) {
    Destroy destroy;
    destroy.change = change;
    destroy.group = destroy_group(change->address.resource.static_text());
    destroy.deposed = change->deposed;
    destroy.create_first = goes_last(*change);
    destroy.ready = destroy.create_first && change->action == Action::Delete;
    TaskId task = add_task(TaskKind::Other, nullptr, static_cast<uint32_t>(destroys_.size()), 0, 0, 1);
    destroys_.push_back(std::move(destroy));
    groups_of_destroys_[destroys_.back().group].destroys.push_back(task);
    if (is_replace(change->action)) planned_.at(change->address.to_string()).destroy = task;
  }
  // What is created or updated comes after the destroys of what it depended on, and after its own.
  for (auto& [name, planned] : planned_) {
    if (planned.change->action == Action::NoOp) continue;
    std::vector<uint32_t> after;
    const StateInstance* instance = plan_.prior.find(planned.change->address);
    if (instance != nullptr && instance->current && instance->current->dependencies)
      for (const Str& dependency : *instance->current->dependencies) {
        uint32_t g = group_index_.at(std::string(dependency.view()));
        bool destroys_first =
            std::any_of(groups_of_destroys_[g].destroys.begin(), groups_of_destroys_[g].destroys.end(),
                        [&](TaskId task) { return !destroys_[tasks_[task].item].create_first; });
        if (destroys_first) after.push_back(g);
      }
    planned.after = std::move(after);
  }
  // Who waits for a group of destroys: groups of what its objects depended on.
  for (uint32_t g = 0; g < groups_of_destroys_.size(); ++g) {
    groups_of_destroys_[g].open += static_cast<uint32_t>(groups_of_destroys_[g].destroys.size());
    for (uint32_t other : groups_of_destroys_[g].depends_on) ++groups_of_destroys_[other].open;
  }
  // A group starts when all that depends on it is done: its own destroys are what is left of `open` then.
  std::vector<uint32_t> ready;
  for (uint32_t g = 0; g < groups_of_destroys_.size(); ++g)
    if (groups_of_destroys_[g].open == groups_of_destroys_[g].destroys.size()) ready.push_back(g);
  for (uint32_t g : ready) release_group(g);
}

// Dependencies that a state recorded over time may run in circles (a depended on b once, now b depends on a). An
// order that follows them as far as it can; what points backwards in it is dropped.
void ApplyWalk::order_groups() {
  auto count = static_cast<uint32_t>(groups_of_destroys_.size());
  std::vector<uint32_t> open(count, 0);
  for (const DestroyGroup& group : groups_of_destroys_)
    for (uint32_t other : group.depends_on) ++open[other];
  std::vector<uint32_t> position(count, UINT32_MAX);
  std::vector<uint32_t> todo;
  uint32_t next = 0;
  uint32_t scan = 0;
  for (uint32_t g = 0; g < count; ++g)
    if (open[g] == 0) todo.push_back(g);
  while (next < count) {
    uint32_t g;
    if (!todo.empty()) {
      g = todo.back();
      todo.pop_back();
      if (position[g] != UINT32_MAX) continue;
    } else {
      while (position[scan] != UINT32_MAX) ++scan;
      g = scan;
    }
    position[g] = next++;
    for (uint32_t other : groups_of_destroys_[g].depends_on)
      if (open[other] > 0 && --open[other] == 0 && position[other] == UINT32_MAX) todo.push_back(other);
  }
  for (uint32_t g = 0; g < count; ++g)
    std::erase_if(groups_of_destroys_[g].depends_on, [&](uint32_t other) { return position[other] < position[g]; });
}

// Lets the destroys of a group run; with none of its own it is complete, and others may follow.
void ApplyWalk::release_group(uint32_t first) {
  std::vector<uint32_t> todo{first};
  while (!todo.empty()) {
    uint32_t g = todo.back();
    todo.pop_back();
    DestroyGroup& group = groups_of_destroys_[g];
    if (group.complete) continue;
    if (group.open > 0) {
      // Only its own are left.
      for (TaskId task : group.destroys) {
        Destroy& destroy = destroys_[tasks_[task].item];
        if (destroy.waited) continue;
        destroy.waited = true;
        if (!destroy.create_first || destroy.ready) scheduler_.release(task);
      }
      continue;
    }
    group.complete = true;
    for (TaskId task : group.held) scheduler_.release(task);
    for (uint32_t other : group.depends_on) {
      DestroyGroup& next = groups_of_destroys_[other];
      next.failed |= group.failed;
      if (--next.open == next.destroys.size()) todo.push_back(other);
    }
  }
}

// --- one object

// The resources that need a resource directly.
const std::vector<NodeIndex>& ApplyWalk::users(NodeIndex resource) {
  static const std::vector<NodeIndex> none;
  if (resource == kNoNode) return none;
  auto [at, added] = users_.try_emplace(resource);
  if (!added) return at->second;
  std::vector<NodeIndex> todo{resource};
  while (!todo.empty()) {
    NodeIndex n = todo.back();
    todo.pop_back();
    for (NodeIndex user : graph_[n].needed_by) (graph_[user].is_resource() ? at->second : todo).push_back(user);
  }
  std::sort(at->second.begin(), at->second.end());
  at->second.erase(std::unique(at->second.begin(), at->second.end()), at->second.end());
  return at->second;
}

void ApplyWalk::run_other(TaskId id) { run_destroy(id); }

void ApplyWalk::run_destroy(TaskId id) {
  Destroy& destroy = destroys_[tasks_[id].item];
  const InstanceChange& change = *destroy.change;
  DestroyGroup& own = groups_of_destroys_[destroy.group];
  auto skip = [&] {
    destroy.cancelled = true;
    ApplyOutput none;
    none.failed = true;
    destroyed(id, std::move(none), std::chrono::steady_clock::now());
  };
  if (own.failed || destroy.cancelled || stop_here()) return skip();
  if (destroy.create_first) {
    // The old object stays until everyone who used it has moved on.
    NodeIndex n = graph_.find(change.address.resource.static_text());
    if (n != kNoNode && failed_node(n)) return skip();
    for (NodeIndex user : users(n)) {
      if (!await_explicit(id, user)) return;
      if (failed_node(user)) return skip();
    }
  }
  std::optional<ProviderConfigAddress> config = ProviderConfigAddress::parse(change.provider);
  std::string provider_address = config ? config->provider : change.provider;
  provider::Provider* provider = pool_.get(provider_address, diags_);
  const ProviderSchema* known = pool_.registry().schema(provider_address);
  if (provider == nullptr || known == nullptr) return skip();
  const std::string& type_name = change.address.resource.type;
  auto type = known->resources.find(type_name);
  if (type == known->resources.end()) {
    diags_.emit({}, diag::UnknownResourceType, provider_address, mode_words(ResourceMode::Managed), type_name)
        .address(change.address.to_string());
    return skip();
  }
  std::optional<StateWriter::Ticket> intent = note_intent(*provider, change.address, destroy.deposed, Action::Delete);
  if (!intent) return skip();
  auto input = std::make_shared<ApplyInput>();
  input->type = change.address.resource.type;
  input->schema = &type->second;
  input->action = Action::Delete;
  input->before = change.before.without_deep_marks();
  input->config = Value::null(type->second.block.type);
  input->planned = input->config;
  input->planned_private = change.planned_private;
  auto output = std::make_shared<ApplyOutput>();
  auto since = std::chrono::steady_clock::now();
  event_started(change.address, destroy.deposed, Observer::Operation::Delete, id_of(change.before));
  call(*provider, apply_call(*provider, *intent, input, output), [this, id, output, since] {
    if (!output->called) {
      // The journal could not be written: it says why, and that nothing was asked.
      Destroy& d = destroys_[tasks_[id].item];
      event_ended(d.change->address, d.deposed, Observer::Operation::Delete, id_of(d.change->before), since, false);
      after_operation(d.change->address, d.deposed, Action::Delete);
    }
    destroyed(id, std::move(*output), since);
  });
}

void ApplyWalk::destroyed(TaskId id, ApplyOutput output, std::chrono::steady_clock::time_point since) {
  Destroy& destroy = destroys_[tasks_[id].item];
  const InstanceChange& change = *destroy.change;
  DestroyGroup& own = groups_of_destroys_[destroy.group];
  if (output.called) {
    bool errors = report(output.messages, context_.program.body(ModuleId(0)), InstId(), {}, change.address.to_string(),
                         {&change.before, 1});
    bool good = !errors && !output.failed;
    event_ended(change.address, destroy.deposed, Observer::Operation::Delete, id_of(change.before), since, good);
    StateInstance* instance = recorded(change.address);
    if (instance != nullptr && output.state) {
      bool gone = output.state->is_null();
      auto update = [&](InstanceObject& object) {
        object.value = with_sensitive_of(*output.state, change.before);
        object.attributes_json.clear();
        object.sensitive.clear();
        object.private_data = output.private_data;
      };
      if (destroy.deposed.empty()) {
        if (gone)
          instance->current.reset();
        else if (instance->current)
          update(*instance->current);
      } else if (gone) {
        instance->deposed.erase(destroy.deposed);
      } else if (auto found = instance->deposed.find(destroy.deposed); found != instance->deposed.end()) {
        update(found->second);
      }
      // The place of what is replaced is taken again.
      if (!is_replace(change.action)) result_.state.prune(change.address);
      changed_ = true;
    }
    if (good)
      ++result_.destroyed;
    else
      output.failed = true;
    destroy.cancelled |= !good;
    after_operation(change.address, destroy.deposed, Action::Delete);
  }
  if (output.failed) {
    own.failed = true;
    NodeIndex n = graph_.find(change.address.resource.static_text());
    if (n != kNoNode && !destroy.create_first) mark_failed(n);
  }
  // The new object may come now, or will not.
  if (change.action == Action::DeleteThenCreate) {
    destroy.ready = true;
    // Unless the configuration has not come to it yet: an instance of a counted resource is found late, and is not
    // held then.
    Planned& planned = planned_.at(change.address.to_string());
    if (planned.held) {
      planned.held = false;
      scheduler_.release(planned.task);
    }
  }
  if (--own.open == 0) release_group(destroy.group);
}

}  // namespace pravo::runtime
