// Synthesis by direct enumeration: programs are grown along their executions. An instruction is
// chosen when an execution first reaches it, the target of a branch when the branch is first
// taken, and a partial program is given up as soon as some state of it can no longer terminate
// whatever the open choices become. Shares no constraint code with the SAT engine.
#pragma once

#include <memory>

#include "synth/space/engine.hpp"

namespace headway::synth {

class ExplicitEngine final : public Engine {
 public:
  // Whether no program of these bounds has more states than kMaxStates.
  static bool applies(const Bounds& bounds);
  // `bounds` must be valid. Throws headway::Error when the engine does not apply to them.
  ExplicitEngine(const Bounds& bounds, const Requirements& requirements);
  ~ExplicitEngine() override;

  static constexpr std::size_t kMaxStates = 65'000;

  std::string name() const override { return "explicit"; }
  bool enumerate(const Cube& cube, const Found& found, const std::atomic<bool>& stop) override;

 private:
  class Search;
  Bounds bounds_;
  Requirements requirements_;
  std::unique_ptr<Search> search_;  // of the shape of the latest cube
};

}  // namespace headway::synth
