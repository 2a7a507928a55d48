// A family whose programs may mention N and ids: compiled once, with N and the id as registers
// that are never set. What depends on N is known as a number plus a multiple of N.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "every/family.hpp"
#include "every/linear.hpp"

namespace headway::every {

// constant + by_n * N
struct InN {
  std::int64_t constant = 0, by_n = 0;

  bool fixed() const { return by_n == 0; }
  Linear at(const Linear& n) const { return (by_n * n) + constant; }
};

struct ParametricRange {
  InN low, high;
  bool wraps = false;
};

struct ParametricVariable {
  std::string name;
  ParametricRange range;
  bool is_array = false;
  InN size;
  std::vector<InN> initial;  // one of all elements, or one each
};

// A program, of one thread or of all that a block is for.
struct ParametricProgram {
  lang::idiom::ThreadCode code;
  std::vector<ParametricRange> registers;  // of those with a name
  int n_register = 0, id_register = 0;
  const lang::idiom::Block* block = nullptr;
  // The id, where the program is that of a thread or of a class of threads; else it is a symbol.
  std::optional<int> id;
};

struct Parametric {
  lang::idiom::Syntax syntax;  // as it was read
  std::vector<ParametricVariable> variables;
  int smallest = 1;
};

// Throws headway::Error, with the place, for what is beyond sums and multiples of N, and for
// functions and variables of a workgroup.
Parametric read_parametric(const Family& family);

// The program of a block. With an id, what depends on it is a number.
ParametricProgram program_of(const Parametric& family, const lang::idiom::Block& block,
                             std::optional<int> id);

// constant + by_n * N for an expression; throws where it is none.
InN in_n(const lang::idiom::Syntax& syntax, const lang::idiom::Expression& e);

}  // namespace headway::every
