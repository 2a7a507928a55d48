// Options that say how threads are placed into groups and what barriers there are: of synth and
// distinguish.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "synth/space/bounds.hpp"

namespace headway::cli {

struct PlacementArguments {
  std::string placement;
  int groups = 0;  // 0: as `placement` says
  int group_size = 0;
  std::vector<std::string> barriers;
  std::string ended = "does-not";
  bool lockstep = false;
};

// `threads` is the option of flat tests that says how many there are.
void add_placement_options(CLI::App& command, PlacementArguments& arguments, CLI::Option* threads);

// The launches that are asked for; none where tests are flat. Throws headway::Error.
std::vector<Topology> parse_placements(const PlacementArguments& arguments);
// Throws headway::Error for barriers without a launch that has groups.
synth::Bounds::Barriers parse_barriers(const PlacementArguments& arguments);

// `bounds` with each placement of those asked for that has no more threads than instructions.
// Where there are several, barriers are those that a placement has a group for.
std::vector<synth::Bounds> placed(const synth::Bounds& bounds, const PlacementArguments& arguments);

}  // namespace headway::cli
