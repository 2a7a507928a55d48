// Several models for a number of threads as one deterministic automaton over thread events, with
// as few states as tell their fair sets apart. The reachable states are found first: 3^N when
// every F is a function of the history.
#pragma once

#include <cstdint>
#include <vector>

#include "models/model.hpp"

namespace headway::models {

class JointAutomaton {
 public:
  // Throws headway::Error when there are more than `max_states` states before they are merged, and
  // for a model that looks at instructions.
  JointAutomaton(const std::vector<ModelPtr>& models, int threads,
                 std::size_t max_states = std::size_t{1} << 16);

  std::size_t size() const { return fair_.size(); }
  // F of each model in a state; state 0 is the initial one.
  const std::vector<ThreadSet>& fair(std::uint32_t state) const { return fair_[state]; }
  // The state after `event`; only for threads that have not terminated on the way to `state`.
  std::uint32_t next(std::uint32_t state, const Event& event) const {
    return next_[(state * threads_ + static_cast<std::uint32_t>(event.thread)) * 2 +
                 (event.terminates ? 1 : 0)];
  }

 private:
  std::uint32_t threads_;
  std::vector<std::vector<ThreadSet>> fair_;
  std::vector<std::uint32_t> next_;  // by state, thread and whether it terminates
};

}  // namespace headway::models
