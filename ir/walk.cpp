#include "ir/walk.h"

#include <algorithm>

namespace pravo {

std::vector<RegionId> regions_by_inst(const ModuleBody& body) {
  std::vector<RegionId> out(body.insts.size());
  std::vector<RegionId> stack;  // the regions around i, innermost last
  for (uint32_t i = 0; i < out.size(); ++i) {
    while (!stack.empty() && body.region(stack.back()).end.index <= i) {
      RegionId ended = stack.back();
      stack.pop_back();
      const Region& region = body.region(ended);
      RegionRange regions = regions_of(body, region.owner);
      if (ended.index + 1 < regions.first + regions.count) {
        stack.push_back(RegionId(ended.index + 1));
        break;
      }
    }
    if (!stack.empty()) out[i] = stack.back();
    if (RegionRange regions = regions_of(body, InstId(i)); regions.count > 0) stack.push_back(regions[0]);
  }
  return out;
}

namespace {
template <class Row>
const Row* find_row(const std::vector<Row>& rows, InstId id) {
  auto it = std::lower_bound(rows.begin(), rows.end(), id, [](const Row& row, InstId i) { return row.inst < i; });
  return it != rows.end() && it->inst == id ? &*it : nullptr;
}
}  // namespace

const VariableInfo* variable_of(const ModuleBody& body, InstId id) { return find_row(body.variables, id); }
const OutputInfo* output_of(const ModuleBody& body, InstId id) { return find_row(body.outputs, id); }
const ProviderInfo* provider_of(const ModuleBody& body, InstId id) { return find_row(body.providers, id); }

std::span<const InstId> after_of(const ModuleBody& body, InstId id) {
  if (const ResourceInfo* row = resource_of(body, id)) return row->after;
  if (const ModuleCallInfo* row = call_of(body, id)) return row->after;
  if (body.inst(id).kind != OpKind::Output) return {};
  const OutputInfo* row = output_of(body, id);
  return row == nullptr ? std::span<const InstId>() : row->after;
}

Graph::Graph(uint32_t nodes, std::span<const std::pair<uint32_t, uint32_t>> edges)
    : offsets_(nodes + 1, 0), targets_(edges.size()) {
  for (auto [from, to] : edges) ++offsets_[from + 1];
  for (uint32_t i = 0; i < nodes; ++i) offsets_[i + 1] += offsets_[i];
  std::vector<uint32_t> next(offsets_.begin(), offsets_.end() - 1);
  for (auto [from, to] : edges) targets_[next[from]++] = to;
}

Graph dependency_graph(const ModuleBody& body) {
  return dependency_graph(body, [](InstId, InstId, DependencyKind) { return true; });
}

Graph dependency_graph(const ModuleBody& body,
                       llvm::function_ref<bool(InstId from, InstId to, DependencyKind kind)> keep) {
  Graph graph;
  for (uint32_t i = 0; i < body.insts.size(); ++i) {
    for_each_dependency(body, InstId(i), [&](InstId to, DependencyKind kind) {
      if (keep(InstId(i), to, kind)) graph.add_edge(to.index);
    });
    graph.end_node();
  }
  return graph;
}

Components::Components(const Graph& graph) : component_of_(graph.size(), UINT32_MAX) {
  constexpr uint32_t kUnseen = UINT32_MAX;
  uint32_t count = graph.size();
  std::vector<uint32_t> index(count, kUnseen);
  std::vector<uint32_t> low(count);
  std::vector<uint32_t> open;  // Tarjan's stack: seen, and in no component yet
  struct Frame {
    uint32_t node;
    uint32_t next;  // edge to look at
  };
  std::vector<Frame> frames;
  uint32_t next_index = 0;
  nodes_.reserve(count);
  starts_.push_back(0);

  for (uint32_t root = 0; root < count; ++root) {
    if (index[root] != kUnseen) continue;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      Frame& frame = frames.back();
      uint32_t node = frame.node;
      if (frame.next == 0) {
        index[node] = low[node] = next_index++;
        open.push_back(node);
      }
      std::span<const uint32_t> edges = graph.edges(node);
      bool descended = false;
      while (frame.next < edges.size()) {
        uint32_t to = edges[frame.next++];
        if (index[to] == kUnseen) {
          frames.push_back({to, 0});
          descended = true;
          break;
        }
        // In a component already: it cannot reach back here.
        if (component_of_[to] == UINT32_MAX) low[node] = std::min(low[node], index[to]);
      }
      if (descended) continue;
      if (low[node] == index[node]) {
        uint32_t component = size();
        uint32_t member;
        do {
          member = open.back();
          open.pop_back();
          component_of_[member] = component;
          nodes_.push_back(member);
        } while (member != node);
        // In the order of their ids, so that what is shown of a cycle does not depend on where the walk began.
        std::sort(nodes_.begin() + starts_.back(), nodes_.end());
        starts_.push_back(static_cast<uint32_t>(nodes_.size()));
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
    }
  }
}

bool is_cycle(const Graph& graph, const Components& components, uint32_t component) {
  std::span<const uint32_t> nodes = components.nodes(component);
  if (nodes.size() > 1) return true;
  std::span<const uint32_t> edges = graph.edges(nodes[0]);
  return std::find(edges.begin(), edges.end(), nodes[0]) != edges.end();
}

std::vector<uint32_t> shortest_cycle(const Graph& graph, const Components& components, uint32_t component) {
  std::span<const uint32_t> nodes = components.nodes(component);
  uint32_t start = nodes[0];
  // Breadth first inside the component, by position of a node in it.
  auto position = [&](uint32_t node) {
    return static_cast<uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  };
  std::vector<uint32_t> parent(nodes.size(), UINT32_MAX);
  std::vector<uint32_t> queue{start};
  for (size_t head = 0; head < queue.size(); ++head) {
    uint32_t node = queue[head];
    for (uint32_t to : graph.edges(node)) {
      if (components.component_of(to) != component) continue;
      if (to == start) {
        std::vector<uint32_t> cycle;
        for (uint32_t at = node;; at = parent[position(at)]) {
          cycle.push_back(at);
          if (at == start) break;
        }
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (uint32_t& from = parent[position(to)]; from == UINT32_MAX) {
        from = node;
        queue.push_back(to);
      }
    }
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo
