// What a program does, as far as progress models can tell: its launch, its LTS with the thread on
// each step, and which threads wait or have failed, up to bisimilarity. Two programs with the same
// behaviour have the same verdicts under every model, weak and strong (behaviour.cpp says why).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/graph/bisimulation.hpp"
#include "checker/check.hpp"

namespace headway::checker {

// The smallest LTS that is bisimilar to a program's, in a form that is equal for two programs
// exactly when they are launched alike and bisimilar.
using Behaviour = std::vector<std::uint32_t>;

// One a core; keeps its memory between programs.
class BehaviourFinder {
 public:
  // nullopt when the program has more than options.max_states states, or it was stopped, and of one
  // that makes fair choices, which two bisimilar states may make apart. Time is
  // that of as many walks through the LTS as it takes to tell its states apart, at most one a
  // state and mostly some few.
  std::optional<Behaviour> find(const lang::Program& program, const CheckOptions& options = {});

 private:
  Analysis analysis_;
  Bisimulation bisimulation_;
  std::vector<std::uint32_t> classes_;
};

}  // namespace headway::checker
