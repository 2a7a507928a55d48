// Decides large tests: explores layer by layer, from low heights to high ones, keeps no more than
// the states that are still to be visited, stores no transitions, and uses all cores. For models
// whose F is a function of the history. docs/exploration.md says what layers are, why symmetry and
// sleep sets leave all verdicts as they are, and whose ideas these are.
#pragma once

#include <span>
#include <vector>

#include "base/limits.hpp"
#include "checker/packed_program.hpp"
#include "checker/verdict.hpp"
#include "models/model.hpp"

namespace headway {
class Progress;
}

namespace headway::checker {

struct SweepOptions {
  // The readings to decide; the others stay unknown.
  bool weak = true;
  bool strong = true;
  // Whether steps that only lead where other steps lead, too, are left out (without symmetry).
  bool sleep_sets = true;
  // Whether to stop once every reading is known to fail.
  bool stop_early = true;
  std::size_t max_states = ~std::size_t{0};
  std::size_t max_memory = ~std::size_t{0};  // bytes, approximately
  StopSigns signs;
  Progress* progress = nullptr;  // counts states
};

struct SweepResult {
  std::vector<ModelVerdict> verdicts;  // one a model; a fail that was found counts at any limit
  bool gone_wrong = false;             // a thread can fail; the verdicts are all error
  Limit stopped_by = Limit::none;
  std::size_t states = 0;  // explored, and steps computed from them
  std::size_t transitions = 0;
  int heights = 0;         // how many of the program's heights were swept
  std::size_t memory = 0;  // most that was held at a time, bytes
};

// All `models` must be functions of the history, and look at `started` only if `program` tracks
// it. Throws headway::Error when a model gives F a terminated thread after a history that counts.
SweepResult sweep(const PackedProgram& program, std::span<const models::ModelPtr> models,
                  const SweepOptions& options);

}  // namespace headway::checker
