// Runs a program over symbols: what a step of lang::idiom::Machine does when registers, N and the
// id are sums of symbols (docs/internals/every-n.md, symbolic steps). Where facts do not decide a
// comparison a step has several outcomes, each with what it takes for granted. Its cost is
// exponential in the comparisons of a step that are not decided.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "every/parametric.hpp"

namespace headway::every {

// What symbols cannot say: a product of two of them, and the like; and where, if that is known.
struct Unsupported {
  std::string text;
  lang::SourceLine line;
};

struct SymbolicLocal {
  int at = 0;
  std::vector<Linear> registers;  // those that do not matter are 0
};

struct SymbolicOutcome {
  StepEnd end = StepEnd::goes_on;
  SymbolicLocal local;
  std::optional<Linear> written;
  Facts path;        // what it takes for granted
  std::string what;  // of one that fails
  int source = -1;
};

// The values of N and of the id, and what is known of the symbols.
struct SymbolicWorld {
  Linear n, id;
  Facts facts;
};

class SymbolicMachine {
 public:
  // Both must outlive the machine.
  SymbolicMachine(const std::vector<ParametricVariable>& variables,
                  const ParametricProgram& program)
      : variables_(variables), program_(program) {}

  // Where a thread stands before its first step.
  std::vector<SymbolicOutcome> start(const SymbolicWorld& world) const;
  // The variable of the next access, -1 where there is none, and the ways in which its index can
  // be within the array or not, each with what it takes for granted.
  int variable(const SymbolicLocal& local) const;
  lang::idiom::AccessKind access(const SymbolicLocal& local) const;
  struct Index {
    bool within = true;
    Linear value;
    Facts path;
  };
  std::vector<Index> index(const SymbolicLocal& local, const SymbolicWorld& world) const;
  // The step, where the cell of its access holds `old`.
  std::vector<SymbolicOutcome> step(const SymbolicLocal& local, const Linear& old,
                                    const SymbolicWorld& world) const;
  // Where statement `source` of the program stands.
  lang::SourceLine line(int source) const {
    return source < 0 ? lang::SourceLine() : program_.code.sources[source];
  }
  // That of the instruction where a thread stands; of the next one that has a line.
  lang::SourceLine line_at(int at) const;
  bool is_live(int at, int reg) const { return (program_.code.live[at] >> reg & 1) != 0; }
  int registers() const { return static_cast<int>(program_.code.registers.size()); }
  // Of a register with a name; nothing of one of the compiler's own.
  const ParametricRange* range(int reg) const {
    return reg < program_.n_register ? &program_.registers[reg] : nullptr;
  }

 private:
  class Path;

  const std::vector<ParametricVariable>& variables_;
  const ParametricProgram& program_;
};

}  // namespace headway::every
