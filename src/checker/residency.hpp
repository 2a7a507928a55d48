// How many threads must have room at a time for a program to be guaranteed to terminate; of a
// launch of workgroups of several threads, how many workgroups.
#pragma once

#include <optional>
#include <vector>

#include "base/topology.hpp"
#include "checker/check.hpp"
#include "models/library.hpp"

namespace headway::checker {

// The answer for one reading of fairness.
struct Needed {
  // pass: `resident` suffice and no fewer; fail: not even the last model of the ladder suffices;
  // else why it is not known.
  Verdict verdict = Verdict::unknown;
  int resident = 0;

  friend bool operator==(const Needed&, const Needed&) = default;
};

struct Residency {
  int threads = 0;
  std::optional<int> workgroups;  // where these have several threads
  Needed weak, strong;
  CheckResult result;  // under all models of the ladder

  // What may be resident, all of it.
  int all() const { return workgroups.value_or(threads); }
  const Needed& of(Fairness fairness) const { return fairness == Fairness::weak ? weak : strong; }
};

// OBE-k for k = 0 .. the workgroups of a launch, which of a flat one are its threads.
std::vector<models::ModelPtr> residency_ladder(const models::Library& library,
                                               const Topology& launch);

// `ladder[k]` promises progress where there is room for k threads, or workgroups; each model
// guarantees whatever the one before it does, so that a program that passes one passes all behind
// it.
Residency find_residency(Checker& checker, const lang::Program& program,
                         std::span<const models::ModelPtr> ladder, const CheckOptions& options);

}  // namespace headway::checker
