// What a page shows of a test under a reading, as JSON for src/report/page/shown.js: what `headway
// report` writes into its file and what the engine answers are both made here.
#pragma once

#include <nlohmann/json.hpp>

#include "checker/check.hpp"
#include "report/recorded_system.hpp"

namespace headway::report {

struct ShownLimits {
  checker::CheckOptions options;  // of the search for a reason
  std::size_t most_steps;         // of an execution
  std::size_t most_states;        // of a transition system
};

// All but the verdict is null where there is none, or where it is too large.
// Moving JSON throws nothing, though by its type it could.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct Shown {
  checker::Verdict verdict = checker::Verdict::unknown;
  std::size_t explored = 0;  // states
  // Of a fail a fair execution, of an error one that goes wrong: {leaf, stem, smallest, steps,
  // groups, summary}, and `wrong` of an error. A step is a thread, a line, and as texts its
  // statement, its effect, the memory after it and F before it; groups are names and what is said
  // of them.
  nlohmann::ordered_json run;
  // Of a pass: {cycles, more}, why no cycle can go on for ever. A cycle is a sentence and a state
  // with a way out, null where there are none; `more` counts those that are not listed.
  nlohmann::ordered_json reasons;
  nlohmann::ordered_json graph, reading;  // as in RecordedSystem
  nlohmann::ordered_json path;            // the states of the run
};

// Throws as checker::explain().
Shown show_test(const lang::Program& program, const models::Model& model, models::Fairness fairness,
                const ShownLimits& limits, const NumberText& number);

}  // namespace headway::report
