// Spaces of synthesis whose threads are in groups.
#pragma once

#include <vector>

#include "synth/space/bounds.hpp"

namespace headway::testing {

// So many threads in each subgroup of each workgroup, and the barriers that there may be.
inline synth::Bounds placed(const std::vector<std::vector<int>>& sizes, int instructions,
                            synth::Bounds::Barriers barriers = {}, int locations = 2) {
  synth::Bounds bounds;
  const Topology launch = Topology::placed(sizes);
  if (!launch.is_flat()) bounds.placement = launch;
  bounds.threads = launch.threads();
  bounds.instructions = instructions;
  bounds.locations = locations;
  bounds.barriers = barriers;
  return bounds;
}

}  // namespace headway::testing
