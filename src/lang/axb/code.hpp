// Programs of AXB ("atomic exchange branch") instructions over a shared memory (Sorensen et al.,
// OOPSLA 2021, section 3). Plain data; equality ignores where in a file a statement stood.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
struct Instruction {
  std::uint8_t location = 0;
  std::uint8_t check_value = 0;
  std::uint8_t jump = 0;
  bool exchanges = false;
  std::uint8_t exchange_value = 0;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// A store overwrites memory and goes to the next instruction whatever it read.
inline bool is_store(const Instruction& instruction, int index) {
  return instruction.exchanges && instruction.jump == index + 1;
}

struct Thread {
  std::vector<Instruction> instructions;  // never empty in a valid test
  std::vector<SourceLine> sources;        // one an instruction, or none at all

  int length() const { return static_cast<int>(instructions.size()); }
  friend bool operator==(const Thread& a, const Thread& b) {
    return a.instructions == b.instructions;
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

  int thread_count() const { return static_cast<int>(threads.size()); }
  int instruction_count() const;
  friend bool operator==(const Code&, const Code&) = default;
};

// Sets `code.values` to the smallest number that covers every value in it, at least 2.
void derive_values(Code& code);

}  // namespace headway::lang::axb
