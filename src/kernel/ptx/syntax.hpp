// What a text of PTX says, names resolved: registers, labels, and instructions in their order; of a
// module also variables and functions. Plain values; parser.hpp makes them, and emitter.hpp knows
// what they mean.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/ir/instruction.hpp"

namespace headway::kernel::ptx {

// Registers and braces within braces that a text may have.
inline constexpr std::size_t kMostRegisters = 65536;
inline constexpr int kMostBraces = 64;

// A register. A predicate is an integer of one bit, and what is declared `.b` an integer.
struct Register {
  std::string name;
  Type type;
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,       // Text::registers[number], `negated` where '!' stands in front
    special,   // `name`: "%tid.x"
    integer,   // `bits`, a signed number of 64 bits
    single,    // `bits`, the representation of a real of 32 bits: 0f3F800000
    real,      // `bits`, that of one of 64 bits
    sink,      // '_': nobody wants it
    address,   // [parts[0] + bits], or + parts[1], a register
    vector,    // {parts}
    pair,      // parts[0]|parts[1]
    label,     // Text::labels[number]
    variable,  // Text::variables[number], plus `bits`
    name,      // any other name, plus `bits`
    list,      // (parts), of a call
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

// Of a `.loc`: in the file with that number; line 0: none.
struct Location {
  int file = 0, line = 0, column = 0;
  friend auto operator<=>(const Location&, const Location&) = default;
};

struct Statement {
  int line = 0;  // of the text, from 1
  Location source;
  std::optional<std::uint32_t> label;  // stands here, and no instruction does
  std::optional<Guard> guard;
  std::vector<std::string> words;  // of the instruction: "ld", "acquire", "gpu", "u32"
  std::vector<Operand> operands;

  std::string instruction() const;  // "ld.acquire.gpu.u32"
};

// A variable, or a parameter, be it of a function or of a call.
struct Variable {
  // Of an initializer: the address of a variable, plus `offset`, in eight bytes at `at`.
  struct Address {
    std::uint64_t at = 0;
    std::string name;
    std::uint64_t offset = 0;
  };
  std::string name;
  std::optional<Space> space;  // none: a parameter
  Type type;                   // of an element
  std::uint64_t elements = 1;  // 0: as many as a launch or another file says
  bool is_array = false;
  int align = 1;
  bool is_external = false;
  std::vector<std::uint8_t> initial = {};  // as long as the variable, or empty
  std::vector<Address> addresses = {};
  int line = 0;

  std::uint64_t bytes() const { return elements * static_cast<std::uint64_t>(type.bytes()); }
};

struct Text {
  std::vector<Register> registers;  // the first ones are those that were there before
  std::vector<std::string> labels;
  std::vector<Variable> variables;  // results and parameters of the function, and its own
  std::vector<Statement> statements;
};

struct FunctionText {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  std::size_t results = 0, parameters = 0;              // among body.variables, in this order
  std::array<std::uint32_t, 3> group_size = {0, 0, 0};  // .reqntid
  std::uint32_t most_threads = 0;                       // .maxntid; 0: not said
  std::string refused = {};                             // what is not modelled of it; or empty
  Text body;
  int line = 0;
};

struct ModuleText {
  std::map<int, std::string> files;  // by the numbers that `.loc` has
  std::vector<Variable> variables;
  std::vector<FunctionText> functions;
};

// The type of registers or of data that a word names: "u32", "pred"; nothing for other words.
std::optional<Type> type_named(std::string_view word);

}  // namespace headway::kernel::ptx
