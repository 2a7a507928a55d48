// The search of one shape: the solver, the rejections so far and the tests found so far.
#pragma once

#include <map>
#include <memory>

#include "synth/sat/box_verdict.hpp"
#include "synth/sat/encoding.hpp"
#include "synth/sat/statistics.hpp"
#include "synth/space/engine.hpp"

namespace CaDiCaL {
class Solver;
}

namespace headway::synth::sat {

class ShapeSearch {
 public:
  // For the litmus tests that satisfy all of `filters`.
  ShapeSearch(const Bounds& bounds, const Shape& shape, const Requirements& requirements,
              const std::vector<Filter>& filters = {});
  ~ShapeSearch();

  // Every test that starts with `first`; what an earlier call found comes first. False when it
  // ended early. All calls on one search have equally many first instructions.
  bool enumerate(const Instructions& first, const Found& found, const std::atomic<bool>& stop);
  // Every test of the shape.
  bool enumerate(const Found& found, const std::atomic<bool>& stop);
  // Looks at `effort` more programs at most, from all over the shape. True when it has no further
  // test.
  bool advance(std::uint64_t effort, const Found& found, const std::atomic<bool>& stop);

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
  Instructions code_of(const Program& program) const;
  // A program that starts with these choices.
  bool propose(const Program& first);
  bool reject();
  bool refutes(const Reason& reason);
  bool widen(const Reason& reason, int position, std::span<const int> choices);
  void explain(const Reason& reason);

  Space space_;
  BoxProgram box_;  // these before the encoding, because they refuse large spaces
  BoxLts lts_;
  std::vector<BoxVerdict> verdicts_;  // by filter
  // By filter that must fail and set of its cycles(): "there is such a fair cycle", a variable.
  std::vector<std::vector<int>> has_cycle_;
  Encoding encoding_;
  Requirements requirements_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  Statistics statistics_;
  bool keep_ = false;
  std::vector<Premise> rejections_;
  Program program_;
  std::map<Program, Part> parts_;  // by choices of the first instructions
};

}  // namespace headway::synth::sat
