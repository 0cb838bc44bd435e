// Which resources depend on which, by configuration: what orders destroys, what the state records, what a failure
// keeps from starting. Resources are nodes; what several of them depend on together is a join, shared by all who
// need the same, so the graph grows with the configuration, never with the square of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/exec/static_modules.h"
#include "runtime/state/state.h"

namespace pravo::runtime {

using NodeIndex = uint32_t;
inline constexpr NodeIndex kNoNode = UINT32_MAX;

struct DependencyNode {
  // Of a resource (any mode); `module` is UINT32_MAX for a join.
  uint32_t module = UINT32_MAX;
  uint32_t resource = 0;
  std::vector<NodeIndex> needs;  // of a resource: at most one
  std::vector<NodeIndex> needed_by;

  bool is_resource() const { return module != UINT32_MAX; }
};

class DependencyGraph {
 public:
  explicit DependencyGraph(const StaticModules& modules);

  size_t size() const { return nodes_.size(); }
  const DependencyNode& operator[](NodeIndex node) const { return nodes_[node]; }
  NodeIndex resource(uint32_t module, uint32_t resource) const { return first_resource_[module] + resource; }
  const ResourceInfo& info(NodeIndex node) const {
    return modules_.body(nodes_[node].module).resources[nodes_[node].resource];
  }

  // What a value of the top of a body depends on, or kNoNode (also of a value that no resource and no output needs).
  NodeIndex of_value(uint32_t module, InstId inst) const;
  // What `depends_on` of a resource, and of the module calls around it, names; kNoNode where there is none.
  NodeIndex explicit_dependencies(NodeIndex resource) const { return explicit_[resource]; }
  // The same for the outputs of a module.
  NodeIndex scope_dependencies(uint32_t module) const { return scopes_[module]; }

  // The place of a resource in an order in which each comes after what it needs.
  uint32_t rank(NodeIndex resource) const { return ranks_[resource]; }

  // Addresses of the resources that a resource depends on, directly and indirectly, sorted: what the state records.
  // Where there are more than kMaxRecorded, only the direct ones: order follows from those too, and recording all of
  // a long chain would make the state quadratic.
  DependencyList recorded(NodeIndex resource);
  static constexpr size_t kMaxRecorded = 128;

  // Whether it is, or is needed by, a resource with create_before_destroy: then it is created before, too.
  bool create_before_destroy(NodeIndex resource) const { return create_first_[resource]; }

  // `module.a.t.n`
  std::string address(NodeIndex resource) const;
  // The resource of an address without keys, or kNoNode.
  NodeIndex find(std::string_view address) const;

 private:
  class Builder;
  struct Closure {
    enum class State : uint8_t { New, Open, Known } state = State::New;
    bool all = true;               // false: too many
    std::vector<NodeIndex> nodes;  // sorted; without `all`, the nearest ones
  };
  const Closure& closure(NodeIndex join_or_resource);

  const StaticModules& modules_;
  std::vector<DependencyNode> nodes_;
  std::vector<NodeIndex> first_resource_;       // by module
  std::vector<NodeIndex> explicit_;             // by resource node
  std::vector<NodeIndex> scopes_;               // by module
  std::vector<std::vector<NodeIndex>> values_;  // by module, by InstId
  std::vector<uint32_t> ranks_;
  std::vector<bool> create_first_;
  std::vector<Closure> closures_;
  std::unordered_map<NodeIndex, DependencyList> recorded_;  // by what the resource needs
  std::unordered_map<std::string, NodeIndex> addresses_;
  std::vector<Str> texts_;
};

}  // namespace pravo::runtime
