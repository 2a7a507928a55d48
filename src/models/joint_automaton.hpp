// Models as deterministic automata over thread events that say whom the models owe steps, where
// nobody looks at instructions.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/bits/group_set.hpp"
#include "models/model.hpp"

namespace headway::models {

// Several models for a launch in which nobody is ever blocked, with as few states as tell apart
// whom the models owe steps. The reachable states are found first: 3^N of N threads when every
// model is a function of the history.
class JointAutomaton {
 public:
  // Throws headway::Error when there are more than `max_states` states before they are merged, and
  // for a model that looks at instructions.
  JointAutomaton(const std::vector<ModelPtr>& models, const Topology& launch,
                 std::size_t max_states = std::size_t{1} << 16);

  std::size_t size() const { return owed_.size(); }
  // The groups that each model owes a step in a state, of a flat launch F; state 0 is the initial
  // one.
  const std::vector<GroupSet>& owed(std::uint32_t state) const { return owed_[state]; }
  // The state after `event`; only for threads that have not terminated on the way to `state`.
  std::uint32_t next(std::uint32_t state, const Event& event) const {
    return next_[(state * threads_ + static_cast<std::uint32_t>(event.thread)) * 2 +
                 (event.terminates ? 1 : 0)];
  }

 private:
  std::uint32_t threads_;
  std::vector<std::vector<GroupSet>> owed_;
  std::vector<std::uint32_t> next_;  // by state, thread and whether it terminates
};

// One model for a launch in which threads wait, too: an event says as well who waits after it. Who
// may wait together is up to the program, so states are made when they are asked for. Not
// thread-safe.
class WaitingAutomaton {
 public:
  // Nobody waits at first. Throws headway::Error for a model that looks at instructions.
  WaitingAutomaton(ModelPtr model, const Topology& launch);

  // The groups that the model owes a step in a state; state 0 is the initial one.
  const GroupSet& owed(std::uint32_t state) const { return states_[state].owed; }
  // The state after `event`, when `waiting` cannot step; only for threads that have not terminated
  // on the way to `state`.
  std::uint32_t next(std::uint32_t state, const Event& event, ThreadSet waiting);

 private:
  struct Edge {
    int thread;
    bool terminates;
    ThreadSet waiting;
    std::uint32_t target;
  };
  struct State {
    History history;
    GroupSet selected;
    GroupSet owed;
    std::vector<Edge> edges;  // those that were asked for
  };

  std::uint32_t reach(const History& history, const GroupSet& selected);

  ModelPtr model_;
  Topology launch_;
  std::vector<State> states_;
  std::map<std::pair<History::Key, GroupSet>, std::uint32_t> numbers_;
};

}  // namespace headway::models
