#include "checker/sweep/sleep_sets.hpp"

#include <numeric>

#include "base/bits/group_set.hpp"

namespace headway::checker {

SleepSets::SleepSets(const lang::Program& program, const StateForm& form, bool wanted, bool exact)
    : program_(program), form_(form), exact_(exact) {
  const auto* says = dynamic_cast<const lang::SaysEffects*>(&program);
  if (wanted && says != nullptr && says->effects_known()) effects_ = says;
  std::iota(alike_.first.begin(), alike_.first.end(), std::uint8_t{0});
  alike_.twin = alike_.first;
}

void SleepSets::look(const lang::Word* state, ThreadSet running, ThreadSet asleep) {
  assert(running.includes(asleep));
  state_ = state;
  running_ = running;
  steppers_ = running;
  if (form_.symmetry != nullptr) {
    steppers_ &= form_.symmetry->representatives(state, used() ? &alike_ : nullptr);
  }
  asleep_ = asleep;
  known_ = {};
  if (asleep.empty()) return;
  // Threads that are alike sleep together or not at all.
  ThreadSet awake;
  for (const int thread : running - asleep) awake |= ThreadSet::single(alike_.first[thread]);
  for (const int thread : asleep) {
    if (awake.contains(alike_.first[thread])) asleep_ -= ThreadSet::single(thread);
  }
}

bool SleepSets::leaves(int thread) const {
  if (form_.started && !lang::Program::noted(state_, program_.threads()).contains(thread)) {
    return true;
  }
  return exact_ && effects_->effects(state_, thread).climbs;
}

const lang::Effects& SleepSets::effects_of(int thread) {
  // Twins do the same to the same variables.
  const int twin = alike_.twin[thread];
  if (!known_.contains(twin)) {
    known_ |= ThreadSet::single(twin);
    found_[twin] = effects_->effects(state_, twin);
  }
  return found_[twin];
}

// The threads that may take silent steps only because this one starts.
ThreadSet SleepSets::woken_by(int thread) const {
  if (!form_.awake || form_.silent == lang::Silent::none) return {};
  const Topology& topology = program_.topology();
  const ThreadSet around = group_around(topology, *form_.awake, thread);
  const ThreadSet started = lang::Program::noted(state_, program_.threads());
  return (around & started).empty() ? around : ThreadSet();
}

ThreadSet SleepSets::behind(int thread, const Places& places) {
  if (!used()) return {};
  ThreadSet lower;
  for (const int t : running_) {
    if (alike_.first[t] < thread) lower |= ThreadSet::single(t);
  }
  ThreadSet result;
  for (const int t : (asleep_ | lower) - woken_by(thread)) {
    if (!effects_of(t).independent_of(effects_of(thread))) continue;
    result |= ThreadSet::single(form_.symmetry == nullptr ? t : places[t]);
  }
  return result;
}

}  // namespace headway::checker
