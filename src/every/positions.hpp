// Method B (docs/internals/every-n.md): proofs that all fair executions end, for every N, of
// families whose threads stand in a row and wait for those below.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "every/position_space.hpp"
#include "every/promise.hpp"
#include "every/proof.hpp"

namespace headway::every {

// All that threads may do, whatever their positions. Nothing goes wrong.
struct PositionGraph {
  PositionSets sets;
  // Whether rounds are about a thread below which all have ended; else about any thread.
  bool below_ended = false;
  std::vector<PositionPlace> places;
};

struct PositionStep {
  std::uint32_t from = 0, to = 0;
  std::vector<Change> changes;  // by register
};

// Whether a proof is one for a model: who is promised steps until all below have ended.
bool carries(Promise promise, bool drawn, bool below_ended);

class Positions {
 public:
  // Throws headway::Error or Unsupported for a family that is none for this.
  explicit Positions(const Family& family) : space_(family) {}

  bool can_draw() const { return space_.drawn_from().has_value(); }
  // All that threads may do; false where a step may go wrong, or where there are too many places.
  bool build(bool drawn, std::size_t most_places, const std::atomic<bool>* stop);
  const PositionGraph& graph() const { return graph_; }
  // Why there is none, or, after prove(), who may go on for ever; and where.
  const Unsupported& reason() const { return reason_; }
  // The rounds that leave no step, if there are such, of a thread below which all have ended, or of
  // any.
  std::optional<std::vector<Round>> prove(bool below_ended);

 private:
  // Whether nothing was added to the sets; a variable whose role must go, in `against_`.
  bool explore(std::size_t most_places);

  PositionSpace space_;
  PositionGraph graph_;
  Unsupported reason_;
  int against_ = -1;
};

}  // namespace headway::every
