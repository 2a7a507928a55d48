// Statements of the idiom language as a tree, and how a tree becomes readable: loops get their
// conditions, registers are declared where they are used.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace headway::kernel::slice {

// Text, and how tightly it binds: of operators as in C, 100 for what has none.
struct Text {
  std::string text;
  int strength = 100;
  std::string negated;  // the opposite, where it is as short; of a comparison
  std::set<int> registers;
  bool has_access = false;

  // In a place that asks for this strength.
  std::string in(int asked) const { return strength < asked ? "(" + text + ")" : text; }
};
constexpr int kUnary = 90;

Text negated(const Text& condition);

struct Statement {
  enum class Kind : std::uint8_t {
    plain,    // `text`
    assign,   // register `target` = `text`
    declare,  // of `target`, = `text` where there is one
    branch,   // if (`text`) body else otherwise
    loop,     // while (`text`) body; without a text for ever
    do_loop,
    leave,  // break
    again,  // continue
    stop,   // return
    label,  // `text`
    jump,
  };
  Kind kind = Kind::plain;
  Text text;
  int target = -1;
  std::vector<Statement> body, otherwise;
};
using Statements = std::vector<Statement>;

// A register of a thread: "int(0..3) ticket".
struct Register {
  std::string name;
  std::string type;
  std::string lowest;  // where 0 is not among its values
  bool is_array = false;
};

void make_readable(Statements& statements);
void declare_registers(Statements& statements, const std::vector<Register>& registers);
std::string print(const Statements& statements, const std::vector<Register>& registers,
                  int indentation);

}  // namespace headway::kernel::slice
