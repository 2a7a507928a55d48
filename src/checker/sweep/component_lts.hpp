// A component that a sweep has found, as an LTS of its own, so that fair cycles in it are decided
// as those of a whole LTS are.
#pragma once

#include <vector>

#include "base/bits/state_table.hpp"
#include "checker/lts/fair_cycles.hpp"

namespace headway::checker {

// States are added in order; a step out of the component leads to one more state, from which there
// is none. Keeps its memory between components. One a core.
class ComponentLts {
 public:
  void begin(const Topology& topology) {
    lts_.clear(topology, 1);
    history_table_.clear(History::Key().size());
    history_keys_.clear();
  }
  // The next state; then its steps, by thread and choice. Histories may repeat.
  void add_state(const History& history, ThreadSet fair_choices = {});
  // `target` is the number of a state; kNoState for one outside.
  void add_step(StateId target, Step step) { lts_.transitions_.push_back({target, step}); }
  // Nothing can be added any more.
  const Lts& finish();

  std::size_t bytes() const {
    return lts_.transitions_.capacity() * sizeof(Transition) +
           lts_.begin_.capacity() * sizeof(std::size_t) +
           lts_.history_of_.capacity() * sizeof(std::uint32_t);
  }

 private:
  Lts lts_;
  StateTable history_table_;
  std::vector<Word> history_keys_;
};

inline void ComponentLts::add_state(const History& history, ThreadSet fair_choices) {
  if (lts_.has_fair_choices() || !fair_choices.empty()) {
    lts_.fair_choices_.resize(lts_.history_of_.size());
    lts_.fair_choices_.push_back(fair_choices);
  }
  lts_.begin_.push_back(lts_.transitions_.size());
  // Histories of a component differ in who waits.
  const History::Key key = history.key();
  const std::uint32_t number = history_table_.find_or_add(key.data(), history_keys_);
  if (number == lts_.histories_.size()) lts_.histories_.push_back(history);
  lts_.history_of_.push_back(number);
}

inline const Lts& ComponentLts::finish() {
  const auto outside = static_cast<StateId>(lts_.history_of_.size());
  History over;
  over.started = over.terminated = ThreadSet::first(lts_.threads());
  add_state(over);
  lts_.begin_.push_back(lts_.transitions_.size());
  for (Transition& transition : lts_.transitions_) {
    if (transition.target == kNoState) transition.target = outside;
  }
  return lts_;
}

}  // namespace headway::checker
