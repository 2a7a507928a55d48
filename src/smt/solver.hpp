// What a prover asks: can these terms all be true? Answers within a time limit; a limit that is
// reached is the answer `unknown`. Solvers are made by make_solver alone; each belongs to one
// thread at a time and to one Context, which must outlive it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "smt/term.hpp"

namespace headway::smt {

enum class Answer { sat, unsat, unknown };

// Values of leaves; others are 0. A term that has a value given is a leaf here.
class Model {
 public:
  void set(Term leaf, std::uint64_t value) { values_[leaf.id] = value; }
  const std::unordered_map<std::uint32_t, std::uint64_t>& values() const { return values_; }
  // Of any term. Applications of functions count as leaves.
  std::uint64_t value(const Context& context, Term t) const;
  bool holds(const Context& context, Term t) const { return value(context, t) != 0; }

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> values_;
  mutable std::unordered_map<std::uint32_t, std::uint64_t> known_;
};

class Solver {
 public:
  virtual ~Solver() = default;
  // Whether all of `terms` can be true at once, with variables in their ranges. After `sat` there
  // is a model. After `unknown` there may be one in which products and the like have values that
  // they cannot have.
  virtual Answer check(const std::vector<Term>& terms, std::chrono::milliseconds limit) = 0;
  virtual const Model& model() const = 0;
};

enum class Engine {
  z3,           // bit-vectors, its own choice of means
  z3_tactic,    // bit-vectors: simplify, solve equations, then search
  cvc5,         // integers, exactly; `unknown` where single bits matter
  cvc5_linear,  // integers, and of products no more than how they compare: proves, seldom refutes
};
// Null where headway was built without it, or its module is not there.
std::unique_ptr<Solver> make_solver(Context& context, Engine engine);
// Each in its file.
std::unique_ptr<Solver> make_z3(Context& context, bool tactic);
std::unique_ptr<Solver> make_cvc5(Context& context, bool linear);

// The facts of a question that are about what `goals` are about, directly or by way of other facts.
std::vector<Term> relevant(const Context& context, const std::vector<Term>& facts,
                           const std::vector<Term>& goals);

// One question as an SMT-LIB 2 file: bit-vectors and uninterpreted functions.
std::string smtlib(const Context& context, const std::vector<Term>& terms,
                   const std::string& comment);

}  // namespace headway::smt
