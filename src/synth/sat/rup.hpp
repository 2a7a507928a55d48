// A forward checker of clausal proofs: every lemma must follow from the clauses before it by unit
// propagation (reverse unit propagation, Goldberg and Novikov, DATE 2003). Small rather than fast;
// accepts less than DRAT, whose further rule the proofs checked here do not need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace headway::synth::sat {

class RupChecker {
 public:
  // Literals range over -variables .. variables, without 0.
  explicit RupChecker(int variables);

  void add_axiom(const std::vector<int>& clause);
  // False, and nothing added, if the lemma does not follow.
  bool add_lemma(const std::vector<int>& clause);
  // Forgets one copy of a clause. What it implied at the root stays, which is sound: it follows
  // from the axioms. A clause that is not there is none of our business.
  void remove(const std::vector<int>& clause);
  // Whether the axioms are contradictory, seen from what was added so far.
  bool refuted() const { return refuted_; }

 private:
  using Reference = std::uint32_t;  // of a clause in the arena: its size, then its literals
  struct Watch {
    Reference clause;
    int blocker;  // another literal of it: nothing to do while that is true
  };

  void add(std::vector<int> clause);
  bool propagate();  // false on conflict
  void assign(int literal);
  int value(int literal) const { return literal > 0 ? values_[literal] : -values_[-literal]; }
  static std::size_t slot(int literal) {
    return literal > 0 ? 2 * std::size_t(literal) : 2 * std::size_t(-literal) + 1;
  }

  std::vector<std::int8_t> values_;
  std::vector<std::vector<Watch>> watches_;  // of clauses that watch the literal
  std::vector<int> arena_;
  std::unordered_multimap<std::uint64_t, Reference> by_hash_;
  std::vector<int> trail_;
  std::size_t propagated_ = 0;
  bool refuted_ = false;
};

}  // namespace headway::synth::sat
