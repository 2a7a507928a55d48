// Expressions of the idiom language as terms. Values of that language have ranges and operations
// that may go wrong; terms have neither, so what could go wrong is told apart, as conditions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "consistency/program.hpp"
#include "lang/idiom/code.hpp"

namespace headway::consistency::idiom {

// The least and the greatest value that something may have.
struct Bounds {
  Number low = 0, high = 0;

  bool within(Number least, Number most) const { return low >= least && high <= most; }
};

struct BoundedTerm {
  Term term;
  Bounds bounds;
};

// What goes wrong where a condition holds.
struct Fault {
  Term condition;
  std::string text;  // "index out of bounds: flag has 2 elements"
};

class Terms {
 public:
  // Called for a load within an expression, `final { assert(load(x) == 1); }`; gives the register
  // that holds what was read. Throws headway::Error where there may be none.
  using Load = std::function<int(const lang::idiom::Node&)>;

  Terms(const lang::idiom::ThreadCode& thread, const lang::idiom::Code& code, Load load)
      : thread_(thread), code_(code), load_(std::move(load)) {}

  // The term of a node, and in `faults` what goes wrong when it is computed. Throws headway::Error
  // without a place for what is not read here.
  BoundedTerm of(int node, std::vector<Fault>& faults) { return of(node, {}, faults); }

 private:
  // `path` is the conditions under which the node is computed at all.
  BoundedTerm of(int node, const std::vector<Term>& path, std::vector<Fault>& faults);
  BoundedTerm unary(const lang::idiom::Node& node, BoundedTerm a) const;
  BoundedTerm binary(const lang::idiom::Node& node, const BoundedTerm& a,
                     const BoundedTerm& b) const;
  BoundedTerm element(const lang::idiom::Node& node, const BoundedTerm& index,
                      const std::vector<Term>& path, std::vector<Fault>& faults) const;

  const lang::idiom::ThreadCode& thread_;
  const lang::idiom::Code& code_;
  Load load_;
};

// That a value is outside of a range, where `value` may be.
Term outside(const Term& value, Number low, Number high);

}  // namespace headway::consistency::idiom
