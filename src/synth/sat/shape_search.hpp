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

  // Every test that is not found yet, of those that start with `first` or of all. False when it
  // ended early.
  bool enumerate(const lang::Instruction* first, const Found& found, const std::atomic<bool>& stop);

  const Space& space() const { return space_; }
  const Encoding& encoding() const { return encoding_; }
  const Statistics& statistics() const { return statistics_; }
  // The clauses that rejected programs, if they were to be kept.
  void keep_rejections() { keep_ = true; }
  const std::vector<Premise>& rejections() const { return rejections_; }

 private:
  void add(const Clause& clause);
  bool propose(const lang::Instruction* first);
  bool reject();
  void widen(const Reason& reason);

  Space space_;
  Encoding encoding_;
  BoxLts lts_;
  Requirements requirements_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  Statistics statistics_;
  bool keep_ = false;
  std::vector<Premise> rejections_;
  std::vector<int> program_;
};

}  // namespace headway::synth::sat
