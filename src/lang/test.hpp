// Progress litmus tests as values: threads of AXB ("atomic exchange branch") instructions over a
// shared memory (Sorensen et al., OOPSLA 2021, section 3). Plain data; equality ignores where in a
// file a statement stood.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/thread_set.hpp"

namespace headway::lang {

namespace idiom {
struct Code;
}

// Limits that every test keeps to; the parsers refuse more.
inline constexpr int kMaxInstructions = 250;  // a thread
inline constexpr int kMaxLocations = 64;
inline constexpr int kMaxValues = 256;
inline constexpr std::size_t kMaxExpectations = 1000;

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

// How a statement stood in its file. Line 0 means that the test was not read from a file.
struct Source {
  int line = 0;
  std::string text;
};

struct Thread {
  std::vector<Instruction> instructions;  // never empty in a valid test
  std::vector<Source> sources;            // one an instruction, or none at all

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

enum class Fairness { weak, strong };
inline constexpr Fairness kFairnesses[] = {Fairness::weak, Fairness::strong};
std::string to_string(Fairness fairness);

// "This test passes (or fails) under that model"; no fairness means under both.
struct Expectation {
  std::string model;
  std::optional<Fairness> fairness;
  bool passes = false;
  SourcePosition where;
  std::string source_line;

  friend bool operator==(const Expectation& a, const Expectation& b) {
    return a.model == b.model && a.fairness == b.fairness && a.passes == b.passes;
  }
};

// A test of AXB instructions, or a program of the idiom language (docs/idiom-language.md) for one
// number of threads. Then `program` is there, and `locations` and `threads` are empty.
struct Test {
  std::string name;                  // empty when the text declares none
  std::vector<std::string> comment;  // lines, without the leading slashes
  std::vector<Location> locations;
  int values = 2;  // memory holds 0 .. values-1
  std::vector<Thread> threads;
  std::vector<Expectation> expectations;
  std::shared_ptr<const idiom::Code> program;
  bool expects_error = false;  // that the program goes wrong

  bool is_axb() const { return program == nullptr; }
  int thread_count() const;
  // AXB instructions, or statements that access shared memory.
  int instruction_count() const;
  friend bool operator==(const Test& a, const Test& b);
};

// Throws headway::Error when `test` is no AXB test; `what` says what is for AXB tests only.
void require_axb(const Test& test, const std::string& what);

// A store overwrites memory and goes to the next instruction whatever it read.
bool is_store(const Instruction& instruction, int index);

}  // namespace headway::lang
