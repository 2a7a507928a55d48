// Method C (docs/internals/every-n.md): proofs that all fair executions end, for every N, of
// families whose variables count threads. A node says what is in memory and how many threads stand
// at each place, those that have not started and those that have ended included.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "every/counting_space.hpp"
#include "every/promise.hpp"
#include "every/proof.hpp"

namespace headway::every {

// A step: who moves from where to where, the thread that takes it first; the others forget that
// what they hold is what a counter holds.
struct CountedStep {
  std::uint32_t from = 0, to = 0;
  std::vector<std::pair<int, int>> moves;
};

// Who is promised to go on: nobody, who has started, everybody.
enum class Kept { nobody, started, all };
Kept kept_by(Promise promise);

// Up to how many threads are counted.
struct CountingCaps {
  int anywhere = 1;
  // By kind and instruction, where at most so many stand; one more is counted there.
  std::map<std::pair<int, int>, int> most;
  // What adds to a counter that holds at most this changes the number in it, and no share.
  int largest_number = 0;
};

// Where at most so many of `n` threads stand at once, up to `limit`; nothing where there are too
// many states to tell.
std::map<std::pair<int, int>, int> most_together(const Family& family, int n, int limit);

class Counting {
 public:
  // Throws headway::Error or Unsupported for a family that is none for this.
  explicit Counting(const Family& family) : family_(family) {}

  // The graph; false where a step may go wrong, or where there are too many nodes.
  bool build(const CountingCaps& caps, std::size_t most_nodes, const std::atomic<bool>* stop);
  const CountedGraph& graph() const { return graph_; }
  // Why there is none, or, after prove(), who may go on for ever; and where.
  const Unsupported& reason() const { return reason_; }
  // The rounds that leave no step of a layer, if there are such.
  std::optional<std::vector<Round>> prove(Kept kept);

 private:
  class Builder;

  const Family& family_;
  CountedGraph graph_;
  std::vector<CountedStep> steps_;  // inside layers
  Unsupported reason_;
};

}  // namespace headway::every
