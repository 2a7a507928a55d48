// How two suites differ: as sets of programs, in what a name stands for, and in what they expect.
#pragma once

#include <optional>
#include <vector>

#include "suite/matrix.hpp"
#include "suite/suite.hpp"

namespace headway::suite {

// A verdict that is not the same for two tests.
struct Change {
  models::Reading reading;
  checker::Verdict a = checker::Verdict::unknown;
  checker::Verdict b = checker::Verdict::unknown;
};

struct Difference {
  enum class Kind {
    only_a,       // neither its program nor its name is in B
    only_b,       // neither its program nor its name is in A
    changed,      // its name is in both, for programs that are not in the other suite
    expectations  // the program is in both, and the suites expect opposite verdicts
  };
  Kind kind = Kind::only_a;
  std::optional<std::size_t> a;  // tests; absent in a suite that has none
  std::optional<std::size_t> b;
  std::vector<Change> verdicts;  // changed: the verdicts that differ
  // expectations: those that are opposite, "HSA:weak pass -> fail".
  std::vector<std::string> expectations;
};

struct SuiteDiff {
  std::vector<Difference> differences;  // of A's tests, in order, then those only in B
  std::size_t in_both = 0;              // programs of A that are in B
  std::size_t renamed = 0;              // those of them that no test in B has the name of
};

// The matrices are over the same models, and over the tests of the suites.
SuiteDiff diff(const Suite& a, const VerdictMatrix& matrix_a, const Suite& b,
               const VerdictMatrix& matrix_b);

}  // namespace headway::suite
