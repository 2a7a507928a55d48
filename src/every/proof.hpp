// Proofs that a uniform family terminates for every N under a reading (docs/internals/every-n.md):
// what is left of the steps of an abstract graph, when those are dropped, round by round, that no
// fair execution takes again and again, is nothing.
#pragma once

#include <map>
#include <optional>

#include "every/abstraction.hpp"
#include "every/promise.hpp"

namespace headway::every {

// A round drops, one after the other: the steps to a smaller rank; within each rank, the steps by
// which the place of a thread gets a smaller one, and those by which a register falls that none
// makes grow, or the other way round; and nodes at which somebody stands, at the place said, who is
// owed a step and takes none that is left in that rank; or, read strongly, none at that node.
struct Round {
  std::vector<std::uint32_t> ranks;  // by node; along steps that are left they never grow
  // By the rank of nodes.
  std::map<std::uint32_t, std::map<int, std::uint32_t>> place_ranks;
  struct Measure {
    int reg = 0;
    bool falls = true;
  };
  std::map<std::uint32_t, Measure> measures;
  std::vector<std::pair<std::uint32_t, int>> owed;
};

// The rounds that leave nothing of the steps of `graph`, whose space it is, if there are such.
std::optional<std::vector<Round>> prove(Space& space, const AbstractGraph& graph, Reading reading);

}  // namespace headway::every
