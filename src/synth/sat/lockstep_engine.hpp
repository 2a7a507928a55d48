// Synthesis by a SAT solver where subgroups run in lockstep: as the engine for independent threads
// does (sat_engine.hpp), the solver proposes programs, and the LTS of each says whether it is a
// litmus test. What is rejected with a program are those that differ from it where its executions
// do not look: in instructions that none reaches, and in targets of branches that none takes. Where
// lanes meet again depends on all targets, so these stay where lanes have parted.
#pragma once

#include <map>
#include <memory>

#include "synth/space/engine.hpp"

namespace headway::synth::sat {

class LockstepSearch;

class LockstepEngine final : public Engine {
 public:
  // `bounds` must be valid, and have lanes.
  LockstepEngine(const Bounds& bounds, const Requirements& requirements);
  ~LockstepEngine() override;
  std::string name() const override { return "sat"; }
  bool enumerate(const Cube& cube, const Found& found, const std::atomic<bool>& stop) override;

 private:
  Bounds bounds_;
  Requirements requirements_;
  std::map<Shape, std::unique_ptr<LockstepSearch>> searches_;
};

}  // namespace headway::synth::sat
