#include "verify/cone.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace headway::verify {

namespace {

class Cone {
 public:
  Cone(const smt::Context& context, const Encoding& encoding)
      : c_(context), encoding_(encoding), reached_(context.size(), false) {
    for (const LoopState& loop : encoding.loops) {
      if (loop.unrolled) continue;
      first_variable_ = std::min(first_variable_, loop.first_variable);
      for (const Carried& one : loop.carried) {
        for (const Term own : one.own) carried_[own.id].push_back(&one);
      }
    }
  }

  void add(Term t) {
    for (const Term leaf : leaves(t)) {
      if (reached_[leaf.id]) continue;
      reached_[leaf.id] = true;
      open_.push_back(leaf);
    }
  }

  void add(const Carried& one) {
    for (int t = 0; t < 2; ++t) {
      add(one.own[t]);
      add(one.entry[t]);
      add(one.back[t]);
    }
  }

  // Who goes through a round.
  void add_control(const LoopState& loop) {
    for (int t = 0; t < 2; ++t) {
      for (const Term control : {loop.present[t], loop.active[t], loop.back[t]}) add(control);
    }
    for (const auto& condition : loop.exit_conditions) {
      for (const Term of_thread : condition) add(of_thread);
    }
  }

  void close() {
    for (bool grown = true; grown;) {
      grown = false;
      while (!open_.empty()) {
        const Term leaf = open_.back();
        open_.pop_back();
        const auto at = carried_.find(leaf.id);
        if (at == carried_.end()) continue;
        for (const Carried* one : at->second) add(*one);
      }
      for (const Item& item : encoding_.conditions.items) {
        if (item.kind != Item::Kind::assume || holds(item.term)) continue;
        if (!speaks_of_reached(item.term)) continue;
        add(item.term);
        grown = true;
      }
    }
  }

  // Whether all variables are in the cone: those of the launch always are.
  bool holds(Term t) {
    return std::ranges::all_of(
        leaves(t), [&](Term leaf) { return leaf.id < first_variable_ || reached_[leaf.id]; });
  }

 private:
  const std::vector<Term>& leaves(Term t) {
    const auto [at, added] = leaves_.try_emplace(t.id);
    if (added) at->second = c_.leaves(t);
    return at->second;
  }

  bool speaks_of_reached(Term t) {
    return std::ranges::any_of(
        leaves(t), [&](Term leaf) { return leaf.id >= first_variable_ && reached_[leaf.id]; });
  }

  const smt::Context& c_;
  const Encoding& encoding_;
  std::map<std::uint32_t, std::vector<Term>> leaves_;
  std::vector<bool> reached_;  // by a leaf's number
  std::vector<Term> open_;
  std::map<std::uint32_t, std::vector<const Carried*>> carried_;
  std::size_t first_variable_ = SIZE_MAX;  // of a loop that is cut
};

}  // namespace

std::vector<std::size_t> outside_cone(const smt::Context& context, const Rankings& ends,
                                      bool without_races, const Encoding& encoding) {
  const Conditions& all = encoding.conditions;
  // What threads read by claims is known of memory, not of variables.
  if (encoding.views) return {};
  Cone cone(context, encoding);
  for (const Check& check : all.checks) {
    if (!without_races || check.property != Property::race) cone.add(check.claim);
  }
  for (const Supposition& one : encoding.suppositions) {
    cone.add(one.holds);
    cone.add(one.here);
  }
  for (const Candidate& one : all.candidates) {
    if (!one.user && (without_races || !one.of_log)) continue;
    cone.add(one.head);
    cone.add(one.step);
  }
  for (std::size_t k = 0; k < encoding.loops.size(); ++k) {
    const LoopState& loop = encoding.loops[k];
    if (loop.unrolled) continue;
    cone.add_control(loop);
    if (ends.shown.contains(k)) continue;
    for (const Carried& one : loop.carried) cone.add(one);
  }
  cone.close();
  std::vector<std::size_t> outside;
  for (std::size_t k = 0; k < all.candidates.size(); ++k) {
    const Candidate& one = all.candidates[k];
    const bool counts_as_settled = without_races && one.of_log && !one.user;
    if (counts_as_settled || !cone.holds(one.head)) outside.push_back(k);
  }
  return outside;
}

}  // namespace headway::verify
