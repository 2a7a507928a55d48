// What a program does, as far as progress models can tell: its LTS with the thread on each step
// and nothing else, up to bisimilarity. Two programs with the same behaviour have the same
// verdicts under every model, weak and strong (behaviour.cpp says why).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checker/check.hpp"

namespace headway::checker {

// The smallest LTS that is bisimilar to a program's, in a form that is equal for two programs
// exactly when they are bisimilar: the number of threads, and for each state a row with where the
// step of each thread leads, 0 when it has terminated, otherwise the number of the state, from 1.
// States are numbered breadth first, lower threads first.
using Behaviour = std::vector<std::uint32_t>;

// One a core; keeps its memory between programs.
class BehaviourFinder {
 public:
  // nullopt when the program has more than options.max_states states, or it was stopped. Time is
  // that of as many walks through the LTS as it takes to tell its states apart, at most one a
  // state and mostly some few.
  std::optional<Behaviour> find(const lang::Program& program, const CheckOptions& options = {});

 private:
  Explorer explorer_;
  StateTable table_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace headway::checker
