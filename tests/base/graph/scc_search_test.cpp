// Strongly connected components of a graph that is found on the way, against Boost's.
#include "base/graph/scc_search.hpp"

#include <doctest/doctest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <random>

using headway::SccSearch;

namespace {

using Boost = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

struct SearchedGraph {
  std::vector<std::vector<std::uint32_t>> targets;
  std::vector<std::vector<std::uint32_t>> components = {};
  std::size_t stop_after = ~std::size_t{0};  // components

  std::uint32_t next(std::uint32_t node, int& cursor) {
    if (cursor == static_cast<int>(targets[node].size())) return SccSearch::kNone;
    return targets[node][cursor++];
  }
  bool component(std::span<const std::uint32_t> members) {
    components.emplace_back(members.begin(), members.end());
    return components.size() < stop_after;
  }
};

SearchedGraph random_searched_graph(std::mt19937& random) {
  SearchedGraph graph;
  graph.targets.resize(1 + random() % 40);
  const std::size_t edges = random() % (3 * graph.targets.size());
  for (std::size_t e = 0; e < edges; ++e) {
    graph.targets[random() % graph.targets.size()].push_back(
        static_cast<std::uint32_t>(random() % graph.targets.size()));
  }
  return graph;
}

}  // namespace

TEST_CASE("base/graph/scc_search: components are those of Boost, successors first") {
  std::mt19937 random(1);
  SccSearch search;
  for (int i = 0; i < 2000; ++i) {
    SearchedGraph graph = random_searched_graph(random);
    const auto nodes = static_cast<std::uint32_t>(graph.targets.size());
    Boost other(nodes);
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (const std::uint32_t to : graph.targets[from]) add_edge(from, to, other);
    }
    std::vector<int> expected(nodes);
    boost::strong_components(other, boost::make_iterator_property_map(
                                        expected.begin(), get(boost::vertex_index, other)));

    search.clear(i % 2 == 0 ? nodes : 0);
    for (std::uint32_t root = 0; root < nodes; ++root) {
      if (!search.visited(root)) REQUIRE(search.visit(root, graph));
    }
    std::vector<std::size_t> place(nodes, graph.components.size());
    for (std::size_t c = 0; c < graph.components.size(); ++c) {
      for (const std::uint32_t member : graph.components[c]) place[member] = c;
    }
    for (std::uint32_t a = 0; a < nodes; ++a) {
      REQUIRE(place[a] < graph.components.size());
      for (std::uint32_t b = 0; b < nodes; ++b) {
        REQUIRE((expected[a] == expected[b]) == (place[a] == place[b]));
        REQUIRE(search.together(a, b) == (place[a] == place[b]));
      }
      for (const std::uint32_t to : graph.targets[a]) REQUIRE(place[to] <= place[a]);
    }
  }
}

TEST_CASE("base/graph/scc_search: a search that was ended can be begun anew") {
  SearchedGraph graph{{{1}, {2}, {0, 3}, {}}};
  graph.stop_after = 1;
  SccSearch search;
  search.clear();
  CHECK_FALSE(search.visit(0, graph));
  CHECK(graph.components == std::vector<std::vector<std::uint32_t>>{{3}});
  graph.stop_after = 10;
  graph.components.clear();
  search.clear();
  CHECK(search.visit(0, graph));
  REQUIRE(graph.components.size() == 2);
  CHECK(graph.components[1].size() == 3);
}
