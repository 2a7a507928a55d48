// All programs of a box at once: what the instruction at a position can do when it reads a value
// at a location, whichever of its choices it is.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "synth/sat/space.hpp"

namespace headway::synth::sat {

// What an instruction can do: a bit for each new pc and value.
using Outcomes = std::uint64_t;

// The barriers that an instruction may be: of its subgroup, of its workgroup.
using Barriers = std::uint8_t;
inline Barriers bit_of(axb::Instruction::Barrier barrier) {
  return barrier == axb::Instruction::Barrier::none ? Barriers{0}
                                                    : Barriers(1U << (int(barrier) - 1));
}

class BoxProgram {
 public:
  // Throws headway::Error when the space has instructions that this engine is not for. The box is
  // empty at first.
  explicit BoxProgram(const Space& space);

  const Space& space() const { return space_; }
  const Box& box() const { return box_; }
  Outcomes outcomes(int position, int location, int old) const {
    return outcomes_[(position * locations_ + location) * values_ + old];
  }
  Barriers barriers(int position) const { return barriers_[position]; }
  // Of the lowest outcome: the new pc and the new value.
  int next_pc(Outcomes outcomes) const { return std::countr_zero(outcomes) / values_; }
  int new_value(Outcomes outcomes) const { return std::countr_zero(outcomes) % values_; }

  // The box that holds exactly one program, given as choices.
  void reset(std::span<const std::uint16_t> program);
  // Adds choices to a position; false if it can do nothing new then.
  bool allow(int position, std::span<const int> choices);
  // Takes the last allow() back.
  void undo();

 private:
  void add(int position, int choice);

  const Space& space_;
  int locations_, values_;
  Box box_;
  std::vector<Outcomes> outcomes_;
  std::vector<Barriers> barriers_;
  Barriers saved_barriers_ = 0;
  int saved_position_ = 0;
  ChoiceSet saved_choices_;
  std::vector<Outcomes> saved_outcomes_;
};

}  // namespace headway::synth::sat
