// What a model may see of the instruction of a step (docs/reference/model-files.md). All that
// programs and models share, besides the words of fairness.
#pragma once

#include <array>
#include <cstdint>

namespace headway::models {

// What a model may see of the instruction of a step. The kinds are those of AXB instructions: a
// load writes nothing; a store writes, and goes on whatever it has read; an exchange writes, and
// where it goes on depends on what it has read. Other languages have none of these.
struct Instruction {
  enum class Access : std::uint8_t { none, load, store, exchange };
  Access access = Access::none;
  bool loops = false;  // it may go to itself or back

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// Those that there are.
inline constexpr std::array<Instruction, 5> kInstructions = {
    {{Instruction::Access::load, false},
     {Instruction::Access::load, true},
     {Instruction::Access::store, false},
     {Instruction::Access::exchange, false},
     {Instruction::Access::exchange, true}}};

}  // namespace headway::models
