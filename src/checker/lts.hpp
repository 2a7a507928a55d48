// The labelled transition system of a program: its reachable states, each with the history that
// progress models look at, and from each state one step a living thread. States are numbered in
// breadth-first order from the initial state 0.
//
// An Lts is a Boost.Graph IncidenceGraph and VertexListGraph (checker/lts_graph.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lang/program.hpp"
#include "models/model.hpp"

namespace headway::checker {

using lang::Word;
using models::History;

using StateId = std::uint32_t;
inline constexpr StateId kNoState = ~StateId{0};

class Lts {
 public:
  int threads() const { return threads_; }
  std::size_t states() const { return history_of_.size(); }
  std::size_t transitions() const { return transitions_; }

  // Where the step of `thread` leads, kNoState when the thread has terminated.
  StateId successor(StateId state, int thread) const {
    return successors_[std::size_t{state} * threads_ + thread];
  }
  // The distinct histories of this LTS, and which one a state has.
  const std::vector<History>& histories() const { return histories_; }
  std::uint32_t history_index(StateId state) const { return history_of_[state]; }
  const History& history(StateId state) const { return histories_[history_of_[state]]; }
  ThreadSet alive(StateId state) const { return history(state).alive(threads_); }

  // The program's state, for Program::step() and Program::describe_*().
  const Word* words(StateId state) const { return words_.data() + std::size_t{state} * stride_; }

 private:
  friend class Explorer;
  friend class FairProduct;

  void clear(int threads, int stride);

  int threads_ = 0;
  int stride_ = 1;  // words a state
  std::size_t transitions_ = 0;
  std::vector<Word> words_;
  std::vector<StateId> successors_;  // threads_ a state
  std::vector<std::uint32_t> history_of_;
  std::vector<History> histories_;
};

}  // namespace headway::checker
