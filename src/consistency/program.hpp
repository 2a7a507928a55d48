// Programs whose memory is asked about: a few threads of straight code with branches, whose
// accesses have tags ("ACQ", "GPU") by which memory models know them. What herd's litmus files of
// all languages become, and programs of the idiom language.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace headway::consistency {

using Number = std::int64_t;

struct Term {
  enum class Kind {
    constant,
    of_register,
    add,
    subtract,
    multiply,
    bit_and,
    bit_or,
    bit_xor,
    minimum,
    maximum,
    unsigned_minimum,  // of the bits of both, taken for numbers without sign
    unsigned_maximum,
    equal,
    differs,
    less,
    at_most,
    logical_and,
    logical_or,
    divide,     // towards 0
    remainder,  // with the sign of the first; of both the second is not 0
    shift_left,
    shift_right,  // by 0 to 63, with the sign
    conditional,  // of three: the second where the first is not 0, else the third
    negation,     // !a
  };
  Kind kind = Kind::constant;
  Number number = 0;  // constant; of_register: which
  std::vector<Term> operands = {};

  static Term constant(Number number) { return {Kind::constant, number}; }
  static Term of_register(int which) { return {Kind::of_register, which}; }
  static Term of(Kind kind, Term a, Term b) { return {kind, 0, {std::move(a), std::move(b)}}; }
  static Term negated(Term a) { return {Kind::negation, 0, {std::move(a)}}; }
};

// Names of sets, as models write them.
using Tags = std::vector<std::string>;

struct Instruction {
  enum class Kind {
    load,              // target = location
    store,             // location = value
    update,            // target = location; location = update(target, value)
    exchange,          // target = location; location = value
    compare_exchange,  // target = location; if it is `expected`, location = value
    fence,
    barrier,  // of the threads at the same place of the same level
    assign,   // target = value
    branch,   // to `to` where `value` is not 0
    jump,     // to `to`
    error,    // where `value` is not 0 the program goes wrong, by `fault`, and the thread stops
  };
  Kind kind = Kind::fence;
  int line = 0;
  std::string text = {};
  int target = -1;  // a register; -1: none
  int location = 0;
  // Of an array the location is its first, and the one that is meant so many behind it; as many as
  // it has. 1: it is none.
  Term index = {};
  int elements = 1;
  int alias = -1;  // the name of the location that it is come to by; -1: its first
  Term value = {}, expected = {};
  Term::Kind update = Term::Kind::add;
  // What an update writes is taken modulo `modulus`, from `lowest` on; 0: it is not.
  Number lowest = 0, modulus = 0;
  Tags tags = {};         // of the access, or of its read
  Tags write_tags = {};   // of the write of an instruction that reads, too, if it is two events
  Tags failed_tags = {};  // of a comparison that fails, if it is one event
  Term barrier_id = {};
  bool leaves = false;  // the way out of the barrier that the instruction before it came to
  std::size_t to = 0;   // an instruction, or the number of them, which is the end
  std::string fault = {};
};

struct Thread {
  std::string name;  // "P0"
  // Numbers from the widest level in: of the device or queue family, of the block or workgroup, of
  // the subgroup. Empty: all threads are at one place.
  std::vector<int> place = {};
  std::vector<Instruction> code = {};
  std::vector<std::string> registers = {};
  std::vector<Number> initial = {};  // of registers
};

// The first numbers of a place, which tell the block, or workgroup, whose threads meet at barriers.
inline constexpr std::size_t kBlockLevels = 2;

// Whether the first numbers of two places agree, as far as they go.
inline bool same_place(const Thread& a, const Thread& b, std::size_t numbers) {
  for (std::size_t n = 0; n < numbers && n < a.place.size() && n < b.place.size(); ++n) {
    if (a.place[n] != b.place[n]) return false;
  }
  return true;
}

struct Proposition {
  enum class Kind { truth, both, either, negation, compares_register, compares_location };
  Kind kind = Kind::truth;
  std::vector<Proposition> operands = {};
  int thread = 0, which = 0;  // a register of a thread, or a location
  bool differs = false;       // rather than equal
  Number value = 0;
};

struct Program {
  std::string language;  // "C", "PTX", "VULKAN", "OPENCL"
  std::string name;
  std::string comment;
  struct Location {
    std::string name;
    Number initial = 0;
    Tags tags = {};                     // of the initial write
    std::vector<int> first_place = {};  // of the first thread that knows it
  };
  std::vector<Location> locations;
  std::vector<Thread> threads;
  // How many numbers of two places agree where each is in the scope of a tag of the other.
  std::map<std::string, std::size_t> scopes;
  // Threads whose events come before those of another one, by what the host does.
  std::vector<std::pair<int, int>> system_synchronizes;
  // Whether an instruction that reads and writes is one event, as in herd's C, or two.
  bool one_event_updates = false;
  // Whether writes that race need not be ordered, so that coherence is a partial order.
  bool partial_coherence = false;

  enum class Quantifier { exists, never, forall };
  Quantifier quantifier = Quantifier::exists;
  Proposition condition, filter;
  std::string condition_text;
  // What looks at memory when all threads have ended, and goes wrong if it is not as it should be.
  std::optional<Thread> final = {};
};

}  // namespace headway::consistency
