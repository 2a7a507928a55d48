// Proofs that a uniform family terminates for every N under a reading (docs/every-n.md): what is
// left of the steps of an abstract graph, when those are dropped, round by round, that no fair
// execution takes again and again, is nothing.
#pragma once

#include <map>
#include <optional>

#include "every/abstraction.hpp"
#include "every/promise.hpp"

namespace headway::every {

// A round drops, one after the other: the steps to a smaller rank; within each rank, the steps by
// which the place of a thread gets a smaller one, and those by which a register falls that none
// makes grow, or the other way round; and nodes at which somebody stands, at the place said, who is
// owed a step and takes none that is left there.
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

// Started threads that can see to it, by themselves, that one of them ends, when so many stand at
// such places and memory is what it is at a node; more do no harm. With distance 0 one of them ends
// by its next step, which is that from `mover`; otherwise that step leads to one of the others with
// a smaller distance.
struct Escape {
  std::uint32_t node = 0;
  std::vector<int> places;  // sorted; several of one as often
  int distance = 0;
  int mover = 0;
};

struct Proof {
  Reading reading;
  std::vector<Round> rounds;
  std::vector<Escape> escapes;  // of strong readings that keep started threads going
};

// Whether nothing is left of the steps of `graph`, whose space it is.
std::optional<Proof> prove(Space& space, const AbstractGraph& graph, Reading reading,
                           const std::vector<Escape>& escapes);

// The least of them, of all configurations of a graph; nothing where there are too many.
std::optional<std::vector<Escape>> find_escapes(Space& space, const AbstractGraph& graph);

}  // namespace headway::every
