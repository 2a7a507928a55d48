// Why a test fails under a model, or why it passes: the facts that report/explanation.hpp puts
// into words.
#pragma once

#include <optional>
#include <vector>

#include "checker/check.hpp"
#include "checker/witness/witness.hpp"

namespace headway::checker {

// A guaranteed step that leads out of a cycle: of a thread of `group`, which holds one group.
struct WayOut {
  Moment from;
  GroupSet group;
  int thread = 0;
};

// A maximal component of the LTS, or of what an earlier round of strong fairness left of one, and
// what makes every fair execution leave it.
struct BrokenCycle {
  std::size_t states = 0;
  int round = 1;      // strong fairness drops states and looks again; 1 is the LTS itself
  ThreadSet steps;    // threads that step inside
  GroupSet breakers;  // weak: owed a step in every state, never stepping inside; strong: owed
                      // one in a state from which they can only leave
  std::size_t remaining = 0;  // strong: states without a guaranteed way out, for the next round
  WayOut example;
};

struct Explanation {
  Verdict verdict = Verdict::unknown;
  std::size_t states = 0;  // of the LTS with the model's own memory, where it has one
  // error: a shortest execution; its moments are those of `replay`.
  std::vector<Step> error;
  // fail:
  std::optional<Witness> witness;
  Replay replay;  // of the witness; it raises no objection
  // pass, in the order in which executions can reach them; empty when the LTS has no cycle:
  std::vector<BrokenCycle> broken;
};

// Verdict unknown when a limit is reached. Throws headway::Error when the model gives F a
// terminated thread, std::logic_error when the replay rejects a witness (which would be a bug).
Explanation explain(const lang::Program& program, const models::Model& model, Fairness fairness,
                    const CheckOptions& options = {});

}  // namespace headway::checker
