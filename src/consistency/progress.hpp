// Whether a program ends, under a memory model and a progress model at once.
//
// An execution that never ends is a graph in which some threads wait: the last round of their loop
// failed, and will for ever. It is fair if memory is, so that what they read there are the last
// writes of their locations (Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis, "Making weak
// memory models fair", OOPSLA 2021: each write is missed by finitely many reads), and if scheduling
// is, weakly: with S the threads that have an event and E those that ended, which both stay as they
// are, every group that the progress model owes a step has one that waits, that is, steps for ever.
// The other threads stopped somewhere, where the model lets them.
#pragma once

#include <string>
#include <vector>

#include "consistency/outcomes.hpp"
#include "models/model.hpp"

namespace headway::consistency {

struct Termination {
  enum class Verdict { pass, fail, unknown };
  std::vector<Verdict> verdicts;  // by model
  // Of those that fail, an execution that never ends, up to where nothing new happens.
  std::vector<std::optional<Witness>> witnesses;
  // Why some are unknown; empty: none is.
  std::string cut;
};

// The launch of a program: threads of a block are a workgroup, and those of a subgroup are one.
Topology launch_of(const Program& program);

// For progress models that are functions of the history. A program with barriers is unknown.
Termination termination(const Program& program, const cat::Model& memory,
                        const std::vector<models::ModelPtr>& progress,
                        const OutcomeOptions& options = {});

}  // namespace headway::consistency
