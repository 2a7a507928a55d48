// What an implementation may do instead of what a model promises: a mutant. A test kills one if it
// passes under the model and fails under the mutant (docs/reference/suites.md, "Power").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/check.hpp"
#include "checker/lts/analysis.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "suite/machine.hpp"

namespace headway::suite {

// How the models of levels are joined, and what they look at; each but the first is a mistake.
enum class Rule {
  as_defined,
  threads_alone,        // a group that is guaranteed owes no step by itself
  one_list,             // the model of workgroups is asked about all threads as one list
  started_when_all,     // a group has started when all of its threads have
  started_while_alive,  // or while one that has not ended has
  lowest_alive,         // who is blocked counts as ready when models look
  only_children_asked,  // models are asked about a group with an only child, too
};

// What barriers do instead.
enum class BarrierMistake {
  ended,    // threads that have ended count as waiting where they do not, and the other way round
  passes,   // whoever comes to a barrier goes on at once
  dropped,  // of one statement: who comes goes on, and the others wait for another arrival
};

struct Mutant {
  enum class Kind { level, rule, barrier, scheduler };
  Kind kind = Kind::level;
  std::string name;
  std::string text;  // what it does
  // Of its kind.
  models::ModelPtr model = nullptr;                    // level
  models::Fairness fairness = models::Fairness::weak;  // level
  Rule rule = Rule::as_defined;                        // rule
  BarrierMistake mistake = BarrierMistake::ended;      // barrier
  Machine machine = {};                                // scheduler
};

std::string to_string(Mutant::Kind kind);

// The mutants of a claim: a model, which is a function of the history, with a reading.
class Mutants {
 public:
  // Throws headway::Error for a model that remembers.
  Mutants(const models::Library& library, models::ModelPtr claim, models::Fairness fairness);

  const std::vector<Mutant>& all() const { return all_; }

  // Which of them a test kills; nothing where it does not pass under the claim, or where a limit
  // was reached. One core at a time.
  std::optional<std::vector<bool>> killed_by(const lang::Test& test);

 private:
  void add_levels(const models::Library& library);
  void add_rules();
  void add_barriers();
  void add_schedulers();
  // Of the program that was explored.
  bool fails_under(const lang::Program& program, Rule rule);
  bool fails_with(const lang::Test& test, BarrierMistake mistake);

  models::ModelPtr claim_;
  models::Fairness fairness_;
  std::vector<Mutant> all_;
  std::vector<models::ModelPtr> weaker_;  // the claim, then the models of level mutants
  checker::Checker checker_;
  checker::Analysis analysis_;
  checker::FairCycles cycles_;  // of what it explored
};

// What a model guarantees in a history by a rule, and has not by another: the groups that owe
// steps.
GroupSet obligations(const models::Model& model, const Topology& topology,
                     const models::History& history, Rule rule);

}  // namespace headway::suite
