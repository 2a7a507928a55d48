#include "synth/sat/sat_engine.hpp"

#include "synth/sat/shape_search.hpp"

namespace headway::synth::sat {

SatEngine::SatEngine(const Bounds& bounds, const Requirements& requirements)
    : bounds_(bounds), requirements_(requirements) {
  validate(bounds);
}

SatEngine::~SatEngine() = default;

bool SatEngine::enumerate(const Cube& cube, const Found& found, const std::atomic<bool>& stop) {
  auto& search = searches_[cube.shape];
  if (!search) search = std::make_unique<ShapeSearch>(bounds_, cube.shape, requirements_);
  if (!bounds_.barriers.structured) return search->enumerate(cube.first, found, stop);
  const Found structured = [&](const Instructions& code) {
    return !is_structured(to_code(bounds_, cube.shape, code)) || found(code);
  };
  return search->enumerate(cube.first, structured, stop);
}

Statistics SatEngine::statistics() const {
  Statistics sum;
  for (const auto& [shape, search] : searches_) {
    const Statistics& one = search->statistics();
    sum.proposals += one.proposals;
    sum.found += one.found;
    sum.rejections += one.rejections;
    sum.solving_seconds += one.solving_seconds;
    sum.explaining_seconds += one.explaining_seconds;
  }
  return sum;
}

}  // namespace headway::synth::sat
