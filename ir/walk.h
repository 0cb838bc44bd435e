// Walks over a body that several passes need: instructions of a region, everything an instruction depends on, and
// the strongly connected components of any graph. Nothing here recurses: chains of 100,000 nodes are ordinary.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ir/program.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace pravo {

// --- instructions

// The id behind an instruction and all its regions: where the next one of the same list starts.
inline InstId next_inst(const ModuleBody& body, InstId id) {
  const Inst& inst = body.inst(id);
  int regions = op_info(inst.kind).regions;
  if (regions == 0) return InstId(id.index + 1);
  return body.region(RegionId(inst.payload + static_cast<uint32_t>(regions) - 1)).end;
}

// A list of instructions without those of nested regions: `for (InstId id : top_insts(body))`.
class InstRange {
 public:
  class Iterator {
   public:
    Iterator(const ModuleBody* body, InstId at) : body_(body), at_(at) {}
    InstId operator*() const { return at_; }
    Iterator& operator++() {
      at_ = next_inst(*body_, at_);
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const ModuleBody* body_;
    InstId at_;
  };
  InstRange(const ModuleBody& body, InstId begin, InstId end) : body_(body), begin_(begin), end_(end) {}
  Iterator begin() const { return {&body_, begin_}; }
  Iterator end() const { return {&body_, end_}; }

 private:
  const ModuleBody& body_;
  InstId begin_;
  InstId end_;
};

inline InstRange top_insts(const ModuleBody& body) {
  return {body, InstId(0), InstId(static_cast<uint32_t>(body.insts.size()))};
}
// The yield is the last of them.
inline InstRange region_insts(const ModuleBody& body, RegionId id) {
  const Region& region = body.region(id);
  return {body, region.begin, region.end};
}
// The regions of an owner: none for most ops.
struct RegionRange {
  uint32_t first = 0;
  uint32_t count = 0;
  RegionId operator[](uint32_t i) const { return RegionId(first + i); }
};
inline RegionRange regions_of(const ModuleBody& body, InstId id) {
  const Inst& inst = body.inst(id);
  auto count = static_cast<uint32_t>(op_info(inst.kind).regions);
  return count == 0 ? RegionRange{} : RegionRange{inst.payload, count};
}
// The innermost region of every instruction, by InstId; invalid at the top.
std::vector<RegionId> regions_by_inst(const ModuleBody& body);

inline bool is_expand(OpKind kind) { return kind == OpKind::ExpandCount || kind == OpKind::ExpandForEach; }

// --- rows of side tables, by instruction (rows are in the order of their instructions); null: there is none

const VariableInfo* variable_of(const ModuleBody& body, InstId id);
const OutputInfo* output_of(const ModuleBody& body, InstId id);
const ProviderInfo* provider_of(const ModuleBody& body, InstId id);
inline const ResourceInfo* resource_of(const ModuleBody& body, InstId id) {
  const Inst& inst = body.inst(id);
  return op_info(inst.kind).payload == PayloadKind::Resource ? &body.resources[inst.payload] : nullptr;
}
inline const ModuleCallInfo* call_of(const ModuleBody& body, InstId id) {
  const Inst& inst = body.inst(id);
  return inst.kind == OpKind::ModuleInstance ? &body.calls[inst.payload] : nullptr;
}
// What an instruction names in its `after(...)`.
std::span<const InstId> after_of(const ModuleBody& body, InstId id);

// --- dependencies

enum class DependencyKind : uint8_t {
  Operand,
  After,   // order only
  Domain,  // the expand that the value is over
  Region,  // an owner on the instructions of its own regions, not on those of nested owners
};
// Calls visit for everything that must be known before `id`: operands, its domain, `after`, an owner's regions.
// key and each of a for or splat depend on what their owner iterates, not on the owner, whose result depends on
// them.
template <class F>
void for_each_dependency(const ModuleBody& body, InstId id, F&& visit) {
  const Inst& inst = body.inst(id);
  if ((inst.kind == OpKind::Key || inst.kind == OpKind::Each) && !is_expand(body.inst(body.operand(id, 0)).kind)) {
    visit(body.operand(body.operand(id, 0), 0), DependencyKind::Operand);
    return;
  }
  for (uint32_t operand : body.operand_indexes(id)) visit(InstId(operand), DependencyKind::Operand);
  if (inst.domain.valid()) visit(inst.domain, DependencyKind::Domain);
  for (InstId after : after_of(body, id)) visit(after, DependencyKind::After);
  RegionRange regions = regions_of(body, id);
  for (uint32_t i = 0; i < regions.count; ++i)
    for (InstId inner : region_insts(body, regions[i])) visit(inner, DependencyKind::Region);
}

// A directed graph over 0 .. size()-1, edges of a node side by side.
class Graph {
 public:
  Graph() : offsets_(1, 0) {}
  // From pairs (from, to); edges of a node keep their order.
  Graph(uint32_t nodes, std::span<const std::pair<uint32_t, uint32_t>> edges);

  uint32_t size() const { return static_cast<uint32_t>(offsets_.size()) - 1; }
  std::span<const uint32_t> edges(uint32_t node) const {
    return {targets_.data() + offsets_[node], offsets_[node + 1] - offsets_[node]};
  }

  // Node by node: targets of the next node's edges, then end_node().
  void add_edge(uint32_t to) { targets_.push_back(to); }
  void end_node() { offsets_.push_back(static_cast<uint32_t>(targets_.size())); }

 private:
  std::vector<uint32_t> offsets_;
  std::vector<uint32_t> targets_;
};

// An edge from each instruction to each that it depends on; nodes are InstId indexes. `keep` may leave edges out.
Graph dependency_graph(const ModuleBody& body);
Graph dependency_graph(const ModuleBody& body,
                       llvm::function_ref<bool(InstId from, InstId to, DependencyKind kind)> keep);

// The strongly connected components, what others depend on first: every edge leads into the same component or an
// earlier one. Tarjan's algorithm; time and memory linear.
class Components {
 public:
  explicit Components(const Graph& graph);

  uint32_t size() const { return static_cast<uint32_t>(starts_.size()) - 1; }
  std::span<const uint32_t> nodes(uint32_t component) const {
    return {nodes_.data() + starts_[component], starts_[component + 1] - starts_[component]};
  }
  uint32_t component_of(uint32_t node) const { return component_of_[node]; }
  // All nodes, what others depend on first. An order in which to compute them where there is no cycle.
  std::span<const uint32_t> order() const { return nodes_; }

 private:
  std::vector<uint32_t> nodes_;
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> component_of_;
};

// Whether the component is a cycle: several nodes, or one with an edge to itself.
bool is_cycle(const Graph& graph, const Components& components, uint32_t component);
// One shortest cycle through the least node of the component, as nodes in the order of the edges, the start not
// repeated: what to show of it.
std::vector<uint32_t> shortest_cycle(const Graph& graph, const Components& components, uint32_t component);

}  // namespace pravo
