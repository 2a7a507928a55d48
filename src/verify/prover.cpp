#include "verify/prover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>

namespace headway::verify {

using smt::Answer;

Prover::Prover(smt::Context& context, const Options& options, Clock::time_point deadline,
               std::string label)
    : c_(context), options_(options), deadline_(deadline), label_(std::move(label)) {
  for (const smt::Engine engine : {smt::Engine::z3, smt::Engine::cvc5, smt::Engine::z3_tactic}) {
    if (auto solver = smt::make_solver(context, engine)) solvers_.push_back(std::move(solver));
  }
}

bool Prover::over() const {
  return Clock::now() >= deadline_ || (options_.stop != nullptr && options_.stop->load());
}

void Prover::dump(const std::vector<Term>& question) {
  if (options_.dump.empty()) return;
  const std::string path = fmt::format("{}/{}-{}.smt2", options_.dump, label_, dumped_++);
  std::ofstream(path) << smt::smtlib(c_, question, label_);
}

bool Prover::divides(const std::vector<Term>& question) const {
  std::vector<bool> seen(c_.size(), false);
  std::vector<Term> stack = question;
  while (!stack.empty()) {
    const Term t = stack.back();
    stack.pop_back();
    if (seen[t.id]) continue;
    seen[t.id] = true;
    const smt::Node& n = c_.node(t);
    if (n.kind == smt::Kind::urem || n.kind == smt::Kind::udiv || n.kind == smt::Kind::product) {
      return true;
    }
    stack.insert(stack.end(), n.args.begin(), n.args.end());
  }
  return false;
}

Answer Prover::refute(const std::vector<Term>& facts, Term goal) {
  if (c_.is_true(goal)) return Answer::unsat;
  std::vector<Term> question = smt::relevant(c_, facts, {goal});
  question.push_back(c_.negation(goal));
  std::sort(question.begin(), question.end());
  question.erase(std::unique(question.begin(), question.end()), question.end());
  if (const auto at = known_.find(question); at != known_.end() && at->second != Answer::sat) {
    return at->second;
  }
  dump(question);
  Answer answer = Answer::unknown;
  const std::size_t count = solvers_.size();
  int proofs = 0;
  // Division is easy over the integers, and hard bit by bit. First everybody for a short time, then
  // for the whole of it.
  const std::size_t first = divides(question) ? 1 : 0;
  for (const auto share : {8, 1}) {
    for (std::size_t turn = 0; turn < count && answer == Answer::unknown; ++turn) {
      const std::size_t s = (first + turn) % count;
      if (over()) return Answer::unknown;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
      ++questions_;
      const Answer one = solvers_[s]->check(question, std::min(left, options_.query_limit / share));
      if (one == Answer::sat) model_ = solvers_[s]->model();
      if (one == Answer::unsat && options_.cross_check && ++proofs < 2 && turn + 1 < count)
        continue;
      answer = one;
    }
    if (answer != Answer::unknown) break;
  }
  if (answer == Answer::unsat && options_.cross_check && proofs < 2) answer = Answer::unknown;
  known_[question] = answer;
  return answer;
}

std::vector<Term> facts_before(const smt::Context& context, const Conditions& all,
                               std::size_t item) {
  std::vector<Term> facts;
  for (std::size_t k = 0; k < item; ++k) {
    const Item& i = all.items[k];
    if (i.kind == Item::Kind::assume) facts.push_back(i.term);
    if (i.kind != Item::Kind::head) continue;
    for (const Candidate& candidate : all.candidates) {
      if (candidate.alive && candidate.loop == static_cast<int>(i.index) &&
          !context.is_true(candidate.head)) {
        facts.push_back(candidate.head);
      }
    }
  }
  return facts;
}

namespace {

class Houdini {
 public:
  Houdini(smt::Context& context, Conditions& all, Prover& prover)
      : c_(context), all_(all), prover_(prover) {}

  std::vector<Dropped> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < all_.items.size(); ++k) {
        const Item& item = all_.items[k];
        if (item.kind != Item::Kind::base && item.kind != Item::Kind::step) continue;
        changed = settle(k) || changed;
      }
    }
    return std::move(dropped_);
  }

 private:
  Term claim(std::size_t candidate, bool base) const {
    return base ? all_.candidates[candidate].base : all_.candidates[candidate].step;
  }

  void drop(std::size_t candidate, bool refuted) {
    all_.candidates[candidate].alive = false;
    if (all_.candidates[candidate].user) dropped_.push_back({candidate, refuted});
  }

  // Until what is alive holds at an item. Whether something was dropped.
  bool settle(std::size_t item) {
    const bool base = all_.items[item].kind == Item::Kind::base;
    bool any = false;
    for (;;) {
      std::vector<std::size_t> alive;
      std::vector<Term> claims;
      for (std::size_t k = 0; k < all_.candidates.size(); ++k) {
        const Candidate& one = all_.candidates[k];
        if (!one.alive || one.loop != static_cast<int>(all_.items[item].index)) continue;
        const Term t = claim(k, base);
        if (c_.is_true(t)) continue;
        if (c_.is_false(t)) {
          drop(k, true);
          any = true;
          continue;
        }
        alive.push_back(k);
        claims.push_back(t);
      }
      if (alive.empty()) return any;
      if (prover_.over()) {
        for (const std::size_t k : alive) drop(k, false);
        return true;
      }
      const std::vector<Term> facts = facts_before(c_, all_, item);
      const Answer answer = prover_.refute(facts, c_.conjunction(claims));
      if (answer == Answer::unsat) return any;
      any = true;
      if (answer == Answer::sat) {
        bool fell = false;
        for (std::size_t k = 0; k < alive.size(); ++k) {
          if (prover_.model().holds(c_, claims[k])) continue;
          drop(alive[k], true);
          fell = true;
        }
        if (fell) continue;
      }
      // No time, or a model that says nothing: the hardest ones go, if there are others.
      int low = all_.candidates[alive[0]].weight, high = low;
      for (const std::size_t k : alive) {
        low = std::min(low, all_.candidates[k].weight);
        high = std::max(high, all_.candidates[k].weight);
      }
      if (high > low) {
        std::vector<std::size_t> hard, kept;
        for (std::size_t k = 0; k < alive.size(); ++k) {
          if (all_.candidates[alive[k]].weight == high) hard.push_back(k);
        }
        // Those that hold by themselves may stay.
        for (const std::size_t k : hard) {
          if (hard.size() > 6 || prover_.over() ||
              prover_.refute(facts, claims[k]) != Answer::unsat) {
            drop(alive[k], false);
          }
        }
        bool left = false;
        for (const std::size_t k : hard) left = left || all_.candidates[alive[k]].alive;
        if (!left) continue;
        for (const std::size_t k : hard) all_.candidates[alive[k]].weight = low;
        continue;
      }
      bool all_hold = true;
      for (std::size_t k = 0; k < alive.size(); ++k) {
        const Answer one = prover_.over() ? Answer::unknown : prover_.refute(facts, claims[k]);
        if (one == Answer::unsat) continue;
        drop(alive[k], one == Answer::sat);
        all_hold = false;
      }
      if (all_hold) return any;
    }
  }

  smt::Context& c_;
  Conditions& all_;
  Prover& prover_;
  std::vector<Dropped> dropped_;
};

}  // namespace

std::vector<Dropped> houdini(smt::Context& context, Conditions& all, Prover& prover) {
  return Houdini(context, all, prover).run();
}

std::vector<Outcome> failed_checks(smt::Context& context, const Conditions& all, Prover& prover,
                                   std::size_t most, const std::set<Property>& settled) {
  std::vector<Outcome> failed;
  std::map<Property, std::size_t> count;
  for (const Property property : settled) count[property] = most;
  const std::function<void(std::size_t, std::vector<std::size_t>)> settle =
      [&](std::size_t item, std::vector<std::size_t> checks) {
        const std::vector<Term> facts = facts_before(context, all, item);
        while (!checks.empty()) {
          std::vector<Term> claims;
          claims.reserve(checks.size());
          for (const std::size_t k : checks) claims.push_back(all.checks[k].claim);
          const Answer answer = prover.refute(facts, context.conjunction(claims));
          if (answer == Answer::unsat) return;
          if (answer == Answer::unknown) {
            if (checks.size() == 1 || prover.over()) {
              for (const std::size_t k : checks) {
                if (count[all.checks[k].property]++ < most) failed.push_back({k, answer, {}});
              }
              return;
            }
            const auto middle = checks.begin() + static_cast<std::ptrdiff_t>(checks.size() / 2);
            settle(item, {checks.begin(), middle});
            settle(item, {middle, checks.end()});
            return;
          }
          std::vector<std::size_t> left;
          for (const std::size_t k : checks) {
            if (prover.model().holds(context, all.checks[k].claim)) {
              left.push_back(k);
            } else if (count[all.checks[k].property]++ < most) {
              failed.push_back({k, answer, prover.model()});
            }
          }
          if (left.size() == checks.size()) {  // the model says nothing
            failed.push_back({checks.front(), Answer::unknown, {}});
            left.erase(left.begin());
          }
          checks.clear();
          for (const std::size_t k : left) {
            if (count[all.checks[k].property] < most) checks.push_back(k);
          }
        }
      };
  std::vector<std::size_t> group;
  std::size_t at = 0;
  const auto flush = [&] {
    if (!group.empty()) settle(at, std::move(group));
    group.clear();
  };
  for (std::size_t k = 0; k < all.items.size(); ++k) {
    const Item& item = all.items[k];
    if (item.kind == Item::Kind::check) {
      if (!group.empty() && (all.checks[group[0]].property != all.checks[item.index].property ||
                             group.size() >= 64)) {
        flush();
      }
      if (group.empty()) at = k;
      if (count[all.checks[item.index].property] < most) group.push_back(item.index);
    } else if (item.kind != Item::Kind::base && item.kind != Item::Kind::step) {
      flush();
    }
  }
  flush();
  return failed;
}

}  // namespace headway::verify
