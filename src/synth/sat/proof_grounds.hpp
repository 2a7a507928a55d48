// Checks why a clause of a synthesis proof holds, from the definition of a litmus test and the
// language's step alone. Written apart from what writes proofs, and shares nothing with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "synth/space/engine.hpp"

namespace headway::synth::sat {

class GroundChecker {
 public:
  GroundChecker(const Bounds& bounds, const Shape& shape, const Requirements& requirements);

  // Takes a line of variables.txt. False when it makes no sense; what is wrong is up to the reader.
  bool define(std::string_view line);
  bool is_defined(int variable) const;

  // Whether `ground` (a line of grounds.txt other than "test") is a reason for the clause. Throws
  // headway::Error when there are too many states to say.
  bool holds(std::string_view ground, const std::vector<int>& clause);

  // Whether the clause excludes exactly this one program.
  bool excludes_exactly(const std::vector<int>& clause, const Instructions& program);

 private:
  struct Place {
    int thread, index, length;
    std::vector<axb::Instruction> choices;
  };
  struct Meaning {
    int place = -1;
    std::vector<bool> choices;
  };
  using States = std::vector<std::uint64_t>;
  // What a thread does at its program counter.
  enum class At : std::uint8_t { runs, waits_in_subgroup, waits_in_workgroup, let_through };
  struct Standing {
    std::vector<int> pcs;  // by thread
    std::vector<At> at;
    std::vector<int> memory;
  };

  void exclude(const std::vector<int>& clause);
  bool numbering(int place) const;
  bool influence(int place) const;
  bool never(std::string_view event, int place);
  // Explores what the excluded programs can do together; false if `event` happens at `place`.
  bool explore(std::string_view event, int place);
  std::vector<bool> together(int thread, axb::Instruction::Barrier barrier) const;
  void let_through(Standing& standing) const;
  // The standing after a thread does one of the excluded instructions.
  Standing after(const Standing& standing, int thread, const axb::Instruction& i) const;
  bool stuck() const;
  bool acyclic() const;

  Bounds bounds_;
  Shape shape_;
  Requirements requirements_;
  std::vector<Place> places_;
  std::vector<int> first_;         // place of each thread's first instruction
  std::vector<Meaning> meanings_;  // by variable

  // The programs that make the clause false: any of these instructions at each place.
  std::vector<std::vector<axb::Instruction>> left_;
  std::vector<bool> ended_;                          // by state: all threads have terminated
  std::vector<std::vector<std::vector<int>>> next_;  // by state and thread: successors
};

}  // namespace headway::synth::sat
