#include "runtime/exec/selection.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace pravo::runtime {

Selection::Selection(const DependencyGraph& graph, std::vector<TargetAddress> targets,
                     std::vector<TargetAddress> excludes)
    : graph_(graph), targets_(std::move(targets)), excludes_(std::move(excludes)) {
  if (!targets_.empty()) select_targets();
  if (!excludes_.empty()) select_excludes();
}

void Selection::select_targets() {
  nodes_.assign(graph_.size(), Part::None);
  std::vector<NodeIndex> todo;
  for (NodeIndex n = 0; n < graph_.size() && graph_[n].is_resource(); ++n) {
    const std::string address = graph_.address(n);
    if (std::none_of(targets_.begin(), targets_.end(), [&](const auto& target) { return target.touches(address); }))
      continue;
    nodes_[n] = Part::Some;
    todo.push_back(n);
  }
  // What is needed is needed whole: which instance an expression picks is not known before it is evaluated. But in a
  // module instance that is a target, things need those beside them and not those of the module's other instances.
  const bool single = std::any_of(targets_.begin(), targets_.end(),
                                  [](const TargetAddress& target) { return target.whole_module && target.has_keys(); });
  std::vector<NodeIndex> whole;
  for (NodeIndex n : todo) {
    if (!single) {
      whole.insert(whole.end(), graph_[n].needs.begin(), graph_[n].needs.end());
      continue;
    }
    const std::string user = graph_.address(n);
    std::vector<NodeIndex> parts = graph_[n].needs;
    std::unordered_set<NodeIndex> seen(parts.begin(), parts.end());
    while (!parts.empty()) {
      NodeIndex part = parts.back();
      parts.pop_back();
      if (!graph_[part].is_resource()) {
        for (NodeIndex inner : graph_[part].needs)
          if (seen.insert(inner).second) parts.push_back(inner);
      } else if (!beside(user, graph_.address(part))) {
        whole.push_back(part);
      } else if (nodes_[part] == Part::None) {
        nodes_[part] = Part::Some;
      }
    }
  }
  while (!whole.empty()) {
    NodeIndex n = whole.back();
    whole.pop_back();
    if (nodes_[n] == Part::All) continue;
    nodes_[n] = Part::All;
    whole.insert(whole.end(), graph_[n].needs.begin(), graph_[n].needs.end());
  }
}

// Whether every target that brings a resource brings the other one as well, in the same instances of modules.
bool Selection::beside(std::string_view resource, std::string_view other) const {
  return std::all_of(targets_.begin(), targets_.end(), [&](const TargetAddress& target) {
    return !target.touches(resource) || (target.whole_module && target.touches(other));
  });
}

void Selection::select_excludes() {
  nodes_.assign(graph_.size(), Part::All);
  std::vector<NodeIndex> todo;
  for (NodeIndex n = 0; n < graph_.size() && graph_[n].is_resource(); ++n) {
    const std::string address = graph_.address(n);
    for (const TargetAddress& exclude : excludes_) {
      if (!exclude.touches(address)) continue;
      nodes_[n] = exclude.has_keys() && nodes_[n] != Part::None ? Part::Some : Part::None;
      todo.push_back(n);
    }
  }
  while (!todo.empty()) {
    NodeIndex n = todo.back();
    todo.pop_back();
    for (NodeIndex user : graph_[n].needed_by) {
      if (nodes_[user] == Part::None) continue;
      nodes_[user] = Part::None;
      todo.push_back(user);
    }
  }
}

bool Selection::named(const std::vector<TargetAddress>& by, const InstanceAddress& instance) const {
  return std::any_of(by.begin(), by.end(), [&](const TargetAddress& target) { return target.contains(instance); });
}

bool Selection::includes(NodeIndex resource, const InstanceAddress& instance) const {
  switch (nodes_[resource]) {
    case Part::None:
      return false;
    case Part::Some:
      return has_targets() ? named(targets_, instance) : !named(excludes_, instance);
    case Part::All:
      return true;
  }
  PRAVOC_UNREACHABLE();
}

bool Selection::includes_value(NodeIndex needs) const {
  if (needs == kNoNode) return !has_targets();
  std::vector<NodeIndex> todo{needs};
  std::unordered_set<NodeIndex> seen{needs};
  while (!todo.empty()) {
    NodeIndex n = todo.back();
    todo.pop_back();
    if (graph_[n].is_resource()) {
      if (nodes_[n] == Part::None) return false;
      continue;
    }
    for (NodeIndex part : graph_[n].needs)
      if (seen.insert(part).second) todo.push_back(part);
  }
  return true;
}

bool Selection::includes_orphan(NodeIndex resource, const InstanceAddress& instance) const {
  if (resource != kNoNode) return includes(resource, instance);
  return has_targets() ? named(targets_, instance) : !named(excludes_, instance);
}

void Selection::follow_state(const State& state) {
  const bool up = has_targets();  // from a target to what depends on it; from an exclude to what it depends on
  std::unordered_map<std::string, std::vector<std::string>> next;
  std::vector<std::string> todo;
  for (const StateResource* resource : state.address_order()) {
    const std::string own = resource->address.static_text();
    auto note = [&](const InstanceObject& object) {
      if (!object.dependencies) return;
      for (const Str& dependency : *object.dependencies) {
        std::string other(dependency.view());
        (up ? next[other] : next[own]).push_back(up ? own : other);
      }
    };
    for (const StateInstance& instance : resource->instances) {
      if (named(up ? targets_ : excludes_, {resource->address, instance.key})) todo.push_back(own);
      if (instance.current) note(*instance.current);
      for (const auto& [key, object] : instance.deposed) note(object);
    }
  }
  while (!todo.empty()) {
    std::string address = std::move(todo.back());
    todo.pop_back();
    auto found = next.find(address);
    if (found == next.end()) continue;
    for (const std::string& other : std::exchange(found->second, {}))
      if (followed_.insert(other).second) todo.push_back(other);
  }
}

bool Selection::destroys(const InstanceAddress& instance) const {
  const bool followed = followed_.contains(instance.resource.static_text());
  return has_targets() ? followed || named(targets_, instance) : !followed && !named(excludes_, instance);
}

std::vector<std::string> Selection::unmatched(const State& state) const {
  std::vector<std::string> out;
  for (const std::vector<TargetAddress>* list : {&targets_, &excludes_})
    for (const TargetAddress& target : *list) {
      bool found = false;
      for (NodeIndex n = 0; !found && n < graph_.size() && graph_[n].is_resource(); ++n)
        found = target.touches(graph_.address(n));
      for (const StateResource* resource : state.address_order()) {
        if (found) break;
        found = target.touches(resource->address.static_text());
      }
      if (!found) out.push_back(target.to_string());
    }
  return out;
}

}  // namespace pravo::runtime
