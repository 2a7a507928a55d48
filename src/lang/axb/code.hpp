// Programs of AXB ("atomic exchange branch") instructions over a shared memory (Sorensen et al.,
// OOPSLA 2021, section 3), whose threads may be placed into workgroups and subgroups and meet at
// barriers there. Plain data; equality ignores where in a file a statement stood.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "lang/test.hpp"

namespace headway::lang::axb {

// Limits that every test keeps to; the parsers refuse more.
inline constexpr int kMaxInstructions = 250;  // a thread
inline constexpr int kMaxLocations = 64;
inline constexpr int kMaxValues = 256;

// One atomic step:
//   old = mem[location]; if (exchanges) mem[location] = exchange_value;
//   pc = old == check_value ? jump : pc + 1
// `jump` is an instruction index of the same thread or its length, which is its end.
// `exchange_value` is 0 when nothing is exchanged.
//
// An instruction may be a barrier of the thread's workgroup or subgroup instead. Then it has no
// location, all its fields are 0, and `jump` is that of the next instruction. Or it may ask for the
// lane: it goes to `jump` where the thread is number `check_value` of its subgroup.
struct Instruction {
  enum class Barrier : std::uint8_t { none, subgroup, workgroup };

  std::uint8_t location = 0;
  std::uint8_t check_value = 0;
  std::uint8_t jump = 0;
  bool exchanges = false;
  std::uint8_t exchange_value = 0;
  Barrier barrier = Barrier::none;
  bool asks_lane = false;

  bool is_access() const { return !is_barrier() && !asks_lane; }
  bool is_barrier() const { return barrier != Barrier::none; }
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

constexpr Level level_of(Instruction::Barrier barrier) {
  return barrier == Instruction::Barrier::workgroup ? Level::workgroup : Level::subgroup;
}

// The barrier at `index` of a thread.
Instruction barrier_at(int index, Instruction::Barrier barrier);

// A store overwrites memory and goes to the next instruction whatever it read.
inline bool is_store(const Instruction& instruction, int index) {
  return instruction.exchanges && instruction.jump == index + 1;
}

// A thread, or a subgroup of several threads that run in lockstep, its lanes: then they have one
// program, and for whoever counts and numbers threads they are one.
struct Thread {
  std::vector<Instruction> instructions;  // never empty in a valid test
  std::vector<SourceLine> sources;        // one an instruction, or none at all
  int lanes = 1;

  int length() const { return static_cast<int>(instructions.size()); }
  friend bool operator==(const Thread& a, const Thread& b) {
    return a.instructions == b.instructions && a.lanes == b.lanes;
  }
};

struct Location {
  std::string name;
  std::uint8_t initial = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

struct Code {
  std::vector<Location> locations;
  int values = 2;  // memory holds 0 .. values-1
  std::vector<Thread> threads;
  // How threads are placed; nothing where each is a workgroup of its own. In lockstep these are
  // subgroups, and how many lanes each has is not said here. One barrier a group and
  // level: wherever in the text its statements stand, they meet.
  std::optional<Topology> placement = {};
  bool ended_count = false;  // at barriers, threads that have ended count as waiting

  int thread_count() const { return static_cast<int>(threads.size()); }
  int instruction_count() const;
  Topology topology() const;
  bool has_barriers() const;
  bool in_lockstep() const;  // whether some subgroup has several lanes
  // Whether all is as in the tests of Sorensen et al.: no groups and no barriers.
  bool is_flat() const { return !placement && !has_barriers() && !in_lockstep(); }
  friend bool operator==(const Code&, const Code&) = default;
};

// The number that the first lane of a thread has among all threads of the launch.
int first_lane(const Code& code, int thread);

// Places the threads of `code`, as many as `topology` has.
void place(Code& code, const Topology& topology);

// Whether all threads of each group come to equally many barriers and no branch leaves the stretch
// between two: what languages with uniform control flow ask for.
bool is_structured(const Code& code);

// Sets `code.values` to the smallest number that covers every value in it, at least 2.
void derive_values(Code& code);

}  // namespace headway::lang::axb
