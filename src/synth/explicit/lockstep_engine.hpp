// Synthesis by direct enumeration where subgroups run in lockstep: programs are grown along their
// executions, as those of independent threads are (explicit_engine.hpp). Where lanes part that
// disagree at a branch, the targets of all branches of their program are chosen first, as these say
// where the lanes meet again.
#pragma once

#include "synth/space/engine.hpp"

namespace headway::synth {

class LockstepEngine final : public Engine {
 public:
  // `bounds` must be valid, and have lanes.
  LockstepEngine(const Bounds& bounds, const Requirements& requirements)
      : bounds_(bounds), requirements_(requirements) {}

  std::string name() const override { return "explicit"; }
  bool enumerate(const Cube& cube, const Found& found, const std::atomic<bool>& stop) override;

 private:
  Bounds bounds_;
  Requirements requirements_;
};

}  // namespace headway::synth
