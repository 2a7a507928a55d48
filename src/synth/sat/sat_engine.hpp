// Synthesis by a SAT solver: it proposes programs, the LTS of each says whether it is a litmus
// test, and if not, a reason becomes a clause that rejects every program it holds for. Ends with
// the solver's own word that there is no further program, so what it found is complete.
#pragma once

#include <map>
#include <memory>

#include "synth/sat/statistics.hpp"
#include "synth/space/engine.hpp"

namespace headway::synth::sat {

class ShapeSearch;

// Keeps a solver for each shape that it was asked about: what it learned in one cube holds in the
// others. Memory grows with the tests found and the clauses, some hundred bytes each.
class SatEngine : public Engine {
 public:
  SatEngine(const Bounds& bounds, const Requirements& requirements);
  ~SatEngine() override;
  std::string name() const override { return "sat"; }
  bool enumerate(const Cube& cube, const Found& found, const std::atomic<bool>& stop) override;
  Statistics statistics() const;

 private:
  Bounds bounds_;
  Requirements requirements_;
  std::map<Shape, std::unique_ptr<ShapeSearch>> searches_;
};

}  // namespace headway::synth::sat
