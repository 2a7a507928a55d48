// Capped counters: one finite graph for all N (docs/internals/every-n.md, method A). A node says
// what is in memory, where each special stands, and for each counted place of the crowd how many
// threads stand there, exactly below its cap and "so many or more" at it. Of places that are not
// counted it says whether threads may stand there. Threads that have not started are as many as one
// likes.
#pragma once

#include <cstdint>
#include <vector>

#include "every/counted_graph.hpp"
#include "every/space.hpp"

namespace headway::every {

using Places = std::vector<bool>;  // by place; what lies beyond the end is false

struct AbstractNode {
  int memory = 0;
  std::vector<int> specials;                // by special: place, kFresh or kEnded
  std::vector<std::pair<int, int>> counts;  // place and count > 0, by place
  Places may;                               // places that are not counted
};

// A step inside a layer: nobody starts or ends by it.
struct LayerStep {
  std::uint32_t from = 0, to = 0;  // nodes
  int place = 0, next = 0;         // of the thread that takes it
};

struct AbstractGraph {
  std::vector<AbstractNode> nodes;  // the first is the initial one
  std::vector<LayerStep> steps;
  // Steps by which a thread ends: node and place.
  std::vector<std::pair<std::uint32_t, int>> ends;
};

struct Caps {
  int once = 0;  // of places that a thread does not come back to
  int loop = 0;  // of the others
};

enum class AbstractionEnd {
  complete,
  unsafe,  // a thread goes wrong, perhaps only in the abstraction
  limit
};

class Abstraction {
 public:
  // `space` must outlive this.
  explicit Abstraction(Space& space) : space_(space) {}

  // The graph for caps, by place; those that are missing are 0. With `past_failures` steps that go
  // wrong are left out, and the graph shows where threads may stand, and no more.
  AbstractionEnd build(const std::vector<int>& caps, std::size_t most_nodes, AbstractGraph& graph,
                       bool past_failures = false);

 private:
  struct Builder;

  Space& space_;
};

// Caps by place: places on cycles of the steps that a graph has are loops.
std::vector<int> caps_by_place(const Space& space, const AbstractGraph& graph, Caps caps);

// The same graph as certificates have it, where specials are counted like all others. Places have
// the numbers that they have in `space`; behind them are those of who has not started, and of the
// ended.
CountedGraph counted(const Space& space, const AbstractGraph& graph, const std::vector<int>& caps);

}  // namespace headway::every
