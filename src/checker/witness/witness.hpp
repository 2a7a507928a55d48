// Finds executions that show why a test fails: a shortest stem to a smallest fair cycle, or to a
// stuck state.
#pragma once

#include <optional>

#include "checker/lts/fair_cycles.hpp"
#include "checker/witness/replay.hpp"

namespace headway::checker {

struct Witness {
  Lasso lasso;
  // Strong fairness: a strongly connected set of states in which each obligation can be met; the
  // cycle meets all of them. Weak fairness: the states of the cycle. None of a stuck state.
  std::vector<StateId> states;
  // Weak fairness: whether no fair cycle is shorter. False when the search for one was given up
  // after a bounded effort; the cycle is fair all the same.
  bool smallest = true;
};

// A shortest way to a stuck state; there is one.
Witness find_stuck_witness(const Lts& lts);

// `components` are what FairCycles::weak() or strong() collected; there is at least one. Nothing
// when `signs` said to stop.
std::optional<Witness> find_weak_witness(const Lts& lts, const FairSets& fair,
                                         const std::vector<StateIds>& components,
                                         const StopSigns& signs = {});
std::optional<Witness> find_strong_witness(const Lts& lts, const FairSets& fair,
                                           const std::vector<StateIds>& components,
                                           const StopSigns& signs = {});

}  // namespace headway::checker
