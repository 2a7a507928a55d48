// An infinite execution as a stem and a cycle of thread ids, and the judge of whether it shows
// that a test fails. The replay shares nothing with the search for fair cycles but the program's
// step function and the model: it runs the program and applies the definitions of weak and strong
// fairness to what it sees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "lang/test.hpp"
#include "models/model.hpp"

namespace headway::checker {

// `stem` once, then `cycle` for ever; each entry is the thread that takes the step. From its second
// round on the cycle must end where it began.
struct Lasso {
  std::vector<int> stem;
  std::vector<int> cycle;
};

// The moment before a step.
struct Moment {
  std::vector<lang::Word> state;
  models::History history;
  ThreadSet fair;  // F
  friend bool operator==(const Moment&, const Moment&) = default;
};

struct Replay {
  // Before each step of the stem and of the cycle, taken twice, and after the last.
  std::vector<Moment> moments;
  // Why the execution does not show that the test fails; absent when it does.
  std::optional<std::string> objection;
};

Replay replay(const lang::Program& program, const models::Model& model, lang::Fairness fairness,
              const Lasso& lasso);

}  // namespace headway::checker
