// Programs of the idiom language (docs/idiom-language.md) as they are written: a syntax tree with
// all names resolved. It stands for a family, a program for every number of threads N; what
// depends on N is an expression here and is evaluated by the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/test.hpp"

namespace headway::lang::idiom {

enum class Operator : std::uint8_t {
  negate,
  complement,
  logical_not,  // unary
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or
};

enum class AccessKind : std::uint8_t {
  load,
  store,
  exch,
  cas,
  fetch_add,
  fetch_sub,
  fetch_min,
  fetch_max,
  fetch_and,
  fetch_or,
  fetch_xor
};

// "fetch_add"
std::string_view to_string(AccessKind kind);
// How many values follow the variable: none for load, two for cas, one for the others.
int operands_of(AccessKind kind);

struct Expression {
  enum class Kind : std::uint8_t {
    number,        // `number`
    reg,           // `index` is a register of the thread block
    constant,      // `index` is a named constant of the file
    thread_count,  // N
    thread_id,     // tid
    unary,
    binary,       // `op` with one, two operands
    conditional,  // three operands
    access        // `access` to variable `index`; operands: those of the access, and if
                  // `indexed` in front of them the index of an array's element
  };
  Kind kind = Kind::number;
  Operator op = Operator::add;
  AccessKind access = AccessKind::load;
  bool indexed = false;
  int index = 0;
  std::int64_t number = 0;
  std::vector<Expression> operands;
  std::size_t offset = 0;  // in the text
};

// Whether the expression is an access or has one in it.
bool has_access(const Expression& expression);

// The values low .. high; both are expressions over numbers, constants and N.
struct Range {
  Expression low, high;
};

struct Constant {
  std::string name;
  Expression value;
};

struct Variable {
  std::string name;
  Range range;
  std::optional<Expression> size;   // of an array
  std::vector<Expression> initial;  // none: 0; one: of all elements; listed: one an element
  bool listed = false;
  std::size_t offset = 0;
};

struct Register {
  std::string name;
  Range range;
  std::size_t offset = 0;
};

struct Statement {
  enum class Kind : std::uint8_t {
    assign,     // register `index` = `expression`
    evaluate,   // `expression`, an access, for its effect
    assertion,  // `expression`
    branch,     // if (`expression`) body else otherwise
    loop,       // while (`expression`) body; with `otherwise` as the third part of a for
    do_loop,    // do body while (`expression`)
    block,      // body
    break_,
    continue_,
    return_,
    label,
    jump  // `index` is a label of the thread block
  };
  Kind kind = Kind::block;
  int index = 0;
  std::optional<Expression> expression;  // none in a loop: for ever
  std::vector<Statement> body, otherwise;
  // A declaration without a value: where 0 does not fit, the file is wrong.
  bool sets_default = false;
  SourceLine source;  // its own text, of a loop or an if its head
  std::size_t offset = 0;
};

// A program for the threads first .. last.
struct Block {
  bool all = false;  // for all threads; then there are no bounds
  Expression first, last;
  std::vector<Register> registers;
  std::vector<std::string> labels;
  std::vector<Statement> body;
  std::size_t offset = 0;
};

// What is expected when `condition` holds; without one, always.
struct ExpectationBlock {
  std::optional<Expression> condition;
  std::vector<Expectation> expectations;
  bool error = false;  // that the program goes wrong
  std::size_t offset = 0;
};

// What a file declares, and the file.
struct Syntax {
  std::string text;
  std::string file;
  std::string name;
  std::vector<std::string> comment;
  // "N = fewest..most;" and where the numbers stand; nothing when the blocks say how many threads
  // there are.
  std::optional<std::pair<int, int>> threads;
  std::size_t threads_begin = 0, threads_end = 0;
  std::vector<Constant> constants;
  std::vector<Variable> variables;
  std::vector<Block> blocks;
  std::vector<ExpectationBlock> expectations;

  // Throws an Error at a byte of the text.
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
};

}  // namespace headway::lang::idiom
