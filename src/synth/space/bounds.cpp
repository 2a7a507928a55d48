#include "synth/space/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <tuple>

#include "base/bits/group_set.hpp"
#include "lang/axb/canonical.hpp"

namespace headway::synth {
namespace {

void require(int value, int low, int high, const char* what) {
  if (value >= low && value <= high) return;
  throw Error(fmt::format("{} {} is out of range; expected {} to {}", what, value, low, high));
}

auto key(const axb::Instruction& i) {
  return std::tuple(i.barrier, i.asks_lane, i.location, i.check_value, i.jump, i.exchanges,
                    i.exchange_value);
}

bool some_thread_meets(const Bounds& bounds, axb::Instruction::Barrier barrier) {
  for (int thread = 0; thread < bounds.threads; ++thread) {
    const auto barriers = barriers_of(bounds, thread);
    if (std::find(barriers.begin(), barriers.end(), barrier) != barriers.end()) return true;
  }
  return false;
}

void require_lanes(const Bounds& bounds) {
  if (bounds.lanes.empty()) return;
  assert(static_cast<int>(bounds.lanes.size()) == bounds.threads);
  for (const int lanes : bounds.lanes) {
    require(lanes, 1, kMaxSynthLanes, "number of threads of a subgroup in lockstep");
  }
  if (*std::max_element(bounds.lanes.begin(), bounds.lanes.end()) == 1) {
    throw Error(
        fmt::format("no subgroup of {} has two threads that could run in lockstep; expected "
                    "a placement where one has, such as 2|1",
                    bounds.topology().placement()));
  }
}

// Says of barriers that are asked for why nobody can come to them.
void require_barriers(const Bounds& bounds) {
  const std::string where = fmt::format("in {}", bounds.topology().to_string());
  if (bounds.barriers.workgroup &&
      !some_thread_meets(bounds, axb::Instruction::Barrier::workgroup)) {
    throw Error(
        fmt::format("no workgroup has two {}s {}; expected a placement where one has, "
                    "or no barriers of workgroups",
                    bounds.topology().leaf_name(), where));
  }
  if (bounds.barriers.subgroup && !bounds.lanes.empty()) {
    throw Error(
        "the threads of a subgroup in lockstep are together already; expected no barriers of "
        "subgroups beside --lockstep");
  }
  if (bounds.barriers.subgroup && !some_thread_meets(bounds, axb::Instruction::Barrier::subgroup)) {
    throw Error(
        fmt::format("no subgroup has two threads and is a part of its workgroup {}; "
                    "expected a placement where one is, such as 2,1, or no barriers of "
                    "subgroups",
                    where));
  }
}

void add_shapes(int threads, int instructions, Shape& prefix, std::vector<Shape>& result) {
  assert(1 <= threads && threads <= instructions);
  if (threads == 1) {
    result.push_back(prefix);
    result.back().push_back(instructions);
    return;
  }
  for (int length = 1; length <= instructions - (threads - 1); ++length) {
    prefix.push_back(length);
    add_shapes(threads - 1, instructions - length, prefix, result);
    prefix.pop_back();
  }
}

constexpr double kMaxCubes = 1e6;  // of a space; what a run keeps of one is some hundred bytes

// By position in the text.
std::vector<Instructions> choices_of(const Bounds& bounds, const Shape& shape) {
  std::vector<Instructions> choices;
  for (std::size_t thread = 0; thread < shape.size(); ++thread) {
    for (int index = 0; index < shape[thread]; ++index) {
      choices.push_back(
          instruction_choices(bounds, static_cast<int>(thread), shape[thread], index));
    }
  }
  return choices;
}

// How many instructions the cubes of a shape fix.
std::size_t cube_depth(const std::vector<Instructions>& choices, double programs, double most) {
  double rest = 1;
  for (std::size_t at = 1; at < choices.size(); ++at) {
    rest *= static_cast<double>(choices[at].size());
  }
  double cubes = static_cast<double>(choices[0].size());
  std::size_t depth = 1;
  while (depth < choices.size() && rest > programs) {
    const auto next = static_cast<double>(choices[depth].size());
    if (cubes * next > most) break;
    cubes *= next;
    rest /= next;
    ++depth;
  }
  return depth;
}

void add_cubes(const Shape& shape, const std::vector<Instructions>& choices, std::size_t depth,
               Instructions& prefix, std::vector<Cube>& result) {
  if (prefix.size() == depth) {
    result.push_back({shape, prefix});
    return;
  }
  for (const axb::Instruction& choice : choices[prefix.size()]) {
    prefix.push_back(choice);
    if (is_canonical(prefix)) add_cubes(shape, choices, depth, prefix, result);
    prefix.pop_back();
  }
}

}  // namespace

void validate(const Bounds& bounds) {
  require(bounds.threads, 1, kMaxSynthInstructions, "number of threads");
  require(bounds.instructions, 1, kMaxSynthInstructions, "number of instructions");
  require(bounds.locations, 1, kMaxSynthLocations, "number of locations");
  require(bounds.values, 2, kMaxSynthValues, "number of values");
  if (bounds.threads > bounds.instructions) {
    throw Error(fmt::format("{} threads cannot share {} instructions; expected at least one each",
                            bounds.threads, bounds.instructions));
  }
  if (bounds.placement && bounds.placement->threads() != bounds.threads) {
    throw Error(fmt::format("placement {} is of {} threads; expected {}",
                            bounds.placement->placement(), bounds.placement->threads(),
                            bounds.threads));
  }
  require_lanes(bounds);
  require_barriers(bounds);
}

void place(Bounds& bounds, const Topology& launch, bool lockstep) {
  bounds.lanes.clear();
  std::vector<std::vector<int>> sizes = launch.sizes();
  for (std::vector<int>& subgroups : sizes) {
    for (int& threads : subgroups) {
      if (!lockstep) continue;
      bounds.lanes.push_back(threads);
      threads = 1;
    }
  }
  const Topology placed = Topology::placed(sizes);
  bounds.threads = placed.threads();
  bounds.placement.reset();
  if (!placed.is_flat()) bounds.placement = placed;
}

Bounds with_possible_barriers(Bounds bounds) {
  using Barrier = axb::Instruction::Barrier;
  const bool subgroup = some_thread_meets(bounds, Barrier::subgroup);
  bounds.barriers.workgroup = some_thread_meets(bounds, Barrier::workgroup);
  bounds.barriers.subgroup = subgroup;
  return bounds;
}

std::vector<axb::Instruction::Barrier> barriers_of(const Bounds& bounds, int thread) {
  using Barrier = axb::Instruction::Barrier;
  const Topology launch = bounds.topology();
  const auto threads = [&](Level level) { return group_around(launch, level, thread); };
  std::vector<Barrier> result;
  const bool smaller = threads(Level::subgroup) != threads(Level::workgroup);
  const bool several = threads(Level::subgroup).size() > 1;
  if (bounds.barriers.subgroup && several && smaller) result.push_back(Barrier::subgroup);
  if (bounds.barriers.workgroup && threads(Level::workgroup).size() > 1) {
    result.push_back(Barrier::workgroup);
  }
  return result;
}

std::vector<Shape> shapes(const Bounds& bounds) {
  std::vector<Shape> result;
  Shape prefix;
  add_shapes(bounds.threads, bounds.instructions, prefix, result);
  return result;
}

std::vector<axb::Instruction> instruction_choices(const Bounds& bounds, int thread, int length,
                                                  int index) {
  assert(0 <= index && index < length);
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  std::vector<axb::Instruction> choices;
  for (int location = 0; location < bounds.locations; ++location) {
    for (int check = 0; check < bounds.values; ++check) {
      for (int jump = 0; jump <= length; ++jump) {
        const bool store = jump == index + 1;
        if (store && check != 0) continue;
        if (!store) choices.push_back({byte(location), byte(check), byte(jump), false, 0});
        for (int value = 0; value < bounds.values; ++value) {
          choices.push_back({byte(location), byte(check), byte(jump), true, byte(value)});
        }
      }
    }
  }
  for (int lane = 0; bounds.lanes_of(thread) > 1 && lane < bounds.lanes_of(thread); ++lane) {
    for (int jump = 0; jump <= length; ++jump) {
      if (jump == index + 1) continue;
      axb::Instruction branch;
      branch.asks_lane = true;
      branch.check_value = byte(lane);
      branch.jump = byte(jump);
      choices.push_back(branch);
    }
  }
  for (const axb::Instruction::Barrier barrier : barriers_of(bounds, thread)) {
    choices.push_back(axb::barrier_at(index, barrier));
  }
  return choices;
}

bool is_canonical(std::span<const axb::Instruction> code) {
  int next = 0;
  for (const axb::Instruction& instruction : code) {
    if (!instruction.is_access()) continue;
    if (instruction.location > next) return false;
    if (instruction.location == next) ++next;
  }
  return true;
}

std::vector<Cube> cubes(const Bounds& bounds, double programs) {
  std::vector<Cube> result;
  const std::vector<Shape> all = shapes(bounds);
  for (const Shape& shape : all) {
    const std::vector<Instructions> choices = choices_of(bounds, shape);
    const std::size_t depth =
        cube_depth(choices, programs, kMaxCubes / static_cast<double>(all.size()));
    Instructions prefix;
    add_cubes(shape, choices, depth, prefix, result);
  }
  return result;
}

axb::Code to_code(const Bounds& bounds, const Shape& shape,
                  std::span<const axb::Instruction> code) {
  axb::Code program;
  int locations = 0;
  for (const axb::Instruction& i : code) {
    if (i.is_access()) locations = std::max(locations, i.location + 1);
  }
  for (int l = 0; l < locations; ++l) {
    program.locations.push_back({axb::canonical_location_name(l), 0});
  }
  program.values = bounds.values;
  auto from = code.begin();
  for (const int length : shape) {
    const int lanes = bounds.lanes_of(program.thread_count());
    program.threads.push_back({{from, from + length}, {}, lanes});
    from += length;
  }
  assert(from == code.end());
  if (bounds.placement) axb::place(program, *bounds.placement);
  program.ended_count = bounds.barriers.ended_count && program.has_barriers();
  return program;
}

std::string name_of(const Bounds& bounds, const lang::Test& test) {
  return fmt::format("{}t_{}i_{:016x}", test.thread_count(), bounds.instructions,
                     lang::identity(test));
}

bool comes_before(const Shape& shape_a, std::span<const axb::Instruction> a, const Shape& shape_b,
                  std::span<const axb::Instruction> b) {
  if (shape_a != shape_b) return shape_a < shape_b;
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const axb::Instruction& x, const axb::Instruction& y) { return key(x) < key(y); });
}

}  // namespace headway::synth
