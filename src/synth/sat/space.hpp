// The programs of one shape as a product: at each position (instruction, thread after thread) one
// of the choices that constraint 4 of well-formedness allows. Boxes, products of sets of choices,
// are what the SAT engine reasons about.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/space/bounds.hpp"

namespace headway::synth::sat {

// An instruction of a program whose shape is known.
struct Position {
  int thread = 0;
  int index = 0;   // in its thread
  int length = 0;  // of its thread
  std::vector<axb::Instruction> choices;

  bool is_store(const axb::Instruction& i) const { return i.jump == index + 1; }
};

struct Space {
  Bounds bounds;
  Shape shape;
  std::vector<Position> positions;
  std::vector<int> first;  // of each thread, as a position

  // Throws headway::Error when an instruction has more choices than this engine is for.
  Space(const Bounds& bounds, const Shape& shape);
  int size() const { return static_cast<int>(positions.size()); }
  // The number of an instruction among the choices of a position; it must be one of them.
  int choice_of(int position, const axb::Instruction& instruction) const;
};

// For each choice of a position, whether it is in the set.
using ChoiceSet = std::vector<std::uint8_t>;

// For each position a set of choices; it holds the programs that take each choice from its set.
using Box = std::vector<ChoiceSet>;

}  // namespace headway::synth::sat
