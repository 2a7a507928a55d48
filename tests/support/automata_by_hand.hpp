// Automata (support/random_automata.hpp) written down state by state, over variables of three
// values, and the verdicts that the oracle has for them.
#pragma once

#include <string>
#include <vector>

#include "support/random_automata.hpp"

namespace headway::testing::by_hand {

// As many variables, all 0.
inline Automata program(int variables, std::vector<LocalStates> threads) {
  Automata result;
  result.values = 3;
  result.initial.assign(static_cast<std::size_t>(variables), 0);
  result.threads = std::move(threads);
  return result;
}

inline Automata launched(const oracle::Launch& launch, Automata automata) {
  automata.launch = launch;
  return automata;
}

inline LocalState await(int variable, int value, int next) {
  LocalState result{LocalState::Kind::await, variable, {false, false, false}, {{kKeep, next}}};
  result.accepts[static_cast<std::size_t>(value)] = true;
  return result;
}

inline LocalState store(int variable, int value, int next) {
  return {LocalState::Kind::modify, variable, {}, std::vector<Outcome>(3, {value, next})};
}

// One step that writes nothing.
inline LocalState look(int next) {
  return {LocalState::Kind::modify, 0, {}, std::vector<Outcome>(3, {kKeep, next})};
}

// An outcome for each value that the variable may have.
inline LocalState modify(int variable, std::vector<Outcome> outcomes) {
  return {LocalState::Kind::modify, variable, {}, std::move(outcomes)};
}

// Loops at `here` while the variable has another value.
inline LocalState spin(int here, int variable, int value, int next) {
  LocalState result = look(here);
  result.variable = variable;
  result.outcomes[static_cast<std::size_t>(value)].next = next;
  return result;
}

inline LocalState choose(std::vector<Outcome> outcomes, int variable = 0) {
  return {LocalState::Kind::choose, variable, {}, std::move(outcomes)};
}

inline LocalState choose_fairly(std::vector<Outcome> outcomes, int variable = 0) {
  LocalState result = choose(std::move(outcomes), variable);
  result.fair = true;
  return result;
}

inline LocalState barrier(int index, int next) {
  LocalState result{LocalState::Kind::barrier, 0, {}, {{kKeep, next}}};
  result.barrier = index;
  return result;
}

inline const LocalState kEnd = {LocalState::Kind::end, 0, {}, {}};
inline const LocalState kFail = {LocalState::Kind::fail, 0, {}, {}};

// All verdicts of a program, as "HSA OBE*": the models it passes, with a star where it does so
// under strong fairness alone.
std::string passed(const Automata& automata, const std::vector<oracle::ScopedModel>& models);
// With the built-in models, as plain ones.
std::string passed(const Automata& automata);

inline const std::string kAllModels = "unfair HSA OBE HSA+OBE LOBE fair";

}  // namespace headway::testing::by_hand
