// An Lts as a Boost.Graph graph: vertices are StateIds, edges are (state, thread).
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>

#include "checker/lts.hpp"

namespace headway::checker {

struct LtsEdge {
  StateId source = 0;
  StateId target = 0;
  int thread = 0;

  friend bool operator==(const LtsEdge&, const LtsEdge&) = default;
};

class LtsOutEdgeIterator : public boost::iterator_facade<LtsOutEdgeIterator, LtsEdge,
                                                         boost::forward_traversal_tag, LtsEdge> {
 public:
  LtsOutEdgeIterator() = default;
  LtsOutEdgeIterator(const Lts& lts, StateId source, ThreadSet rest)
      : lts_(&lts), source_(source), rest_(rest) {}

 private:
  friend class boost::iterator_core_access;
  LtsEdge dereference() const {
    const int thread = rest_.min();
    return {source_, lts_->successor(source_, thread), thread};
  }
  void increment() { rest_ -= ThreadSet::single(rest_.min()); }
  bool equal(const LtsOutEdgeIterator& other) const { return rest_ == other.rest_; }

  const Lts* lts_ = nullptr;
  StateId source_ = 0;
  ThreadSet rest_;
};

struct LtsTraversal : boost::incidence_graph_tag, boost::vertex_list_graph_tag {};

}  // namespace headway::checker

template <>
struct boost::graph_traits<headway::checker::Lts> {
  using vertex_descriptor = headway::checker::StateId;
  using edge_descriptor = headway::checker::LtsEdge;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  using traversal_category = headway::checker::LtsTraversal;
  using vertex_iterator = boost::counting_iterator<vertex_descriptor>;
  using out_edge_iterator = headway::checker::LtsOutEdgeIterator;
  using in_edge_iterator = out_edge_iterator;  // filtered_graph names these two, and uses neither
  using edge_iterator = out_edge_iterator;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return headway::checker::kNoState; }
};

namespace headway::checker {

// What Boost.Graph finds by argument-dependent lookup.
inline auto vertices(const Lts& lts) {
  using Iterator = boost::counting_iterator<StateId>;
  return std::pair(Iterator(0), Iterator(static_cast<StateId>(lts.states())));
}
inline std::size_t num_vertices(const Lts& lts) { return lts.states(); }
inline auto out_edges(StateId state, const Lts& lts) {
  return std::pair(LtsOutEdgeIterator(lts, state, lts.alive(state)),
                   LtsOutEdgeIterator(lts, state, {}));
}
inline std::size_t out_degree(StateId state, const Lts& lts) {
  return static_cast<std::size_t>(lts.alive(state).size());
}
inline StateId source(const LtsEdge& edge, const Lts&) { return edge.source; }
inline StateId target(const LtsEdge& edge, const Lts&) { return edge.target; }

}  // namespace headway::checker
