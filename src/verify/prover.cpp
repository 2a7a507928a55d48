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
  const auto is_open = [](const auto& size) { return !size.has_value(); };
  open_sizes_ = std::any_of(options.launch.block.begin(), options.launch.block.end(), is_open) ||
                std::any_of(options.launch.grid.begin(), options.launch.grid.end(), is_open);
  laws_first_ = open_sizes_;
  using smt::Engine;
  for (const Engine engine : {Engine::z3, Engine::cvc5, Engine::z3_tactic, Engine::cvc5_linear}) {
    if (auto solver = smt::make_solver(context, engine)) {
      solvers_.push_back({engine, std::move(solver)});
    }
  }
}

bool Prover::over() const {
  return Clock::now() >= deadline_ || (options_.stop != nullptr && options_.stop->load());
}

void Prover::go_on_until(Clock::time_point deadline) {
  deadline_ = deadline;
  std::erase_if(known_, [](const auto& one) { return one.second == Answer::unknown; });
}

void Prover::dump(const std::vector<Term>& question) {
  if (options_.dump.empty()) return;
  const std::string path = fmt::format("{}/{}-{}.smt2", options_.dump, label_, dumped_++);
  std::ofstream(path) << smt::smtlib(c_, question, label_);
}

// Division is easy over the integers, and hard bit by bit. Products and divisors that are not
// constant are hard for all: where sizes are open, first by what is known of any product.
std::vector<Prover::Member*> Prover::panel(const std::vector<Term>& question) {
  using smt::Engine, smt::Kind;
  bool divides = false, multiplies = false;
  std::vector<bool> seen(c_.size(), false);
  std::vector<Term> stack = question;
  while (!stack.empty() && !multiplies) {
    const Term t = stack.back();
    stack.pop_back();
    if (seen[t.id]) continue;
    seen[t.id] = true;
    const smt::Node& n = c_.node(t);
    const bool division = n.kind == Kind::urem || n.kind == Kind::udiv;
    divides = divides || division;
    multiplies = n.kind == Kind::product || (division && !c_.is_constant(n.args[1]));
    stack.insert(stack.end(), n.args.begin(), n.args.end());
  }
  std::vector<Member*> result;
  for (Member& one : solvers_) {
    if (one.engine != Engine::cvc5_linear || multiplies) result.push_back(&one);
  }
  const auto order = [&](const Member* one) {
    if (one->engine == Engine::cvc5_linear) return laws_first_ ? 0 : 4;
    if (one->engine == Engine::cvc5) return divides || multiplies ? 1 : 3;
    return one->engine == Engine::z3 ? 2 : 4;
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Member* a, const Member* b) { return order(a) < order(b); });
  return result;
}

Answer Prover::refute(const std::vector<Term>& facts, Term goal, bool guess) {
  guessed_ = false;
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
  std::set<smt::Engine> proofs;
  const std::vector<Member*> members = panel(question);
  // First everybody for a short time, then for a longer one, then for the whole of it. Where sizes
  // are open no answer is quick.
  for (const int share : {64, 8, 1}) {
    if (share == 64 && open_sizes_) continue;
    for (Member* const member : members) {
      if (over()) return Answer::unknown;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
      ++questions_;
      answer = member->solver->check(question, std::min(left, options_.query_limit / share));
      if (answer == Answer::sat) model_ = member->solver->model();
      if (guess && open_sizes_ && answer == Answer::unknown &&
          !member->solver->model().values().empty()) {
        model_ = member->solver->model();
        guessed_ = true;
        return answer;
      }
      if (answer == Answer::unsat && options_.cross_check) {
        // Both of cvc5 count as one; the same one twice does not count.
        proofs.insert(member->engine == smt::Engine::cvc5_linear ? smt::Engine::cvc5
                                                                 : member->engine);
        if (proofs.size() < 2) answer = Answer::unknown;
      }
      if (answer != Answer::unknown) break;
    }
    if (answer != Answer::unknown) break;
  }
  known_[question] = answer;
  return answer;
}

std::vector<Term> facts_before(const smt::Context& context, const Conditions& all, std::size_t item,
                               Invariants invariants) {
  std::vector<Term> facts;
  for (std::size_t k = 0; k < item; ++k) {
    const Item& i = all.items[k];
    if (i.kind == Item::Kind::assume) facts.push_back(i.term);
    if (i.kind != Item::Kind::head || invariants == Invariants::unknown) continue;
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

bool is_bitwise(const smt::Context& c, Term claim) {
  std::set<Term> seen{claim};
  std::vector<Term> stack{claim};
  while (!stack.empty()) {
    const smt::Node& n = c.node(stack.back());
    stack.pop_back();
    if (n.kind == smt::Kind::bit_and || n.kind == smt::Kind::shl || n.kind == smt::Kind::lshr) {
      return true;
    }
    for (const Term a : n.args) {
      if (seen.insert(a).second) stack.push_back(a);
    }
  }
  return false;
}

class Houdini {
 public:
  Houdini(smt::Context& context, Conditions& all, Prover& prover, const Refuted* refuted)
      : c_(context), all_(all), prover_(prover), refuted_(refuted) {}

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

  // Those that a guess speaks against, but for what the author wrote, and for claims about single
  // bits, of which guesses know nothing: these go if they do not hold by themselves. Whether any
  // fell.
  bool drop_guessed(const std::vector<Term>& facts, const std::vector<std::size_t>& alive,
                    const std::vector<Term>& claims) {
    std::vector<std::size_t> against;
    for (std::size_t k = 0; k < alive.size(); ++k) {
      if (!prover_.model().holds(c_, claims[k])) against.push_back(k);
    }
    bool any = false;
    for (const std::size_t k : against) {
      const bool ask = all_.candidates[alive[k]].user || is_bitwise(c_, claims[k]);
      if (ask && !prover_.over() && prover_.refute(facts, claims[k]) == Answer::unsat) continue;
      drop(alive[k], false);
      any = true;
    }
    return any;
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
        if (refuted_ != nullptr && refuted_->has(k)) {
          drop(k, true);
          any = true;
          continue;
        }
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
      const Answer answer = prover_.refute(facts, c_.conjunction(claims), true);
      if (answer == Answer::unsat) return any;
      any = true;
      if (prover_.guessed() && drop_guessed(facts, alive, claims)) continue;
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
  const Refuted* refuted_;
  std::vector<Dropped> dropped_;
};

}  // namespace

std::vector<Dropped> houdini(smt::Context& context, Conditions& all, Prover& prover,
                             const Refuted* refuted) {
  return Houdini(context, all, prover, refuted).run();
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
