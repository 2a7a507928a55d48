#include "verify/refuters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/error.hpp"

namespace headway::verify {

namespace {

Refuter parse_refuter(const std::string& text) {
  if (text == "sbase") return {Refuter::Kind::base, 0};
  if (text == "sstep") return {Refuter::Kind::step, 0};
  if (text == "dyn") return {Refuter::Kind::runs, 0};
  if (text.size() == 3 && text.starts_with("lu") && text[2] >= '1' && text[2] <= '9') {
    return {Refuter::Kind::rounds, text[2] - '0'};
  }
  throw Error(
      fmt::format("--schedule: '{}' is no engine; expected sbase, sstep, lu1 to lu9, dyn, and "
                  "houdini at the end",
                  text));
}

std::string name_of(const Refuter& refuter) {
  switch (refuter.kind) {
    case Refuter::Kind::base:
      return "sbase";
    case Refuter::Kind::step:
      return "sstep";
    case Refuter::Kind::rounds:
      return fmt::format("lu{}", refuter.rounds);
    default:
      return "dyn";
  }
}

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts(1);
  for (const char ch : text) {
    if (ch == between) {
      parts.emplace_back();
    } else {
      parts.back() += ch;
    }
  }
  return parts;
}

class Refutation {
 public:
  Refutation(smt::Context& context, Encoding& encoding, Prover& prover, Refuted* found)
      : c_(context),
        encoding_(encoding),
        all_(encoding.conditions),
        prover_(prover),
        found_(found) {}

  void at_items(Item::Kind kind) {
    for (std::size_t k = 0; k < all_.items.size(); ++k) {
      if (all_.items[k].kind != kind) continue;
      const bool base = kind == Item::Kind::base;
      drop(k, all_.items[k].index, [&](const Candidate& one) { return base ? one.base : one.step; },
           {});
    }
  }

  void in_first_rounds(int rounds) {
    for (std::size_t base = 0; base < all_.items.size(); ++base) {
      if (all_.items[base].kind == Item::Kind::base) unroll(base, rounds);
    }
  }

 private:
  // Until a question has no counterexample, or no answer.
  template <typename Claim>
  void drop(std::size_t item, std::size_t loop, const Claim& claim, const std::vector<Term>& more) {
    while (!prover_.over()) {
      std::vector<std::size_t> alive;
      std::vector<Term> claims;
      for (std::size_t k = 0; k < all_.candidates.size(); ++k) {
        const Candidate& one = all_.candidates[k];
        // What the author wrote is for Houdini to judge.
        if (!one.alive || one.user || one.loop != static_cast<int>(loop)) continue;
        alive.push_back(k);
        claims.push_back(claim(one));
      }
      std::vector<Term> facts = facts_before(c_, all_, item);
      facts.insert(facts.end(), more.begin(), more.end());
      if (prover_.refute(facts, c_.conjunction(claims)) != smt::Answer::sat) return;
      bool any = false;
      for (std::size_t k = 0; k < alive.size(); ++k) {
        if (prover_.model().holds(c_, claims[k])) continue;
        all_.candidates[alive[k]].alive = false;
        if (found_ != nullptr) found_->add(alive[k]);
        any = true;
      }
      if (!any) return;
    }
  }

  // The rounds of a loop from its entry on: the variables of its head are what the round before
  // left, all others that a round makes are its own. Of what is logged in a loop a thread has
  // chosen nothing in earlier rounds, and what was logged before the loop is behind it for those
  // that came to the loop: one of all choices.
  void unroll(std::size_t base, int rounds) {
    const std::size_t loop = all_.items[base].index;
    const LoopState& state = encoding_.loops[loop];
    std::size_t step = base;
    while (all_.items[step].kind != Item::Kind::step || all_.items[step].index != loop) ++step;
    smt::Substitution head = state.at_entry;
    for (const Site& site : state.sites) head[site.occurred.id] = c_.truth(false);
    std::vector<Term> facts;
    for (int round = 0; round < rounds && !prover_.over(); ++round) {
      smt::Substitution now = head;
      const auto here = [&](Term t) {
        for (const Term leaf : c_.leaves(t)) {
          const smt::Node& n = c_.node(leaf);
          if (n.kind != smt::Kind::variable || leaf.id < state.last_variable || leaf.id >= end_ ||
              now.contains(leaf.id)) {
            continue;
          }
          now[leaf.id] = c_.fresh("round", n.width);
        }
        return c_.substitute(t, now);
      };
      for (std::size_t k = base + 1; k < step; ++k) {
        const Item& item = all_.items[k];
        if (item.kind == Item::Kind::assume) facts.push_back(here(item.term));
        if (item.kind != Item::Kind::head || item.index == loop) continue;
        for (const Candidate& one : all_.candidates) {
          if (one.alive && one.loop == static_cast<int>(item.index)) {
            facts.push_back(here(one.head));
          }
        }
      }
      drop(
          base, loop, [&](const Candidate& one) { return here(one.step); }, facts);
      smt::Substitution next;
      for (const auto& [variable, entry] : state.at_entry) {
        const auto back = state.at_step.find(variable);
        next[variable] =
            back == state.at_step.end() ? c_.negation(state.present[0]) : here(back->second);
      }
      for (const Site& site : state.sites) next[site.occurred.id] = c_.truth(false);
      head = std::move(next);
    }
  }

  smt::Context& c_;
  Encoding& encoding_;
  Conditions& all_;
  Prover& prover_;
  Refuted* found_;
  std::size_t end_ = c_.size();  // terms from here on are of rounds
};

}  // namespace

Schedule parse_schedule(const std::string& text) {
  Schedule schedule;
  std::vector<std::string> stages = parts_of(text, ',');
  const std::vector<std::string> last = parts_of(stages.back(), '+');
  stages.pop_back();
  for (const std::string& stage : stages) schedule.before.push_back(parse_refuter(stage));
  bool proves = false;
  for (const std::string& engine : last) {
    if (engine == "houdini") {
      proves = true;
    } else {
      schedule.beside.push_back(parse_refuter(engine));
    }
  }
  if (!proves) throw Error("--schedule: expected houdini at the end, as in sbase,houdini+lu2");
  return schedule;
}

void refute_candidates(smt::Context& context, Encoding& encoding, Prover& prover,
                       const Refuter& refuter, Refuted* found) {
  Refutation refutation(context, encoding, prover, found);
  switch (refuter.kind) {
    case Refuter::Kind::base:
      refutation.at_items(Item::Kind::base);
      break;
    case Refuter::Kind::step:
      refutation.at_items(Item::Kind::step);
      break;
    case Refuter::Kind::rounds:
      refutation.in_first_rounds(refuter.rounds);
      break;
    case Refuter::Kind::runs:
      break;
  }
}

std::vector<Dropped> decide_candidates(Proposal& proposal, Prover& prover, const Options& options,
                                       const std::function<Proposal()>& propose, const Runs& runs,
                                       std::vector<EngineCount>& counts) {
  smt::Context& context = *proposal.context;
  Conditions& all = proposal.encoding.conditions;
  const auto refute = [&runs](const Options& own, Proposal& mine, Prover& by, const Refuter& one,
                              Refuted* found) {
    if (one.kind != Refuter::Kind::runs) {
      return refute_candidates(*mine.context, mine.encoding, by, one, found);
    }
    runs(own, mine, by.deadline(), [found](std::size_t candidate) {
      if (found != nullptr) found->add(candidate);
    });
  };
  const auto counted = [&](const std::string& engine, const auto& work) {
    const auto alive = [&all] {
      return std::count_if(all.candidates.begin(), all.candidates.end(),
                           [](const Candidate& one) { return one.alive; });
    };
    const auto before = alive();
    const auto start = Prover::Clock::now();
    work();
    counts.push_back({engine, static_cast<std::size_t>(before - alive()),
                      std::chrono::duration<double>(Prover::Clock::now() - start).count()});
  };
  for (const Refuter& one : options.schedule.before) {
    counted(name_of(one), [&] { refute(options, proposal, prover, one, nullptr); });
  }
  std::vector<Dropped> dropped;
  if (options.schedule.beside.empty()) {
    counted("houdini", [&] { dropped = houdini(context, all, prover); });
    return dropped;
  }
  Refuted refuted(all.candidates.size());
  for (std::size_t k = 0; k < all.candidates.size(); ++k) {
    if (!all.candidates[k].alive) refuted.add(k);
  }
  std::atomic<bool> done{false};
  Options own = options;
  own.dump.clear();
  own.stop = &done;
  std::vector<std::thread> threads;
  for (const Refuter& one : options.schedule.beside) {
    threads.emplace_back([&, one] {
      Proposal mine = propose();
      for (std::size_t k = 0; k < mine.encoding.conditions.candidates.size(); ++k) {
        if (refuted.has(k)) mine.encoding.conditions.candidates[k].alive = false;
      }
      Prover other(*mine.context, own, prover.deadline(), "");
      refute(own, mine, other, one, &refuted);
    });
  }
  counted("houdini", [&] { dropped = houdini(context, all, prover, &refuted); });
  done = true;
  for (std::thread& thread : threads) thread.join();
  return dropped;
}

}  // namespace headway::verify
