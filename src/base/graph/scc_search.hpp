// Strongly connected components of a graph that is found while it is searched: nodes are numbers,
// and a graph only has to say the next successor of a node. One number a node and a stack.
//
// Tarjan's algorithm in the form of D. J. Pearce, "A space-efficient algorithm for finding
// strongly connected components" (Information Processing Letters 116, 2016), without recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headway {

class SccSearch {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Forgets everything; there are `nodes` nodes for a start.
  void clear(std::size_t nodes = 0) {
    rank_.assign(nodes, 0);
    next_rank_ = 1;
    next_component_ = kNone - 1;
  }

  // Nodes that were never mentioned have not been visited.
  bool visited(std::uint32_t node) const { return node < rank_.size() && rank_[node] != 0; }
  // Whether both lie in the same component, of those completed.
  bool together(std::uint32_t a, std::uint32_t b) const { return rank_[a] == rank_[b]; }
  std::size_t bytes() const {
    return (rank_.capacity() + stack_.capacity() + members_.capacity()) * sizeof(std::uint32_t) +
           path_.capacity() * sizeof(Frame);
  }

  // A node that is known to be a component by itself; spares visit() some work.
  void complete(std::uint32_t node) {
    if (node >= rank_.size()) make_room(node);
    rank_[node] = next_component_--;
  }

  // Searches from `root`, which has not been visited. `graph` provides
  //   std::uint32_t next(std::uint32_t node, int& cursor)
  //     the next successor after `cursor`, 0 at first, which it moves on; kNone at the end;
  //   bool component(std::span<const std::uint32_t> members)
  //     called for each component once it is complete, successors first; false ends the search.
  // Returns whether the search came to its end.
  template <class Graph>
  bool visit(std::uint32_t root, Graph& graph) {
    enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const std::uint32_t node = frame.node;
      const std::uint32_t target = graph.next(node, frame.cursor);
      if (target != kNone) {
        if (!visited(target)) {
          enter(target);
        } else {
          lower(frame, rank_[target]);
        }
        continue;
      }
      const bool is_root = frame.is_root;
      path_.pop_back();
      if (is_root) {
        if (!complete_component(node, graph)) return false;
      } else {
        stack_.push_back(node);
      }
      if (!path_.empty()) lower(path_.back(), rank_[node]);
    }
    return true;
  }

 private:
  struct Frame {
    std::uint32_t node;
    int cursor;
    bool is_root;  // as far as is known
  };

  void make_room(std::uint32_t node) { rank_.resize(std::size_t{node} + 1); }

  void enter(std::uint32_t node) {
    if (node >= rank_.size()) make_room(node);
    rank_[node] = next_rank_++;
    path_.push_back({node, 0, true});
  }

  // Completed components have the highest ranks, so that they lower none.
  void lower(Frame& frame, std::uint32_t rank) {
    if (rank >= rank_[frame.node]) return;
    rank_[frame.node] = rank;
    frame.is_root = false;
  }

  template <class Graph>
  bool complete_component(std::uint32_t root, Graph& graph) {
    members_.assign(1, root);
    --next_rank_;
    while (!stack_.empty() && rank_[stack_.back()] >= rank_[root]) {
      members_.push_back(stack_.back());
      stack_.pop_back();
      --next_rank_;
    }
    for (const std::uint32_t member : members_) rank_[member] = next_component_;
    --next_component_;
    if (graph.component(std::span<const std::uint32_t>(members_))) return true;
    path_.clear();
    stack_.clear();
    return false;
  }

  std::vector<std::uint32_t> rank_;  // 0: not visited; then in order of visits; at last its
                                     // component's number, counted down from the highest
  std::uint32_t next_rank_ = 1;
  std::uint32_t next_component_ = kNone - 1;
  std::vector<Frame> path_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> members_;
};

// The components of a graph whose nodes are the indices of `successors`, numbered as they are
// completed: edges lead to components of the same number or a smaller one.
struct StrongComponents {
  std::vector<std::uint32_t> of;  // by node
  std::uint32_t count = 0;
};
inline StrongComponents strong_components(
    const std::vector<std::vector<std::uint32_t>>& successors) {
  struct Graph {
    std::uint32_t next(std::uint32_t node, int& cursor) const {
      if (static_cast<std::size_t>(cursor) == successors[node].size()) return SccSearch::kNone;
      return successors[node][cursor++];
    }
    bool component(std::span<const std::uint32_t> members) {
      for (const std::uint32_t member : members) result.of[member] = result.count;
      ++result.count;
      return true;
    }
    const std::vector<std::vector<std::uint32_t>>& successors;
    StrongComponents result;
  };
  Graph graph{successors, {std::vector<std::uint32_t>(successors.size()), 0}};
  SccSearch search;
  search.clear(successors.size());
  for (std::uint32_t node = 0; node < successors.size(); ++node) {
    if (!search.visited(node)) search.visit(node, graph);
  }
  return std::move(graph.result);
}

}  // namespace headway
