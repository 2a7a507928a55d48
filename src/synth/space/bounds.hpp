// The space that synthesis searches: programs of exactly so many threads and instructions over at
// most so many locations and values, perhaps placed into groups that meet at barriers, and how it
// is cut into cubes that can be searched apart.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lang/axb/code.hpp"

namespace headway::synth {

namespace axb = lang::axb;

struct Bounds {
  int threads = 2;
  int instructions = 2;  // in total; every thread has at least one
  int locations = 2;     // at most
  int values = 2;
  // How the threads are placed; nothing: each is a workgroup of its own.
  std::optional<Topology> placement = {};
  // Which barriers there may be. Those of groups with one thread, and those of subgroups that are
  // all of their workgroup, are none whatever is said here.
  struct Barriers {
    bool workgroup = false;
    bool subgroup = false;
    bool ended_count = false;  // threads that have ended count as waiting
    // Only programs in which all threads of a group come to equally many barriers and no branch
    // leaves the stretch between two barriers.
    bool structured = false;

    bool any() const { return workgroup || subgroup; }
    friend bool operator==(const Barriers&, const Barriers&) = default;
  };
  Barriers barriers = {};
  // In lockstep what is called a thread here is a subgroup, which has so many lanes and one program
  // for them; nothing where threads are independent.
  std::vector<int> lanes = {};

  int lanes_of(int thread) const {
    return lanes.empty() ? 1 : lanes[static_cast<std::size_t>(thread)];
  }
  Topology topology() const {
    const Topology launch = placement ? *placement : Topology(threads);
    return lanes.empty() ? launch : launch.with_lanes(lanes);
  }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

inline constexpr int kMaxSynthInstructions = 16;
inline constexpr int kMaxSynthLocations = 8;
inline constexpr int kMaxSynthValues = 8;
inline constexpr int kMaxSynthLanes = 8;  // of a subgroup

// Throws headway::Error when the bounds are not 1 <= threads <= instructions <=
// kMaxSynthInstructions, 1 <= locations <= kMaxSynthLocations, 2 <= values <= kMaxSynthValues, when
// `placement` is of another number of threads, when `lanes` are not 1 to kMaxSynthLanes for each,
// or 1 for all, and when no thread could come to a barrier that is asked for.
void validate(const Bounds& bounds);

// Places as many threads as `launch` has: each by itself, or, in lockstep, each of its subgroups as
// one.
void place(Bounds& bounds, const Topology& launch, bool lockstep);

// How many instructions each thread has.
using Shape = std::vector<int>;

// All shapes within bounds, in lexicographic order.
std::vector<Shape> shapes(const Bounds& bounds);

// A program of known shape: its instructions, thread after thread.
using Instructions = std::vector<axb::Instruction>;

// The same bounds without the barriers that no thread could come to.
Bounds with_possible_barriers(Bounds bounds);

// The barriers that `thread` may come to, of subgroups first.
std::vector<axb::Instruction::Barrier> barriers_of(const Bounds& bounds, int thread);

// The instructions that well-formedness allows at `index` of a thread of `length` (semantics of
// litmus tests, constraints 4 and 7), in the order that output has: by location, check value, jump,
// exchange and exchange value, then branches on the lane, barriers last.
std::vector<axb::Instruction> instruction_choices(const Bounds& bounds, int thread, int length,
                                                  int index);

// Whether the locations of `code` are numbered by first use.
bool is_canonical(std::span<const axb::Instruction> code);

// A part of the space: one shape and the first instructions of its text. The cubes of a space
// share no program and together hold every canonical one.
struct Cube {
  Shape shape;
  Instructions first;  // at least one
};

// How many programs a cube may have before it is cut further. The engines search so many in a few
// seconds (docs/internals/synthesis.md), so that a killed run has little to do again. Smaller cubes
// would lose less, but each instruction that they fix makes the whole search longer by a third.
inline constexpr double kCubePrograms = 4294967296;

// All cubes, in the order of their programs in output. Those of a shape fix equally many
// instructions: as many as it takes until no cube has more than `programs`, as long as a space
// has no more than a million cubes.
std::vector<Cube> cubes(const Bounds& bounds, double programs = kCubePrograms);

// A program over `bounds`, locations named as in canonical form.
axb::Code to_code(const Bounds& bounds, const Shape& shape, std::span<const axb::Instruction> code);

// What a test is called after its size and its identity, "3t_4i_ffe1c4d6c1a9def5".
std::string name_of(const Bounds& bounds, const lang::Test& test);

// The order of tests in output: by shape, then instruction by instruction.
bool comes_before(const Shape& shape_a, std::span<const axb::Instruction> a, const Shape& shape_b,
                  std::span<const axb::Instruction> b);

}  // namespace headway::synth
