// The search of one shape: the solver, the rejections so far and the tests found so far.
#pragma once

#include <memory>

#include "synth/sat/encoding.hpp"
#include "synth/sat/sat_engine.hpp"

namespace CaDiCaL {
class Solver;
}

namespace headway::synth::sat {

class ShapeSearch {
 public:
  ShapeSearch(const Bounds& bounds, const Shape& shape, const Requirements& requirements);
  ~ShapeSearch();

  // Every test that starts with `first`; what an earlier call found comes first. False when it
  // ended early.
  bool enumerate(const lang::Instruction& first, const Found& found, const std::atomic<bool>& stop);
  // Every test of the shape.
  bool enumerate(const Found& found, const std::atomic<bool>& stop);

  const Space& space() const { return space_; }
  const Encoding& encoding() const { return encoding_; }
  const Statistics& statistics() const { return statistics_; }
  // The clauses that rejected programs, if they were to be kept.
  void keep_rejections() { keep_ = true; }
  const std::vector<Premise>& rejections() const { return rejections_; }

 private:
  using Program = std::vector<std::uint16_t>;  // choices

  struct Part {
    bool done = false;
    std::vector<Program> found;
  };

  void add(const Clause& clause);
  Code code_of(const Program& program) const;
  bool propose(int first);
  bool reject();
  void widen(const Reason& reason);

  Space space_;
  BoxLts lts_;  // before the encoding, because it refuses large spaces
  Encoding encoding_;
  Requirements requirements_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  Statistics statistics_;
  bool keep_ = false;
  std::vector<Premise> rejections_;
  Program program_;
  std::vector<Part> parts_;  // by choice of the first instruction
};

}  // namespace headway::synth::sat
