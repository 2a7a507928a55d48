// The weakest orders, scopes and fences under which a litmus test, or a program of the idiom
// language, keeps what is asked of it.
//
// What is asked: that the condition holds (forall, ~exists), that nothing goes wrong, that no
// execution is flagged (races), and that the test ends under progress models. All of it under each
// memory model that is named. In the models that are compiled in a stronger order or a wider scope
// never allows an execution that a weaker one forbids, so that the choices under which all is kept
// are closed upwards, and their minimal ones say it all; tests try every choice of small programs
// instead.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "consistency/progress.hpp"
#include "consistency/repair/minimal_points.hpp"

namespace headway::consistency {

struct RepairQuestion {
  std::string text;  // of the test
  // The program of a text, and its choices where they are asked for. Throws headway::Error.
  std::function<Program(const std::string& text, std::vector<litmus::Choice>* choices)> read;
  std::vector<const cat::Model*> memory;
  std::vector<models::ModelPtr> progress;
  GraphOptions options = {};  // of each question that is asked on the way
};

// What is not kept, under a memory model, and an execution that shows it.
struct Breach {
  std::string memory;
  std::string what;  // "forall (...) does not hold", "race", "waits for ever under OBE"
  Witness witness;
};

// One choice of an answer made weaker, and what happens then.
struct Weakening {
  std::size_t choice = 0, option = 0;
  std::optional<Breach> breach;  // none: that was not decided
};

struct RepairAnswer {
  Point point;
  std::string text;  // of the test as repaired
  std::vector<Weakening> weakenings;
};

struct Repair {
  std::string name;
  // Whether its condition says what must hold; `exists` asks what may be.
  bool has_demand = false;
  std::vector<std::string> asked;  // "forall (...) holds", "no flag", "ends under OBE"
  std::vector<litmus::Choice> choices;
  std::vector<RepairAnswer> answers;  // those that change least come first
  // What breaks as it is written, and with all as strong as can be where there is no answer.
  std::optional<Breach> as_written, as_strong;
  // Why there may be more and weaker answers; empty: these are all.
  std::string cut;
  std::size_t questions = 0;  // programs that were asked about
};

// Throws headway::Error: the test cannot be read, or nothing is asked of it.
Repair repair(const RepairQuestion& question);

}  // namespace headway::consistency
