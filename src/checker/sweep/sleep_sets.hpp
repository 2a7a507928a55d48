// Sleep sets of programs that say what their steps touch (lang/effects.hpp): of two steps out of a
// layer that do not affect each other one order is enough. docs/internals/exploration.md says why.
#pragma once

#include <array>

#include "checker/sweep/sweep.hpp"
#include "lang/effects.hpp"

namespace headway::checker {

// What sleeps in one state after the other. One a core.
class SleepSets {
 public:
  // With `exact` heights a step that climbs leads out of its layer.
  SleepSets(const lang::Program& program, const StateForm& form, bool wanted, bool exact);

  // Whether anything ever sleeps.
  bool used() const { return effects_ != nullptr; }

  // Begins with a state, which must stay where it is: its threads that run and those that sleep.
  void look(const lang::Word* state, ThreadSet running, ThreadSet asleep);
  // Threads whose steps lead wherever the steps of any thread lead, up to symmetry.
  ThreadSet steppers() const { return steppers_; }
  // Whether the steps of a stepper need not be sent on where they lead out of the layer.
  bool asleep(int thread) const { return asleep_.contains(thread); }
  // Whether it is known that they all do.
  bool leaves(int thread) const;
  // What sleeps behind a step of a stepper that leads out of the layer and is not asleep; `places`
  // are those that symmetry has moved the threads to.
  ThreadSet behind(int thread, const Places& places);

 private:
  const lang::Effects& effects_of(int thread);
  ThreadSet woken_by(int thread) const;

  const lang::Program& program_;
  const StateForm form_;
  const bool exact_;
  const lang::SaysEffects* effects_ = nullptr;
  // Of the state.
  const lang::Word* state_ = nullptr;
  ThreadSet running_, asleep_, steppers_;
  Alike alike_;
  ThreadSet known_;  // threads of which `found_` holds the effects
  std::array<lang::Effects, kMaxThreads> found_;
};

}  // namespace headway::checker
