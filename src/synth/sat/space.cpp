#include "synth/sat/space.hpp"

#include <algorithm>
#include <cassert>

namespace headway::synth::sat {

Space::Space(const Bounds& given, const Shape& shape) : bounds(given), shape(shape) {
  // Locations beyond one an instruction have no place in a canonical program.
  bounds.locations = std::min(bounds.locations, bounds.instructions);
  for (int thread = 0; thread < bounds.threads; ++thread) {
    first.push_back(size());
    const int length = shape[thread];
    for (int index = 0; index < length; ++index) {
      positions.push_back({thread, index, length, instruction_choices(bounds, length, index)});
    }
  }
}

int Space::choice_of(int position, const lang::Instruction& instruction) const {
  const auto& choices = positions[position].choices;
  const auto found = std::find(choices.begin(), choices.end(), instruction);
  assert(found != choices.end());
  return static_cast<int>(found - choices.begin());
}

}  // namespace headway::synth::sat
