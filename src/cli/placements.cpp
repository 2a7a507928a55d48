#include "cli/placements.hpp"

#include <fmt/format.h>

#include "cli/inputs.hpp"
#include "cli/mistakes.hpp"

namespace headway::cli {
namespace {

constexpr std::size_t kMostPlacements = 1000;

// All placements of so many workgroups of at most so many threads, in lexicographic order.
std::vector<Topology> all_placements(int groups, int group_size) {
  std::vector<std::vector<std::vector<int>>> all(1);
  for (int g = 0; g < groups; ++g) {
    std::vector<std::vector<std::vector<int>>> longer;
    longer.reserve(all.size() * static_cast<std::size_t>(group_size));
    for (const auto& sizes : all) {
      for (int size = 1; size <= group_size; ++size) {
        longer.push_back(sizes);
        longer.back().push_back({size});
      }
    }
    all = std::move(longer);
  }
  std::vector<Topology> result;
  result.reserve(all.size());
  for (const auto& sizes : all) result.push_back(Topology::placed(sizes));
  return result;
}

}  // namespace

void add_placement_options(CLI::App& command, PlacementArguments& arguments, CLI::Option* threads) {
  CLI::Option* const placement = command.add_option(
      "--placement", arguments.placement,
      "Threads of each workgroup, as in '2|1'; of each subgroup, as in '2,1|1'; 2x2 for '2|2'");
  placement->check([](const std::string& text) {
    return text.empty() ? "expected a placement such as 2|1, found ''" : std::string();
  });
  CLI::Option* const groups =
      command
          .add_option("--groups", arguments.groups,
                      "All placements of so many workgroups, with --group-size")
          ->check(CLI::Range(1, synth::kMaxSynthInstructions))
          ->excludes(placement);
  command
      .add_option("--group-size", arguments.group_size,
                  "The most threads of a workgroup, with --groups")
      ->check(CLI::Range(1, synth::kMaxSynthInstructions))
      ->needs(groups);
  placement->excludes(threads);
  groups->excludes(threads);
  command
      .add_option("--barriers", arguments.barriers,
                  "Barriers of workgroup or subgroup among the instructions, separated by commas; "
                  "structured: only where all threads of a group come to the same ones")
      ->delimiter(',')
      ->check(one_of({"workgroup", "subgroup", "structured"}));
  command
      .add_option("--ended", arguments.ended,
                  "Whether a thread that has ended counts as waiting at barriers")
      ->check(one_of({"counts", "does-not"}))
      ->capture_default_str();
  command.add_flag("--lockstep", arguments.lockstep,
                   "The threads of a subgroup have one program and run it in lockstep");
}

std::vector<Topology> parse_placements(const PlacementArguments& arguments) {
  if (!arguments.placement.empty()) return {parse_placement(arguments.placement)};
  if (arguments.lockstep && arguments.groups == 0) {
    throw Error(
        "--lockstep is how the threads of a subgroup run; expected --placement, such as "
        "--placement '2|1'");
  }
  if ((arguments.groups > 0) != (arguments.group_size > 0)) {
    throw Error("--groups and --group-size say together what placements there are");
  }
  if (arguments.groups == 0) return {};
  std::size_t count = 1;
  for (int g = 0; g < arguments.groups; ++g) {
    count *= static_cast<std::size_t>(arguments.group_size);
    if (count > kMostPlacements) {
      throw Error(fmt::format("more than {} placements of {} workgroups of up to {} threads",
                              kMostPlacements, arguments.groups, arguments.group_size));
    }
  }
  return all_placements(arguments.groups, arguments.group_size);
}

synth::Bounds::Barriers parse_barriers(const PlacementArguments& arguments) {
  if (arguments.placement.empty() && arguments.groups == 0 && !arguments.barriers.empty()) {
    throw Error(
        "threads meet at barriers within groups; expected --placement, such as "
        "--placement '2|1'");
  }
  synth::Bounds::Barriers barriers;
  for (const std::string& word : arguments.barriers) {
    if (word == "workgroup") barriers.workgroup = true;
    if (word == "subgroup") barriers.subgroup = true;
    if (word == "structured") barriers.structured = true;
  }
  if (barriers.structured && !barriers.workgroup && !barriers.subgroup) {
    throw Error(
        "--barriers structured says how barriers stand; expected workgroup or subgroup "
        "beside it");
  }
  barriers.ended_count = arguments.ended == "counts";
  if (barriers.ended_count && arguments.barriers.empty()) {
    throw Error("--ended counts is about barriers; expected --barriers workgroup or subgroup");
  }
  return barriers;
}

std::vector<synth::Bounds> placed(const synth::Bounds& bounds,
                                  const PlacementArguments& arguments) {
  const std::vector<Topology> launches = parse_placements(arguments);
  const synth::Bounds::Barriers barriers = parse_barriers(arguments);
  if (launches.empty()) return {bounds};
  std::vector<synth::Bounds> result;
  for (const Topology& launch : launches) {
    synth::Bounds each = bounds;
    synth::place(each, launch, arguments.lockstep);
    each.barriers = barriers;
    if (launches.size() == 1) return {each};
    if (each.threads <= each.instructions) result.push_back(with_possible_barriers(each));
  }
  return result;
}

}  // namespace headway::cli
