// The formula whose models are the canonical programs of a shape that are not rejected yet: what
// its variables mean, the clauses that are there from the start, and boxes as clauses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "synth/sat/box_lts.hpp"
#include "synth/space/engine.hpp"

namespace headway::synth::sat {

// Literals as in DIMACS.
using Clause = std::vector<int>;

// "The instruction at `position` is one of `choices`." Its variable is equivalent to that.
struct Term {
  int position = 0;
  ChoiceSet choices;
  std::string name;  // as in "location=1 exchange=0"
  int variable = 0;
};

// Why a clause holds of every canonical litmus test.
enum class Ground {
  choice,     // whatever the choice at `position`
  numbering,  // or the locations would not be numbered by first use at `position`
  influence,  // or `position` would violate constraint 5
  reason,     // or the program would be in a box that `reason` refutes
};

struct Premise {
  Clause clause;
  Ground ground = Ground::choice;
  int position = 0;
  Reason reason;
};

class Encoding {
 public:
  Encoding(const Space& space, const Requirements& requirements);

  int variables() const { return variables_; }
  // "The instruction at `position` is `choice`."
  int variable(int position, int choice) const { return first_variable_[position] + choice; }
  const std::vector<Term>& terms() const { return terms_; }
  const std::vector<Premise>& premises() const { return premises_; }

  // "The program is not in the box", in few literals.
  Clause excluding(const Box& box) const;
  // The same for the box that holds one program.
  Clause excluding(std::span<const std::uint16_t> program) const;

 private:
  struct Disjunct {
    int position;
    ChoiceSet choices;
  };
  void add_terms(int position);
  void add_term(int position, ChoiceSet choices, std::string name);
  // Adds "one of these" to the clause of `premise`, for sets that are terms or trivial.
  void add_premise(Premise premise, const std::vector<Disjunct>& disjuncts);
  void add_choice_clause(int position, Clause clause);
  template <typename Predicate>
  Disjunct those(int position, Predicate predicate) const;
  void one_choice_each();
  void canonical_locations();
  void influence_between_threads();
  void reachable_values(const Requirements& requirements);

  const Space& space_;
  int variables_ = 0;
  std::vector<int> first_variable_;
  std::vector<Term> terms_;
  std::vector<std::vector<int>> terms_at_;  // by position, larger sets first
  std::vector<Premise> premises_;
};

}  // namespace headway::synth::sat
