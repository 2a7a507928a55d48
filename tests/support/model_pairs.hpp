// Models that the checker and the oracle both know, each written down twice.
#pragma once

#include <vector>

#include "models/library.hpp"
#include "oracle/oracle.hpp"

namespace headway::testing {

struct Pair {
  models::ModelPtr fast;
  oracle::Model slow;
};
using Pairs = std::vector<Pair>;

Pairs operator+(Pairs a, const Pairs& b);

Pairs standard_pairs();
// HSA-k(k=2) and OBE-k(k=2), as their summaries describe them.
Pairs family_pairs();
// Those of models/events.
Pairs event_pairs();
// Models whose F gains and loses threads inside a cycle.
Pairs changing_pairs();
// Models whose F is any set of threads that are alive: three as functions of the history, which
// come first, and three by events.
Pairs random_pairs();
Pairs all_pairs();
// Models that look at the instructions of steps, for AXB tests: four by rules, and two that draw F.
Pairs instruction_pairs();

// F after a history is the union of what the seeds draw: more seeds, more F.
class RandomModel final : public models::Model {
 public:
  explicit RandomModel(std::vector<std::uint64_t> seeds);
  ThreadSet fair(const Topology& topology, const models::History& history) const override;

 private:
  std::vector<std::uint64_t> seeds_;
};

}  // namespace headway::testing
