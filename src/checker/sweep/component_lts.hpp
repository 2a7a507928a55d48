// A component that a sweep has found, as an LTS of its own, so that fair cycles in it are decided
// as those of a whole LTS are.
#pragma once

#include <vector>

#include "checker/lts/fair_cycles.hpp"

namespace headway::checker {

// States are added in order; a step out of the component leads to one more state, from which there
// is none. Keeps its memory between components. One a core.
class ComponentLts {
 public:
  void begin(const Topology& topology) { lts_.clear(topology, 1); }
  // The next state; then its steps, by thread and choice. Histories may repeat.
  void add_state(const History& history);
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
};

inline void ComponentLts::add_state(const History& history) {
  lts_.begin_.push_back(lts_.transitions_.size());
  // Histories of a component differ in who waits; mostly the last one comes again.
  auto& known = lts_.histories_;
  std::size_t number = known.size();
  while (number > 0 && !(known[number - 1] == history)) --number;
  if (number == 0) {
    known.push_back(history);
    number = known.size();
  }
  lts_.history_of_.push_back(static_cast<std::uint32_t>(number - 1));
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
