#include "every/check_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "every/objection.hpp"

namespace headway::every {
namespace {

using lang::idiom::Code;
using lang::idiom::ThreadState;
using Claim = Certificate::Claim;
using Newcomer = Certificate::Newcomer;

// An execution of so many threads, and what models promise there.
class Run {
 public:
  Run(const Family& family, int n)
      : code_(lang::idiom::compile(family.syntax, n)),
        started_(n),
        ended_(n),
        memory_(code_.initial) {
    for (int t = 0; t < n; ++t) locals_.push_back(start_of(code_, t));
  }

  StepEnd step(int thread) {
    require(thread >= 0 && thread < threads() && !ended_[thread], "thread {} cannot step", thread);
    started_[thread] = true;
    const StepEnd end = take_step(code_, thread, locals_[thread], memory_);
    ended_[thread] = end == StepEnd::ends;
    return end;
  }

  bool promised(Promise promise, int thread) const {
    if (ended_[thread]) return false;
    const bool first =
        std::all_of(ended_.begin(), ended_.begin() + thread, [](bool e) { return e; });
    const auto above = started_.begin() + thread;
    switch (promise) {
      case Promise::unfair:
        return false;
      case Promise::hsa:
        return first;
      case Promise::obe:
        return started_[thread];
      case Promise::hsa_obe:
        return started_[thread] || first;
      case Promise::lobe:
        return std::find(above, started_.end(), true) != started_.end();
      case Promise::fair:
        break;
    }
    return true;
  }

  int threads() const { return static_cast<int>(locals_.size()); }
  // What tells states apart.
  std::vector<int> state() const {
    std::vector<int> state = memory_;
    for (const ThreadState& local : locals_) {
      state.push_back(local.at);
      state.insert(state.end(), local.registers.begin(), local.registers.end());
    }
    state.insert(state.end(), started_.begin(), started_.end());
    state.insert(state.end(), ended_.begin(), ended_.end());
    return state;
  }
  // Whether a thread that has not started, run alone, comes to its end and leaves memory as it is.
  bool comes_and_goes(int thread) const {
    Run run = *this;
    std::set<std::vector<int>> seen;
    while (!run.ended_[thread] && seen.insert(run.state()).second) {
      if (run.step(thread) == StepEnd::fails) return false;
    }
    return run.ended_[thread] && run.memory_ == memory_;
  }

 private:
  Code code_;
  std::vector<bool> started_, ended_;
  std::vector<int> memory_;
  std::vector<ThreadState> locals_;
};

void check_newcomer(const Certificate& c, const Family& family) {
  if (c.newcomer == Newcomer::none) return;
  const Promise promise = c.reading.promise;
  const bool error = c.claim == Claim::error;
  if (c.newcomer == Newcomer::idle && !error && !family.has_top()) {
    require(promise != Promise::fair, "a newcomer that does not start is promised something");
    if (!family.grows) check_same_run_of_more(c, family);
    return;
  }
  require(family.uniform.has_value(), "the family is not uniform");
  const Uniform& uniform = *family.uniform;
  if (c.newcomer == Newcomer::idle) {
    // The top specials move up. Who looks at ids sees nothing of it while none of them has started.
    const int below = c.n - uniform.top;
    const auto is_below = [&](int thread) { return thread < below; };
    const bool unseen = std::all_of(c.stem.begin(), c.stem.end(), is_below) &&
                        std::all_of(c.cycle.begin(), c.cycle.end(), is_below);
    require(error || promise == Promise::unfair || promise == Promise::obe ||
                (unseen && promise != Promise::fair),
            "ids move, and the model looks at them");
    return;
  }
  require(!error && promise != Promise::lobe, "a newcomer that has started makes promises");
  const Run run(family, uniform.specials() + uniform.classes);
  for (int kind = uniform.specials(); kind < uniform.kinds(); ++kind) {
    require(run.comes_and_goes(uniform.thread_of[kind]), "{} changes memory", uniform.name(kind));
  }
}

void check_run(const Certificate& c, const Family& family) {
  require(c.n >= family.smallest && c.n <= kMaxThreads, "there are not {} threads", c.n);
  check_newcomer(c, family);
  Run run(family, c.n);
  for (std::size_t i = 0; i < c.stem.size(); ++i) {
    const bool fails = run.step(c.stem[i]) == StepEnd::fails;
    const bool last = c.claim == Claim::error && i + 1 == c.stem.size();
    require(fails == last, "step {} goes wrong, or the last one does not", i);
  }
  if (c.claim == Claim::error) return require(!c.stem.empty(), "nothing goes wrong");
  require(!c.cycle.empty(), "there is no cycle");
  const std::vector<int> begin = run.state();
  std::map<std::vector<int>, std::set<int>> taken, promised;
  for (const int thread : c.cycle) {
    std::set<int>& here = promised[run.state()];
    for (int t = 0; t < c.n; ++t) {
      if (run.promised(c.reading.promise, t)) here.insert(t);
    }
    taken[run.state()].insert(thread);
    require(run.step(thread) != StepEnd::fails, "a step of the cycle goes wrong");
  }
  require(run.state() == begin, "the cycle does not come back to where it began");
  for (int t = 0; t < c.n; ++t) {
    const bool steps = std::find(c.cycle.begin(), c.cycle.end(), t) != c.cycle.end();
    bool always = true;
    for (const auto& [state, owed] : promised) {
      const bool owes = owed.count(t) > 0;
      always = always && owes;
      require(c.reading.fairness == Fairness::weak || !owes || taken[state].count(t) > 0,
              "thread {} is owed a step that is never taken", t);
    }
    require(!always || steps, "thread {} is owed a step and takes none", t);
  }
}

}  // namespace

std::optional<std::string> objection_to(const Certificate& certificate) {
  return objection_to(certificate, {certificate.reading});
}

std::optional<std::string> objection_to(const Certificate& certificate,
                                        const std::vector<Reading>& readings) {
  const Family family = read_family(certificate.program, "the program of the certificate");
  try {
    if (certificate.claim != Claim::safe && certificate.claim != Claim::pass) {
      check_run(certificate, family);
    } else if (certificate.row) {
      check_row(certificate, family, readings);
    } else {
      require(certificate.counted.has_value(), "there is no proof");
      check_counted(certificate, family, readings);
    }
  } catch (const Objection& objection) {
    return objection.text;
  } catch (const Unsupported& unsupported) {
    return unsupported.text;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::overflow_error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace headway::every
