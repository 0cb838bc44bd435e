#include "ir/walk.h"

#include <doctest/doctest.h>

#include <random>

#include "ir/testing/random_program.h"
#include "ir/testing/text.h"

namespace pravo {
namespace {

using testing::in_root;
using testing::Parsed;

constexpr const char* kBody =
    "  %a = unknown\n"                                  // 0
    "  %f = for.list %a {\n"                            // 1
    "    %e = each %f\n"                                // 2
    "    %c = cond %e {\n"                              // 3
    "      yield %e\n"                                  // 4
    "    } else {\n"                                    //
    "      %x = attr %e .x\n"                           // 5
    "      yield %x\n"                                  // 6
    "    }\n"                                           //
    "    yield %c\n"                                    // 7
    "  }\n"                                             //
    "  %d = expand.for_each %f\n"                       // 8
    "  %k = key %d\n"                                   // 9
    "  %r = resource \"a.b\" over %d (%k) after(%a)\n"  // 10
    "  output \"o\" (%a) after(%f, %r)";                // 11

std::vector<uint32_t> ids(InstRange range) {
  std::vector<uint32_t> out;
  for (InstId id : range) out.push_back(id.index);
  return out;
}

TEST_CASE("lists of instructions") {
  Parsed parsed(in_root(kBody));
  REQUIRE_MESSAGE(parsed.ok, parsed.messages());
  const ModuleBody& body = parsed.program.body(ModuleId(0));
  CHECK(ids(top_insts(body)) == std::vector<uint32_t>{0, 1, 8, 9, 10, 11});
  CHECK(ids(region_insts(body, regions_of(body, InstId(1))[0])) == std::vector<uint32_t>{2, 3, 7});
  CHECK(regions_of(body, InstId(3)).count == 2);
  CHECK(ids(region_insts(body, regions_of(body, InstId(3))[1])) == std::vector<uint32_t>{5, 6});
  CHECK(regions_of(body, InstId(0)).count == 0);
  std::vector<RegionId> regions = regions_by_inst(body);
  RegionId outer = regions_of(body, InstId(1))[0];
  RegionId first = regions_of(body, InstId(3))[0];
  RegionId second = regions_of(body, InstId(3))[1];
  CHECK(regions == std::vector<RegionId>{{}, {}, outer, outer, first, second, second, outer, {}, {}, {}, {}});
}

TEST_CASE("dependencies") {
  Parsed parsed(in_root(kBody));
  REQUIRE(parsed.ok);
  const ModuleBody& body = parsed.program.body(ModuleId(0));
  auto of = [&](uint32_t id) {
    std::string out;
    for_each_dependency(body, InstId(id), [&](InstId to, DependencyKind kind) {
      out += "oadr"[static_cast<int>(kind)] + std::to_string(to.index) + " ";
    });
    return out;
  };
  CHECK(of(1) == "o0 r2 r3 r7 ");
  CHECK(of(2) == "o0 ");  // not %f, which depends on it
  CHECK(of(3) == "o2 r4 r5 r6 ");
  CHECK(of(9) == "o8 d8 ");
  CHECK(of(10) == "o9 d8 a0 ");
  CHECK(of(11) == "o0 a1 a10 ");
  CHECK(after_of(body, InstId(0)).empty());

  Graph graph = dependency_graph(body);
  Components components(graph);
  CHECK(components.size() == body.insts.size());
  Graph values =
      dependency_graph(body, [](InstId, InstId, DependencyKind kind) { return kind != DependencyKind::After; });
  CHECK(values.edges(11).size() == 1);
}

// By definition: a and b are in one component when each reaches the other.
std::vector<std::vector<bool>> reachable(const Graph& graph) {
  uint32_t n = graph.size();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
  for (uint32_t i = 0; i < n; ++i) {
    std::vector<uint32_t> todo{i};
    while (!todo.empty()) {
      uint32_t at = todo.back();
      todo.pop_back();
      for (uint32_t to : graph.edges(at))
        if (!reach[i][to]) {
          reach[i][to] = true;
          todo.push_back(to);
        }
    }
  }
  return reach;
}

TEST_CASE("components of random graphs against their definition") {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 300; ++round) {
    auto n = static_cast<uint32_t>(rng() % 12 + 1);
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (auto e = rng() % (2 * n); e > 0; --e)
      edges.emplace_back(static_cast<uint32_t>(rng() % n), static_cast<uint32_t>(rng() % n));
    Graph graph(n, edges);
    Components components(graph);
    auto reach = reachable(graph);
    REQUIRE(components.order().size() == n);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t component = components.component_of(i);
      CHECK(is_cycle(graph, components, component) == reach[i][i]);
      for (uint32_t j = 0; j < n; ++j)
        if (i != j) CHECK((component == components.component_of(j)) == (reach[i][j] && reach[j][i]));
      for (uint32_t to : graph.edges(i)) CHECK(components.component_of(to) <= component);
    }
    for (uint32_t c = 0; c < components.size(); ++c) {
      if (!is_cycle(graph, components, c)) continue;
      std::vector<uint32_t> cycle = shortest_cycle(graph, components, c);
      CHECK(cycle[0] == components.nodes(c)[0]);
      for (size_t i = 0; i < cycle.size(); ++i) {
        auto next = graph.edges(cycle[i]);
        CHECK(std::find(next.begin(), next.end(), cycle[(i + 1) % cycle.size()]) != next.end());
      }
    }
  }
}

TEST_CASE("long chains and a long cycle") {
  constexpr uint32_t kLength = 100000;
  Graph chain;
  for (uint32_t i = 0; i < kLength; ++i) {
    if (i + 1 < kLength) chain.add_edge(i + 1);
    chain.end_node();
  }
  Components components(chain);
  CHECK(components.size() == kLength);
  CHECK(components.order()[0] == kLength - 1);

  Graph ring;
  for (uint32_t i = 0; i < kLength; ++i) {
    ring.add_edge((i + 1) % kLength);
    ring.end_node();
  }
  Components one(ring);
  CHECK(one.size() == 1);
  CHECK(shortest_cycle(ring, one, 0).size() == kLength);
  CHECK(Components(Graph()).size() == 0);
}

TEST_CASE("random bodies: regions as their definition says") {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Names names;
    Program program = testing::RandomProgram(names, seed, 40).take();
    const ModuleBody& body = program.body(ModuleId(0));
    std::vector<RegionId> regions = regions_by_inst(body);
    for (uint32_t i = 0; i < body.insts.size(); ++i) {
      RegionId innermost;
      for (uint32_t r = 0; r < body.regions.size(); ++r) {
        const Region& region = body.regions[r];
        if (i < region.begin.index || i >= region.end.index) continue;
        if (!innermost.valid() || region.begin > body.regions[innermost.index].begin) innermost = RegionId(r);
      }
      REQUIRE(regions[i] == innermost);
    }
  }
}

}  // namespace
}  // namespace pravo
