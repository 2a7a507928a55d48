// An execution as a stem and a cycle of steps, and the judge of whether it shows that a test fails.
// The replay shares nothing with the search for fair cycles but the program's step function and the
// model: it runs the program and applies the definitions of weak and strong fairness to what it
// sees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "models/fairness.hpp"
#include "models/scoped.hpp"

namespace headway::checker {

// `stem` once, then `cycle` for ever. From its second round on the cycle must end where it began.
// Without a cycle the execution ends with the stem, in a state that must be stuck.
struct Lasso {
  std::vector<lang::Step> stem;
  std::vector<lang::Step> cycle;
};

// The moment before a step.
struct Moment {
  std::vector<lang::Word> state;
  models::History history;
  GroupSet selected;  // by the model; of a flat launch F

  // The groups that are guaranteed (of a flat launch: F), and those of them with a running thread.
  GroupSet fair(const Topology& topology) const { return models::guaranteed(topology, selected); }
  GroupSet owed(const Topology& topology) const {
    return fair(topology) & groups_of(topology, history.ready(topology.threads()));
  }
  friend bool operator==(const Moment&, const Moment&) = default;
};

// The first moment of an execution, and the one after a step.
Moment first_moment(const lang::Program& program, const models::Model& model);
Moment after(const lang::Program& program, const models::Model& model, const Moment& before,
             lang::Step step);

struct Replay {
  // Before each step of the stem and of the cycle, taken twice, and after the last.
  std::vector<Moment> moments;
  // Why the execution does not show that the test fails; absent when it does.
  std::optional<std::string> objection;
};

Replay replay(const lang::Program& program, const models::Model& model, models::Fairness fairness,
              const Lasso& lasso);

}  // namespace headway::checker
