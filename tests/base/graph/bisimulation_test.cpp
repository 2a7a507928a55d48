// Bisimulation against the greatest fixpoint as it is defined.
#include "base/graph/bisimulation.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

using headway::Bisimulation;
using headway::Limit;
using headway::StopSigns;

namespace {

using Classes = std::vector<std::uint32_t>;

struct Graph {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> edges;  // label and target

  template <class Edge>
  void operator()(std::uint32_t node, const Edge& edge) const {
    for (const auto& [label, target] : edges[node]) edge(label, target);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(edges.size()); }
};

Graph random_graph(std::mt19937& random) {
  Graph graph;
  graph.edges.resize(1 + random() % 12);
  const std::size_t edges = random() % (2 * graph.edges.size() + 1);
  const std::uint32_t labels = 1 + random() % 3;
  for (std::size_t e = 0; e < edges; ++e) {
    const std::uint32_t label = random() % labels;
    graph.edges[random() % graph.size()].emplace_back(label == 2 ? ~std::uint32_t{0} : label,
                                                      random() % graph.size());
  }
  return graph;
}

// Whether every edge of `a` has an edge of `b` with the same label to a related node.
bool follows(const Graph& graph, const std::vector<std::vector<bool>>& related, std::uint32_t a,
             std::uint32_t b) {
  for (const auto& [label, target] : graph.edges[a]) {
    bool found = false;
    for (const auto& [other_label, other] : graph.edges[b]) {
      found = found || (other_label == label && related[target][other]);
    }
    if (!found) return false;
  }
  return true;
}

// Takes pairs away from the relation of equal classes until it is a bisimulation.
std::vector<std::vector<bool>> fixpoint(const Graph& graph, const Classes& classes) {
  const std::uint32_t nodes = graph.size();
  std::vector<std::vector<bool>> related(nodes, std::vector<bool>(nodes));
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = 0; b < nodes; ++b) related[a][b] = classes[a] == classes[b];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = 0; b < nodes; ++b) {
        if (!related[a][b] || (follows(graph, related, a, b) && follows(graph, related, b, a))) {
          continue;
        }
        related[a][b] = false;
        changed = true;
      }
    }
  }
  return related;
}

}  // namespace

TEST_CASE("base/graph/bisimulation: classes are those of the greatest fixpoint") {
  std::mt19937 random(5);
  Bisimulation bisimulation;  // one for all, as it keeps its memory
  int merged = 0, split = 0;
  for (int i = 0; i < 3000; ++i) {
    const Graph graph = random_graph(random);
    Classes classes(graph.size());
    const std::uint32_t given = 1 + random() % 3;
    for (std::uint32_t& own : classes) own = 100 * (random() % given);
    const Classes before = classes;
    const auto related = fixpoint(graph, classes);
    const auto count = bisimulation.refine(graph, classes);
    REQUIRE(count);
    std::uint32_t next = 0;  // classes are numbered by their first nodes
    for (std::uint32_t a = 0; a < graph.size(); ++a) {
      REQUIRE(classes[a] <= next);
      if (classes[a] == next) ++next;
      for (std::uint32_t b = 0; b < graph.size(); ++b) {
        REQUIRE((classes[a] == classes[b]) == related[a][b]);
        REQUIRE((classes[a] != classes[b] || before[a] == before[b]));
        merged += a < b && classes[a] == classes[b] ? 1 : 0;
        split += a < b && classes[a] != classes[b] && before[a] == before[b] ? 1 : 0;
      }
    }
    REQUIRE(*count == next);
  }
  CHECK(merged > 1000);
  CHECK(split > 1000);
}

TEST_CASE("base/graph/bisimulation: nodes that differ far away are told apart") {
  // Two chains that end differently: only as many rounds as they are long tell the heads apart.
  constexpr std::uint32_t length = 50;
  Graph graph;
  graph.edges.resize(std::size_t{2} * length);
  for (std::uint32_t i = 0; i + 1 < 2 * length; ++i) {
    if (i + 1 != length) graph.edges[i].emplace_back(0, i + 1);
  }
  graph.edges.back().emplace_back(0, 2 * length - 1);
  Classes classes(graph.size(), 0);
  CHECK(Bisimulation().refine(graph, classes) == length + 1);
  CHECK(classes[0] != classes[length]);
  CHECK(classes[length] == classes[2 * length - 1]);  // a step for ever, both
  CHECK(classes[length - 1] == length - 1);           // the end of the first chain
}

TEST_CASE("base/graph/bisimulation: edges that come twice and in any order are no difference") {
  Graph graph{{{{1, 2}, {0, 3}}, {{0, 3}, {1, 2}, {0, 3}, {1, 2}}, {}, {}}};
  Classes classes(4, 7);
  CHECK(Bisimulation().refine(graph, classes) == 2);
  CHECK(classes == Classes{0, 0, 1, 1});
  Classes apart = {7, 7, 9, 3};
  CHECK(Bisimulation().refine(graph, apart) == 3);
  CHECK(apart == Classes{0, 0, 1, 2});
  graph.edges[1].pop_back();
  graph.edges[1].emplace_back(1, 3);
  Classes more = {7, 7, 9, 3};
  CHECK(Bisimulation().refine(graph, more) == 4);
  CHECK(more == Classes{0, 1, 2, 3});
}

TEST_CASE("base/graph/bisimulation: a graph without nodes has no classes") {
  Classes none;
  CHECK(Bisimulation().refine(Graph(), none) == 0);
}

TEST_CASE("base/graph/bisimulation: a stop sign ends it, unless nothing is left to split") {
  const std::atomic<bool> stop = true;
  const StopSigns signs(&stop, std::nullopt);
  Bisimulation bisimulation;
  Graph graph{{{{0, 1}}, {{0, 2}}, {}}};
  Classes classes(3, 0);
  CHECK_FALSE(bisimulation.refine(graph, classes, signs));
  Classes finished = {0, 1, 2};
  CHECK(bisimulation.refine(graph, finished, signs) == 3);
  Classes again(3, 0);
  CHECK(bisimulation.refine(graph, again) == 3);
}
