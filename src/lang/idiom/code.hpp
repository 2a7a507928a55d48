// A program of the idiom language for one N, compiled: every thread a flat list of instructions
// over registers. All names and everything that depends on N and ids are gone. Plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "lang/idiom/syntax.hpp"
#include "lang/subgroup_reading.hpp"

namespace headway::lang::idiom {

// Part of an expression without accesses of its own; operands are nodes in front of it.
struct Node {
  enum class Kind : std::uint8_t {
    number,
    reg,
    unary,
    binary,
    conditional,
    load,     // of variable `number`, of an array the element `a`; only where all is one access
    element,  // `a` of the array of `count` registers that begins with `number`
    bounded   // `a`, an index of `count`
  };
  Kind kind = Kind::number;
  Operator op = Operator::add;
  int a = -1, b = -1, c = -1;
  std::int64_t number = 0;  // or of the register
  int count = 0;
  Strength strength = {};  // of a load

  friend bool operator==(const Node&, const Node&) = default;
};

// A thread's registers; behind `visible` are those of functions, and the compiler's own, which have
// no name and hold what an access read until the rest of its expression is computed.
struct RegisterRange {
  std::string name;
  int low = 0, high = 0;
  bool wraps = false;
};

struct Instruction {
  enum class Kind : std::uint8_t {
    assign,      // register `target` = node `value`; with an `index` of the `count` registers there
    branch,      // goes on at `target` when node `value` is 0
    jump,        // goes on at `target`
    assertion,   // of node `value`
    assumption,  // the same, and where it does not hold the execution is over
    access,      // one shared access; what was read goes into register `target`, if that is not -1
    head,        // a place that computation may come back to: a loop or a label
    end,         // the last instruction, and no other
    await,       // goes on when node `value` holds
    arrive,      // at barrier `barrier`; the next two instructions are a wait and a pass
    wait,        // for the others of the group; the last one of them puts the thread behind it
    pass,        // the barrier
    choice,      // register `target` = one of `count` numbers from `low` on
    meet,    // at operation `operation`, with node `value` in register `target`, and node `second`
             // in register `from`; of independent threads a gather and a receive come next
    gather,  // waits for the others; the last one puts the result into `target`
    receive  // goes on with it
  };
  Kind kind = Kind::end;
  AccessKind access = AccessKind::load;
  int value = -1;   // of an access the first operand
  int second = -1;  // and the second
  int index = -1;   // node; -1 where the variable is no array
  int variable = 0;
  int barrier = -1;
  int operation = -1;
  int from = -1;
  int target = -1;
  int source = -1;  // in Thread::sources
  int low = 0, count = 0;
  bool fair = false;  // of what the environment chooses
  // Of an access, and of a fence: a jump to the next instruction, which machines that are
  // sequentially consistent pass by.
  Strength strength;
  bool is_fence = false;
  bool fixed = false;  // of a branch: whether its condition is a constant of the text
};

// A loop as it is written: the instructions from `head` on to `end`. A round ends with those from
// `next` on.
struct LoopRange {
  int head = 0, next = 0, end = 0;
};

struct ThreadCode {
  int workgroup = 0;
  std::vector<RegisterRange> registers;
  int visible = 0;
  std::vector<Node> nodes;
  std::vector<Instruction> instructions;
  std::vector<SourceLine> sources;
  std::vector<LoopRange> loops;  // from the outside in
  // By instruction, the registers whose values matter in front of it.
  std::vector<std::uint32_t> live;
};

struct SharedVariable {
  std::string name;
  int low = 0, high = 0;
  bool is_array = false;
  bool wraps = false;
  bool per_workgroup = false;
  int columns = 0;    // of an array of two dimensions
  int size = 1;       // elements
  int instances = 1;  // that many times: one a workgroup
  int first_cell = 0;
};

struct Code {
  Topology topology = 0;
  bool lockstep = false;
  std::optional<SubgroupReading> reading;  // where somebody has asked for one
  std::vector<Barrier> barriers;
  std::vector<SubgroupOperation> operations;
  std::vector<SharedVariable> variables;
  std::vector<int> initial;      // by cell
  std::vector<int> variable_of;  // by cell
  std::vector<ThreadCode> threads;
  ThreadCode final;    // assertions, and nothing where there are none
  std::string source;  // the text, with this N in it
  bool sized = false;  // whether the text says what N is, as that of a family does
  int n = 0;

  bool waits() const;    // whether threads can be blocked
  bool awaits() const;   // at an await
  bool chooses() const;  // whether threads can have several transitions
  bool chooses_fairly() const;
  bool assumes() const;
  int accesses() const;  // that stand in the program
  // "x" or "flag[2]"
  std::string cell_name(int cell) const;
};

// The program of `syntax` for an N of 1 .. kMaxThreads, which without a launch is the number of
// threads. Throws headway::Error for what is wrong with this N.
Code compile(const Syntax& syntax, int n);

// The N of a syntax that does not say it: the threads of its launch, else one more than the highest
// id that a block names.
int thread_count(const Syntax& syntax);

// What is expected for an N. Throws for two expectations about the same thing.
struct Expected {
  std::vector<Expectation> expectations;
  bool error = false;
};
Expected expected(const Syntax& syntax, int n);

// Some bytes that are equal exactly for programs with the same instructions, whatever the names.
std::string code_key(const Code& code);

}  // namespace headway::lang::idiom
