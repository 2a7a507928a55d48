#include "checker/lts/fair_cycles.hpp"

#include <cassert>

namespace headway::checker {

bool FairCycles::prepare(const Lts& lts, const StopSigns& signs) {
  lts_ = &lts;
  signs_ = signs;
  return components_.compute(lts, signs);
}

// An execution that stays in a component can visit all its states and take all its steps again
// and again. It is weakly fair iff every thread that is owed a step in every state it visits for
// ever takes one; visiting everything both steps most and keeps the fewest threads owed throughout.
// The same holds of groups.
FairCycles::Answer FairCycles::weak(const FairSets& fair, std::vector<StateIds>* all) const {
  Answer answer = Answer::no;
  for (std::size_t c = 0; c < components_.size(); ++c) {
    const auto states = components_.states(c);
    assert(!components_.steps(c).empty());
    GroupSet always = fair.owed(*lts_, states.front());
    for (StateId state : states) always &= fair.owed(*lts_, state);
    if (!meet(lts_->topology(), components_.steps(c), always)) continue;
    answer = Answer::yes;
    if (all == nullptr) return answer;
    all->emplace_back(states.begin(), states.end());
  }
  return answer;
}

// A state with an obligation that only steps out of its component can meet lies on no strongly fair
// cycle: one of them would have to be taken. Without such states the component may fall apart, so
// components are computed again until in one of them all obligations can be met or none is left.
FairCycles::Answer FairCycles::strong(const FairSets& fair, std::vector<StateIds>* all) {
  Answer answer = Answer::no;
  const Components* components = &components_;
  for (;;) {
    bool fewer = false;  // some component lost some of its states, but not all
    kept_.clear();
    for (std::size_t c = 0; c < components->size(); ++c) {
      const auto states = components->states(c);
      const auto can_stay = [&](StateId state) {
        return meet(lts_->topology(), components->staying(*lts_, state), fair.owed(*lts_, state));
      };
      std::size_t staying = 0;
      for (StateId state : states) staying += can_stay(state) ? 1 : 0;
      if (staying == states.size()) {
        answer = Answer::yes;
        if (all == nullptr) return answer;
        all->emplace_back(states.begin(), states.end());
      }
      if (staying == states.size() || staying == 0) continue;
      if (!fewer) kept_.assign(lts_->states(), false);
      fewer = true;
      for (StateId state : states) kept_[state] = can_stay(state);
    }
    if (!fewer) return answer;
    if (!shrunk_.compute(*lts_, signs_, kept_)) return Answer::stopped;
    components = &shrunk_;
  }
}

}  // namespace headway::checker
