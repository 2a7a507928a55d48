// The labelled transition system of a program (docs/reference/semantics.md, executions): its
// reachable states, each with the history that progress models look at, and their transitions.
// States are numbered in breadth-first order from the initial state 0; the transitions of a state
// come by thread and choice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lang/program.hpp"
#include "models/model.hpp"

namespace headway::checker {

using lang::Step;
using lang::Word;
using models::History;

using StateId = std::uint32_t;
using StateIds = std::vector<StateId>;
inline constexpr StateId kNoState = ~StateId{0};

struct Transition {
  StateId target = 0;
  Step step;
};

class Lts {
 public:
  const Topology& topology() const { return topology_; }
  int threads() const { return topology_.threads(); }
  std::size_t states() const { return history_of_.size(); }
  std::size_t transitions() const { return transitions_.size(); }

  std::span<const Transition> from(StateId state) const {
    return {transitions_.data() + begin_[state], begin_[state + 1] - begin_[state]};
  }
  // Where `step` leads, kNoState when `state` has no such transition.
  StateId successor(StateId state, Step step) const {
    for (const Transition& transition : from(state)) {
      if (transition.step == step) return transition.target;
    }
    return kNoState;
  }

  // The distinct histories of this LTS, and which one a state has.
  const std::vector<History>& histories() const { return histories_; }
  std::uint32_t history_index(StateId state) const { return history_of_[state]; }
  const History& history(StateId state) const { return histories_[history_of_[state]]; }

  // The states in which nothing runs, something is blocked and nothing has failed, and those in
  // which a thread has failed; both in increasing order.
  const StateIds& stuck() const { return stuck_; }
  const StateIds& failed() const { return failed_; }

  // The threads whose choice in `state` is fair.
  ThreadSet fair_choices(StateId state) const {
    return has_fair_choices() ? fair_choices_[state] : ThreadSet();
  }
  bool has_fair_choices() const { return !fair_choices_.empty(); }

  // The program's state, for Program::step() and Program::describe_*().
  const Word* words(StateId state) const { return words_.data() + std::size_t{state} * stride_; }

 private:
  friend class Explorer;
  friend class FairProduct;
  friend class ComponentLts;

  void clear(const Topology& topology, int stride);

  Topology topology_ = 0;
  int stride_ = 1;  // words a state
  std::vector<Word> words_;
  std::vector<Transition> transitions_;
  std::vector<std::size_t> begin_;  // of a state in transitions_, and the end
  std::vector<std::uint32_t> history_of_;
  std::vector<History> histories_;
  StateIds stuck_, failed_;
  std::vector<ThreadSet> fair_choices_;  // by state; empty where the program has none
};

}  // namespace headway::checker
