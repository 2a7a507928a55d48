// A question to isl about two threads, side 0 and side 1: variables for what symbols stand for in
// either of them, or in both where they share it, and clauses in isl's notation.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verify/affine/isl_sets.hpp"
#include "verify/affine/values.hpp"

namespace headway::verify::affine {

class Question {
 public:
  // `shared`: whether both threads have the same value of a symbol.
  Question(const Values& values, IslSets& sets, std::function<bool(int)> shared)
      : values_(values), sets_(sets), shared_(std::move(shared)) {}

  // A symbol of one side; a form over symbols as one over variables.
  int variable(int symbol, int side);
  int fresh(Range range);
  Form of(const Form& form, int side);

  // What holds on one side, with all that is known of its symbols.
  void require(const Formula& formula, int side);
  // All that is known of the symbols of a form.
  void know(const Form& form, int side) { add_facts(all_, form, side); }
  // Of forms over variables.
  void require_zero(const Form& form);
  void require_not_negative(const Form& form);
  void require_other(const std::vector<Form>& differences);  // not all of them are 0

  // Whether it follows that a form is not above `low` and below `high`.
  bool excludes(const Form& form, Wide low, Wide high);

 private:
  struct Clause {
    std::string text;
    std::set<int> variables;
  };
  // What holds together, and of which symbols all that is known is said there or around it.
  struct Scope {
    std::vector<Clause> clauses;
    std::set<std::pair<int, int>> known;
    const Scope* around = nullptr;
    bool knows(const std::pair<int, int>& one) const {
      return known.contains(one) || (around != nullptr && around->knows(one));
    }
  };
  void add(Scope& scope, const Formula& formula, int side);
  void add_facts(Scope& scope, const Form& form, int side);
  int variable_of(const Form::Product& product);
  // "2 v1 + -1 v2 + 3 < 0"
  Clause clause(const Form& form, const char* relation);
  static Clause any(const std::vector<std::vector<Clause>>& ways);
  Range range_of(const Form& form) const;
  void multiply(const std::set<int>& factors);
  bool is_empty(const std::vector<Clause>& more, bool of_others);
  bool excludes(const Form& form, Wide low, Wide high, std::vector<Clause> more, int depth);

  const Values& values_;
  IslSets& sets_;
  std::function<bool(int)> shared_;
  std::map<std::pair<int, int>, int> variables_;  // of a symbol and a side; side 2: of both
  std::map<Form::Product, int> products_;
  std::size_t said_ = 0;  // formulas
  std::vector<Range> ranges_;
  Scope all_;
  std::vector<Form> not_negative_;  // of all_
  std::optional<Clause> other_;
};

}  // namespace headway::verify::affine
