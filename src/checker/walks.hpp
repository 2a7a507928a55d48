// Shortest walks in an LTS, breadth first.
#pragma once

#include <algorithm>
#include <vector>

#include "checker/lts.hpp"

namespace headway::checker {

// A walk by the threads that step, and where it ends.
struct Walk {
  std::vector<int> threads;
  StateId end = kNoState;  // kNoState: there is no such walk
};

class Walks {
 public:
  explicit Walks(const Lts& lts) : lts_(&lts), seen_(lts.states(), 0), came_from_(lts.states()) {}

  // A shortest walk of at least `least` (0 or 1) steps from `from`, through states for which
  // `allowed` holds, to one for which `goal` holds.
  template <class Allowed, class Goal>
  Walk find(StateId from, int least, Allowed allowed, Goal goal) {
    if (least == 0 && goal(from)) return {{}, from};
    ++round_;
    queue_.clear();
    queue_.push_back(from);
    if (least == 0) seen_[from] = round_;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const StateId state = queue_[head];
      for (int thread : lts_->alive(state)) {
        const StateId next = lts_->successor(state, thread);
        if (seen_[next] == round_ || !allowed(next)) continue;
        seen_[next] = round_;
        came_from_[next] = {state, thread};
        if (goal(next)) return trace(from, next);
        queue_.push_back(next);
      }
    }
    return {};
  }

 private:
  struct Step {
    StateId state;
    int thread;
  };

  Walk trace(StateId from, StateId end) const {
    Walk walk;
    walk.end = end;
    StateId state = end;
    do {
      walk.threads.push_back(came_from_[state].thread);
      state = came_from_[state].state;
    } while (state != from);
    std::reverse(walk.threads.begin(), walk.threads.end());
    return walk;
  }

  const Lts* lts_;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> seen_;  // the round in which a state was reached
  std::vector<Step> came_from_;
  std::vector<StateId> queue_;
};

}  // namespace headway::checker
