// Compares a program with something that should be the same transition system in another shape.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lang/program.hpp"

namespace headway::testing {

enum class Stage { running, ended, failed };

// Walks through both from their initial states, a step of the same thread at a time, and requires
// that states of one correspond to states of the other, one to one. `other` provides
//   State                          ordered
//   State initial()
//   Stage stage(state, thread)
//   State after(state, thread)     the state after a step of a thread that is running
// and `look(words, state)` is called for each pair of states. Returns how many states there are;
// nothing, having compared that many, when there are more than `most_states`. With `track_started`
// states are told apart by who has started.
template <class Other, class Look>
std::optional<std::size_t> step_for_step(const lang::Program& program, Other& other,
                                         bool track_started, std::size_t most_states,
                                         const Look& look) {
  using Words = std::vector<lang::Word>;
  using State = typename Other::State;
  std::map<Words, std::size_t> own_numbers;
  std::map<State, std::size_t> other_numbers;
  std::vector<std::pair<Words, State>> states;
  const auto reach = [&](const Words& words, const State& state) {
    const auto [own, own_is_new] = own_numbers.emplace(words, states.size());
    const auto [twin, twin_is_new] = other_numbers.emplace(state, states.size());
    REQUIRE(own_is_new == twin_is_new);
    REQUIRE(own->second == twin->second);
    if (own_is_new) states.emplace_back(words, state);
  };
  Words next(static_cast<std::size_t>(program.words()));
  program.initial(next.data());
  reach(next, other.initial());
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states.size() > most_states) return std::nullopt;
    const auto [words, state] = states[i];
    look(words, state);
    const ThreadSet ended = program.terminated(words.data());
    const ThreadSet failed = program.failed(words.data());
    for (int t = 0; t < program.threads(); ++t) {
      const Stage stage = other.stage(state, t);
      REQUIRE(ended.contains(t) == (stage == Stage::ended));
      REQUIRE(failed.contains(t) == (stage == Stage::failed));
    }
    for (const int t : program.running(words.data())) {
      const bool ends = program.step(words.data(), t, next.data());
      if (track_started) lang::Program::note(next.data(), ThreadSet::single(t));
      const State twin = other.after(state, t);
      REQUIRE(ends == (other.stage(twin, t) == Stage::ended));
      reach(next, twin);
    }
  }
  return states.size();
}

}  // namespace headway::testing
