// Shortest walks in an LTS, breadth first.
#pragma once

#include <algorithm>
#include <vector>

#include "checker/lts/lts.hpp"

namespace headway::checker {

// A walk by its steps, and where it ends.
struct Walk {
  std::vector<Step> steps;
  StateId end = kNoState;  // kNoState: there is no such walk
};

class Walks {
 public:
  explicit Walks(const Lts& lts) : lts_(&lts), seen_(lts.states(), 0), came_from_(lts.states()) {}

  // A shortest walk of at least `least` (0 or 1) steps from `from`, through states for which
  // `allowed` holds, to one for which `goal` holds.
  template <class Allowed, class Goal>
  Walk find(StateId from, int least, Allowed allowed, Goal goal) {
    return find_by(
        from, least, [&](StateId, const Transition& way) { return allowed(way.target); }, goal);
  }
  // The same by transitions from a state for which may_take(state, transition) holds.
  template <class MayTake, class Goal>
  Walk find_by(StateId from, int least, MayTake may_take, Goal goal) {
    if (least == 0 && goal(from)) return {{}, from};
    ++round_;
    queue_.clear();
    queue_.push_back(from);
    if (least == 0) seen_[from] = round_;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const StateId state = queue_[head];
      for (const Transition& transition : lts_->from(state)) {
        const StateId next = transition.target;
        if (seen_[next] == round_ || !may_take(state, transition)) continue;
        seen_[next] = round_;
        came_from_[next] = {state, transition.step};
        if (goal(next)) return trace(from, next);
        queue_.push_back(next);
      }
    }
    return {};
  }

  // From the initial state.
  std::vector<Step> to(StateId state) {
    const auto anywhere = [](StateId) { return true; };
    return find(0, 0, anywhere, [state](StateId other) { return other == state; }).steps;
  }

 private:
  Walk trace(StateId from, StateId end) const {
    Walk walk;
    walk.end = end;
    StateId state = end;
    do {
      walk.steps.push_back(came_from_[state].step);
      state = came_from_[state].target;
    } while (state != from);
    std::reverse(walk.steps.begin(), walk.steps.end());
    return walk;
  }

  const Lts* lts_;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> seen_;    // the round in which a state was reached
  std::vector<Transition> came_from_;  // the state before, and the step from there
  std::vector<StateId> queue_;
};

}  // namespace headway::checker
