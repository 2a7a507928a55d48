#include "synth/sat/space.hpp"

#include <algorithm>
#include <cassert>

namespace headway::synth::sat {
namespace {

constexpr std::size_t kMaxChoices = 1000;  // the formula has a clause for each two of them

}  // namespace

Space::Space(const Bounds& given, const Shape& shape) : bounds(given), shape(shape) {
  // Locations beyond one an instruction have no place in a canonical program.
  bounds.locations = std::min(bounds.locations, bounds.instructions);
  for (int thread = 0; thread < bounds.threads; ++thread) {
    first.push_back(size());
    const int length = shape[thread];
    for (int index = 0; index < length; ++index) {
      const auto choices = instruction_choices(bounds, thread, length, index);
      if (choices.size() > kMaxChoices) {
        throw Error("these bounds are too large for the SAT engine");
      }
      positions.push_back({thread, index, length, choices});
    }
  }
}

int Space::choice_of(int position, const axb::Instruction& instruction) const {
  const auto& choices = positions[position].choices;
  const auto found = std::find(choices.begin(), choices.end(), instruction);
  assert(found != choices.end());
  return static_cast<int>(found - choices.begin());
}

}  // namespace headway::synth::sat
