// Decides large tests: explores layer by layer, from low heights to high ones, keeps no more than
// the states that are still to be visited, stores no transitions, and uses all cores. For models
// whose F is a function of the history. docs/internals/exploration.md says what layers are, why
// symmetry and sleep sets leave all verdicts as they are, and whose ideas these are.
#pragma once

#include <optional>
#include <span>

#include "checker/sweep/options.hpp"
#include "checker/sweep/packed_program.hpp"
#include "checker/sweep/symmetry.hpp"
#include "lang/program.hpp"
#include "models/model.hpp"

namespace headway::checker {

// A program that has step tables, in at most kMaxSweepWords words a state. All `models` must be
// functions of the history, and look at `started` only if `program` tracks it. Throws
// headway::Error when a model gives F a terminated thread after a history that counts.
SweepResult sweep(const PackedProgram& program, std::span<const models::ModelPtr> models,
                  const SweepOptions& options);

// What is one state: those that exchanges lead to, if there is a `symmetry`; those that `silent`
// steps lead to, of groups of the level `awake` that have started, or where it is none of all;
// those that differ in who has started, inside of groups of the level `started` or, where it is
// none, at all.
struct StateForm {
  const Symmetry* symmetry = nullptr;
  lang::Silent silent = lang::Silent::none;
  std::optional<Level> started = Level::thread;
  std::optional<Level> awake = Level::thread;
};

// Any program whose states take at most kMaxSweepWords words, by its steps alone: threads may wait
// and choose, a step may touch what it likes, launches may have any shape. Layers are those of its
// histories and heights; there are sleep sets where it says what its steps touch. `form` must make
// no difference to `models` (docs/internals/exploration.md), which must be functions of the
// history.
SweepResult sweep(const lang::Program& program, const StateForm& form,
                  std::span<const models::ModelPtr> models, const SweepOptions& options);

// How many heights that makes.
int program_heights(const lang::Program& program, bool track_started);

}  // namespace headway::checker
