#include "checker/fair_cycles.hpp"

namespace headway::checker {

void FairCycles::prepare(const Lts& lts) {
  lts_ = &lts;
  components_.compute(lts);
}

// An execution that stays in a component can visit all its states and take all its steps again
// and again. It is weakly fair iff every thread that is in F in every state it visits for ever
// takes a step; visiting everything both steps most and keeps the fewest threads in F throughout.
bool FairCycles::has_weak(const FairSets& fair, std::vector<StateSet>* all) const {
  bool found = false;
  for (std::size_t c = 0; c < components_.size(); ++c) {
    const auto states = components_.states(c);
    ThreadSet always = fair.fair(*lts_, states.front());
    for (StateId state : states) always &= fair.fair(*lts_, state);
    if (!components_.steps(c).includes(always)) continue;
    found = true;
    if (all == nullptr) return true;
    all->emplace_back(states.begin(), states.end());
  }
  return found;
}

// A state whose guaranteed step leaves its component lies on no strongly fair cycle: the step
// would have to be taken. Without such states the component may fall apart, so components are
// computed again until one of them is closed under guaranteed steps or none is left.
bool FairCycles::has_strong(const FairSets& fair, std::vector<StateSet>* all) {
  bool found = false;
  const Components* components = &components_;
  for (;;) {
    bool fewer = false;  // some component lost some of its states, but not all
    kept_.clear();
    for (std::size_t c = 0; c < components->size(); ++c) {
      const auto states = components->states(c);
      std::size_t closed = 0;
      for (StateId state : states) {
        closed += (fair.fair(*lts_, state) & components->leaving(state)).empty() ? 1 : 0;
      }
      if (closed == states.size()) {
        found = true;
        if (all == nullptr) return true;
        all->emplace_back(states.begin(), states.end());
      }
      if (closed == states.size() || closed == 0) continue;
      if (!fewer) kept_.assign(lts_->states(), false);
      fewer = true;
      for (StateId state : states) {
        kept_[state] = (fair.fair(*lts_, state) & components->leaving(state)).empty();
      }
    }
    if (!fewer) return found;
    shrunk_.compute(*lts_, kept_);
    components = &shrunk_;
  }
}

}  // namespace headway::checker
