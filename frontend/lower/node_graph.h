// Which node of a body needs which: the graph that cycles are judged on. A node is a named value (variable, local,
// provider, resource, argument, output, ...); what an expression is made of lies on the edges.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "frontend/lower/shared.h"
#include "ir/walk.h"

namespace pravo::lower {

class NodeGraph {
 public:
  enum class Modules : uint8_t {
    Coarse,  // a module's instance, and so each output, needs every argument: cheap, and enough where no loop is
    Precise,
  };
  NodeGraph(Shared& shared, uint32_t module, Modules modules);

  const Graph& graph() const { return graph_; }
  InstId inst(uint32_t node) const { return node < nodes_end_ ? InstId(node) : extra_[node - nodes_end_]; }
  uint32_t node(InstId inst) const;  // kNone: none
  // Provider configurations that a node takes from the module's caller.
  std::span<const std::pair<uint32_t, ProviderName>> inherited() const { return inherited_; }

 private:
  void add_edges(uint32_t from, InstId value);
  void add_operands(uint32_t from);
  // The same without edges back to `from` and its collection.
  void add_edges_to_others(uint32_t from, InstId value, InstId collect);
  void add_after(uint32_t from, const std::vector<InstId>& after, const BodyFacts& facts);
  void add_tables(const BodyFacts& facts);
  void add_calls(Shared& shared, const BodyFacts& facts, Modules modules);

  const ModuleBody& body_;
  const uint32_t nodes_end_;
  std::vector<InstId> extra_;  // nodes among the later instructions
  llvm::DenseMap<uint32_t, uint32_t> extra_ids_;
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
  Graph graph_;
  std::vector<InstId> todo_;
  std::vector<std::pair<uint32_t, ProviderName>> inherited_;
};

// What an output of a module needs from whoever calls it.
const Needs& output_needs(Shared& shared, uint32_t module, NameId output);

}  // namespace pravo::lower
