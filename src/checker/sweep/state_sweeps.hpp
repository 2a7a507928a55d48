// Sweeps the states of a program for many models at a time: those that allow the same reductions
// are decided by one sweep (docs/internals/exploration.md).
#pragma once

#include <span>
#include <vector>

#include "checker/sweep/sweep.hpp"

namespace headway::checker {

// What is allowed where the models allow it.
struct StateReductions {
  bool symmetry = true;
  bool silent_steps = true;
  bool history = true;
};

struct StateSweeps {
  SweepResult found;                       // by all sweeps together
  std::vector<ThreadSet> interchangeable;  // threads that one of them took for the same
  bool silent_steps = false;               // whether one took some at once
};

// `options.stop_early` is about models. Errors are found all the same.
StateSweeps sweep_states(const lang::Program& program, std::span<const models::ModelPtr> models,
                         const StateReductions& allowed, const SweepOptions& options);

}  // namespace headway::checker
