// Small programs whose subgroups run in lockstep, as trees of statements, and what they do by the
// words of docs/reference/semantics.md: for tests only, and apart from the idiom language, which
// they can be written in. Points of reconvergence are found by the definition of post-dominators,
// and nothing is done to have equal behaviour in equal states.
#pragma once

#include <string>
#include <vector>

#include "oracle/oracle.hpp"

namespace headway::oracle::lockstep {

inline constexpr int kRegisters = 2;  // "r0" and "r1", of 0..3, which wrap
inline constexpr int kVariables = 2;  // "x0" and "x1", of 0..2, which wrap

struct Value {
  enum class Kind { number, reg, lane };
  Kind kind = Kind::number;
  int number = 0;  // or of the register
};

struct Statement {
  enum class Kind {
    set,        // register `target` = `value`
    load,       // register `target` = of `variable`
    store,      // `value` into `variable`
    exchange,   // both
    fetch_add,  // the same with `value` more
    choose,     // register `target` = 0 or 1
    await,      // until `variable` is `value`
    barrier,    // of the workgroup; of the grid if `grid`; counts who has ended if `or_ended`
    operation,  // register `target` = `name`(`value`), of the lane `other` where it asks one
    branch,     // if (condition) body else otherwise
    loop,       // while (condition) body
    do_loop,    // do body while (condition);
    break_,
    continue_,
    return_,
    assertion  // condition, without access
  };
  // Of a condition: `value` == `other`, or the loaded or exchanged `variable` == `other`.
  enum class Reads { nothing, load, exchange };
  Kind kind = Kind::set;
  int target = 0, variable = 0;
  Value value, other;
  Reads reads = Reads::nothing;
  bool grid = false, or_ended = false;
  std::string name;
  std::vector<Statement> body, otherwise;
};

struct Program {
  int workgroups = 1, subgroups = 1, lanes = 2;
  std::vector<Statement> body;  // of all threads
};

// In the idiom language.
std::string text_of(const Program& program);

// `program` must outlive it. The threads of its launch are the subgroups.
Behaviour behaviour_of(const Program& program);

}  // namespace headway::oracle::lockstep
