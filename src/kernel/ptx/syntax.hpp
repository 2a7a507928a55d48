// What a text of PTX says, names resolved: registers, labels, and instructions in their order.
// Plain values; parser.hpp makes them, and emitter.hpp knows what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel/ir/instruction.hpp"

namespace headway::kernel::ptx {

// A register. A predicate is an integer of one bit, and what is declared `.b` an integer.
struct Register {
  std::string name;
  Type type;
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,      // Text::registers[number], `negated` where '!' stands in front
    special,  // `name`: "%tid.x"
    integer,  // `bits`, a signed number of 64 bits
    single,   // `bits`, the representation of a real of 32 bits: 0f3F800000
    real,     // `bits`, that of one of 64 bits
    sink,     // '_': nobody wants it
    address,  // [parts[0] + bits], or + parts[1], a register
    vector,   // {parts}
    pair,     // parts[0]|parts[1]
    label,    // Text::labels[number]
    name,     // any other name
  };
  Kind kind = Kind::integer;
  bool negated = false;
  std::uint32_t number = 0;
  std::uint64_t bits = 0;
  std::string name = {};
  std::vector<Operand> parts = {};
};

// Whether it runs: the register is 1, or 0 where it is `negated`.
struct Guard {
  std::uint32_t reg = 0;
  bool negated = false;
};

struct Statement {
  int line = 0;                        // of the text, from 1
  std::optional<std::uint32_t> label;  // stands here, and no instruction does
  std::optional<Guard> guard;
  std::vector<std::string> words;  // of the instruction: "ld", "acquire", "gpu", "u32"
  std::vector<Operand> operands;

  std::string instruction() const;  // "ld.acquire.gpu.u32"
};

struct Text {
  std::vector<Register> registers;  // the first ones are those that were there before
  std::vector<std::string> labels;
  std::vector<Statement> statements;
};

}  // namespace headway::kernel::ptx
