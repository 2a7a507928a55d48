// Programs of the idiom language (docs/reference/idiom-language.md) as they are written: a syntax
// tree with all names resolved. It stands for a family, a program for every number of threads N;
// what depends on N is an expression here and is evaluated by the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/idiom/vocabulary.hpp"
#include "lang/subgroup_reading.hpp"
#include "lang/test.hpp"

namespace headway::lang::idiom {

struct Expression {
  enum class Kind : std::uint8_t {
    number,        // `number`
    reg,           // `index` is a register of the thread block; operands: as of an access
    constant,      // `index` is a named constant of the file
    thread_count,  // N
    thread_id,     // tid
    id,            // `id` of the thread
    size,          // `size` of the launch
    unary,
    binary,       // `op` with one, two operands
    conditional,  // three operands
    access,       // `access` to variable `index`; operands: those of the access, and in front of
                  // them if `indexed` the index of an array's element, if `has_column` that
                  // in its row, too
    choice,       // a number from the first operand to the second, both constant
    call,         // function `index` of the operands
    subgroup,     // operation `index` of the file on the operands
    row,          // in the initial value of an array, the first index of the element
    column        // and the second
  };
  Kind kind = Kind::number;
  Operator op = Operator::add;
  AccessKind access = AccessKind::load;
  Id id = Id::gid;
  Size size = Size::workgroups;
  bool indexed = false, has_column = false;
  bool fair = false;  // of what the environment chooses in an access or a choice
  Strength strength;  // of an access
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
  bool wraps = false;  // what is put into it is taken modulo its size
};

struct Constant {
  std::string name;
  Expression value;
};

struct Variable {
  std::string name;
  Range range;
  std::optional<Expression> size;     // of an array
  std::optional<Expression> columns;  // of one of two dimensions
  std::vector<Expression> initial;    // none: 0; one: of all elements; listed: one an element
  bool listed = false;
  bool per_workgroup = false;  // whether each workgroup has its own
  std::size_t offset = 0;
};

struct Register {
  std::string name;
  Range range;
  std::optional<Expression> size, columns;  // of an array, as of a variable
  std::size_t offset = 0;
};

struct Statement {
  enum class Kind : std::uint8_t {
    assign,     // register `index`, its element at `indices`, = `expression`
    fill,       // all elements of register `index` = `values`, one for all or one each
    evaluate,   // `expression`, an access, for its effect
    assertion,  // `expression`
    assumption,
    branch,   // if (`expression`) body else otherwise
    loop,     // while (`expression`) body; with `otherwise` as the third part of a for
    do_loop,  // do body while (`expression`)
    block,    // body
    break_,
    continue_,
    return_,  // `expression`, of a function that has a value
    label,
    jump,     // `index` is a label of the thread block
    await,    // until `expression` holds, whose loads are one access together
    barrier,  // `index` is a barrier of the file
    fence,    // of `strength`
    switch_,  // switch (`expression`) body
    case_,    // `expression`, which is constant
    default_
  };
  Kind kind = Kind::block;
  int index = 0;
  std::optional<Expression> expression;  // none in a loop: for ever
  std::vector<Expression> indices, values;
  std::vector<Statement> body, otherwise;
  // A declaration without a value: where 0 does not fit, the file is wrong.
  bool sets_default = false;
  bool listed = false;  // whether `values` has one for each element
  Strength strength;
  SourceLine source;  // its own text, of a loop or an if its head
  std::size_t offset = 0;
};

// "E workgroups of E threads, subgroups of E;"
struct Launch {
  Expression workgroups, threads;
  std::optional<Expression> subgroup;  // without it a workgroup is one subgroup
  std::size_t constants = 0;           // so many are declared in front of it
  std::size_t offset = 0;
};

// Statements with one name are one barrier; each without a name is one of its own.
struct Barrier {
  std::string name;
  Scope scope = Scope::workgroup;
  bool counts_ended = false;  // whether threads that have ended count as waiting
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

struct Function {
  std::string name;
  std::optional<Range> range;  // of its value; none where it has none
  std::size_t parameters = 0;  // the first registers of the block
  Block block;
};

// What is expected when `condition` holds; without one, always.
struct ExpectationBlock {
  std::optional<Expression> condition;
  std::vector<Expectation> expectations;
  bool error = false;  // that the program goes wrong
  std::size_t offset = 0;
};

// Where the text says how strong an access or a fence is, or may say so.
struct StrengthPlace {
  std::optional<AccessKind> access;  // none: a fence
  Strength written;
  // In bytes of the text: of the whole access or statement, and of ", acquire" and ", workgroup",
  // which are empty where nothing is written.
  std::size_t begin = 0, end = 0;
  std::size_t order_begin = 0, order_end = 0, scope_begin = 0, scope_end = 0;
};

// What a file declares, and the file.
struct Syntax {
  std::string text;
  std::string file;
  std::string name;
  std::vector<std::string> comment;
  // What N is, "N = 2..4, 8;", in the order of the text, and where the numbers stand; none when the
  // launch or the blocks say how many threads there are.
  std::vector<int> sizes;
  std::size_t sizes_begin = 0, sizes_end = 0;
  // Without one there are N workgroups of one thread.
  std::optional<Launch> launch;
  bool lockstep = false;  // whether the threads of a subgroup run in lockstep
  // How they run, where somebody has asked for that and not for what is written.
  std::optional<SubgroupReading> reading;
  std::vector<Constant> constants;
  std::vector<Variable> variables;
  std::vector<Barrier> barriers;
  std::vector<SubgroupOperation> operations;  // as they are written: threads meet at one of them
  std::vector<Function> functions;            // each calls only those in front of it
  std::vector<StrengthPlace> strengths;       // in the order of the text
  std::vector<Block> blocks;
  std::optional<Block> final;  // assertions about memory when all threads have ended
  std::vector<ExpectationBlock> expectations;
  std::vector<Error> warnings;

  // Throws an Error at a byte of the text.
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
};

}  // namespace headway::lang::idiom
