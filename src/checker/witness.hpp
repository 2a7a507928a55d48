// Finds executions that show why a test fails: a shortest stem to a smallest fair cycle.
#pragma once

#include <optional>

#include "checker/fair_cycles.hpp"
#include "checker/replay.hpp"

namespace headway::checker {

struct Witness {
  Lasso lasso;
  // Strong fairness: a strongly connected set of states that no guaranteed step leaves; the cycle
  // takes all its guaranteed steps. Weak fairness: the states of the cycle.
  std::vector<StateId> states;
  // Weak fairness: whether no fair cycle is shorter. False when the search for one was given up
  // after a bounded effort; the cycle is fair all the same.
  bool smallest = true;
};

// `components` are what FairCycles::has_weak() or has_strong() collected; there is at least one.
Witness find_weak_witness(const Lts& lts, const FairSets& fair,
                          const std::vector<FairCycles::StateSet>& components);
Witness find_strong_witness(const Lts& lts, const FairSets& fair,
                            const std::vector<FairCycles::StateSet>& components);

}  // namespace headway::checker
