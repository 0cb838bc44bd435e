// What a run with `-target` or `-exclude` is about.
//
// With targets: what they name, and everything that needs, as the configuration says. With excludes: all but what they
// name and what needs that. A destroy asks the state instead: what depends on a target goes with it, and what an
// excluded object depends on stays with it.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/exec/dependencies.h"
#include "runtime/state/state.h"
#include "runtime/target.h"

namespace pravo::runtime {

class Selection {
 public:
  Selection(const DependencyGraph& graph, std::vector<TargetAddress> targets, std::vector<TargetAddress> excludes);

  // False: everything is selected, and nothing else needs to be asked.
  bool active() const { return !targets_.empty() || !excludes_.empty(); }
  bool has_targets() const { return !targets_.empty(); }

  // Whether any instance of a resource is part of the run.
  bool includes(NodeIndex resource) const { return nodes_[resource] != Part::None; }
  bool includes(NodeIndex resource, const InstanceAddress& instance) const;
  // A value that depends on `needs` (kNoNode: on no resource): with targets, only what they bring about is looked at.
  bool includes_value(NodeIndex needs) const;
  // An object of the state that no configuration stands for; `resource` may be kNoNode.
  bool includes_orphan(NodeIndex resource, const InstanceAddress& instance) const;

  // --- destroys: from what `state` recorded
  void follow_state(const State& state);
  bool destroys(const InstanceAddress& instance) const;

  // The targets and excludes that name nothing, neither in the configuration nor in the state.
  std::vector<std::string> unmatched(const State& state) const;

 private:
  enum class Part : uint8_t { None, Some, All };

  bool named(const std::vector<TargetAddress>& by, const InstanceAddress& instance) const;
  void select_targets();
  bool beside(std::string_view resource, std::string_view other) const;
  void select_excludes();

  const DependencyGraph& graph_;
  std::vector<TargetAddress> targets_;
  std::vector<TargetAddress> excludes_;
  std::vector<Part> nodes_;
  std::unordered_set<std::string> followed_;  // resources (static addresses) that a destroy takes, or leaves, as well
};

}  // namespace pravo::runtime
