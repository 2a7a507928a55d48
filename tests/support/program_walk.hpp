// Programs from their texts, walked a step at a time or through all their states.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "languages/languages.hpp"

namespace headway::testing {

class ProgramWalk {
 public:
  explicit ProgramWalk(const std::string& text)
      : test_(lang::parse(text, "f")),
        program_(lang::make_program(test_)),
        state_(static_cast<std::size_t>(program_->words())) {
    program_->initial(state_.data());
  }

  // Takes a step, and tells what it does.
  std::string step(lang::Step step = 0) {
    const std::string effect = program_->describe_step(state_.data(), step).effect;
    std::vector<lang::Word> next(state_.size());
    program_->step(state_.data(), step, next.data());
    state_.swap(next);
    return effect;
  }
  std::string at(int thread = 0) const { return program_->describe_thread(state_.data(), thread); }
  std::string memory() const { return program_->describe_memory(state_.data()); }
  int choices(int thread = 0) const { return program_->choices(state_.data(), thread); }
  bool chooses_fairly(int thread = 0) const {
    return program_->chooses_fairly(state_.data(), thread);
  }
  ThreadSet running() const { return program_->running(state_.data()); }
  ThreadSet blocked() const { return program_->blocked(state_.data()); }
  ThreadSet failed() const { return program_->failed(state_.data()); }
  ThreadSet terminated() const { return program_->terminated(state_.data()); }
  const lang::Program& program() const { return *program_; }

 private:
  lang::Test test_;
  std::unique_ptr<lang::Program> program_;
  std::vector<lang::Word> state_;
};

// What there is in a transition system; finished are the states in which all threads have ended.
struct TransitionCounts {
  std::size_t states = 0, transitions = 0, stuck = 0, failed = 0, finished = 0;
  friend bool operator==(const TransitionCounts&, const TransitionCounts&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const TransitionCounts& c) {
  return out << fmt::format("{} states, {} transitions, {} stuck, {} failed, {} finished", c.states,
                            c.transitions, c.stuck, c.failed, c.finished);
}

// By every transition of every thread that runs.
inline TransitionCounts count_transitions(const std::string& text) {
  using State = std::vector<lang::Word>;
  const lang::Test test = lang::parse(text, "f");
  const auto program = lang::make_program(test);
  State initial(static_cast<std::size_t>(program->words()));
  program->initial(initial.data());
  std::set<State> seen = {initial};
  std::vector<State> open = {initial};
  TransitionCounts counts;
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    ++counts.states;
    const ThreadSet running = program->running(state.data());
    const bool failed = !program->failed(state.data()).empty();
    const bool finished = program->terminated(state.data()) == ThreadSet::first(program->threads());
    counts.failed += failed ? 1 : 0;
    counts.finished += finished ? 1 : 0;
    counts.stuck += !failed && running.empty() && !finished ? 1 : 0;
    for (const int thread : running) {
      for (int choice = 0; choice < program->choices(state.data(), thread); ++choice) {
        State next(state.size());
        program->step(state.data(), {thread, choice}, next.data());
        ++counts.transitions;
        if (seen.insert(next).second) open.push_back(next);
      }
    }
  }
  return counts;
}

}  // namespace headway::testing
