#include "checker/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::checker {
namespace {

using lang::Fairness;

// The cycle, as the definitions of fairness look at it.
struct Cycle {
  const Moment* moments;  // before each step
  const std::vector<int>& threads;

  bool steps(int thread) const {
    return std::find(threads.begin(), threads.end(), thread) != threads.end();
  }
  bool takes(const Moment& from, int thread) const {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (threads[i] == thread && moments[i] == from) return true;
    }
    return false;
  }
};

// Weak: a thread that is in F at every moment of the cycle takes a step in it.
std::optional<std::string> weak_objection(const Cycle& cycle, int threads) {
  for (int thread = 0; thread < threads; ++thread) {
    bool always = true;
    for (std::size_t i = 0; i < cycle.threads.size(); ++i) {
      always = always && cycle.moments[i].fair.contains(thread);
    }
    if (always && !cycle.steps(thread)) {
      return fmt::format("thread {} is guaranteed throughout the cycle and never steps", thread);
    }
  }
  return std::nullopt;
}

// Strong: the step that a thread in F could take from a moment of the cycle is taken in it.
std::optional<std::string> strong_objection(const Cycle& cycle) {
  for (std::size_t i = 0; i < cycle.threads.size(); ++i) {
    for (int thread : cycle.moments[i].fair) {
      if (cycle.takes(cycle.moments[i], thread)) continue;
      return fmt::format(
          "before step {} of the cycle a step of thread {} is guaranteed and the "
          "cycle never takes it",
          i + 1, thread);
    }
  }
  return std::nullopt;
}

}  // namespace

Replay replay(const lang::Program& program, const models::Model& model, Fairness fairness,
              const Lasso& lasso) {
  const int threads = program.threads();
  Replay result;
  const auto object = [&](std::string why) {
    result.objection = std::move(why);
    return result;
  };
  Moment now;
  now.state.resize(static_cast<std::size_t>(program.words()));
  program.initial(now.state.data());
  now.history.terminated = program.terminated(now.state.data());
  now.fair = model.initial(threads);
  result.moments.push_back(now);

  // Twice round the cycle: the first time may hold the first step of a thread, which changes the
  // history; the second time must change nothing, and so stands for all that follow.
  std::vector<int> steps = lasso.stem;
  for (int round = 0; round < 2; ++round) {
    steps.insert(steps.end(), lasso.cycle.begin(), lasso.cycle.end());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const int thread = steps[i];
    if (thread < 0 || thread >= threads)
      return object(fmt::format("there is no thread {}", thread));
    if (now.history.terminated.contains(thread)) {
      return object(fmt::format("step {}: thread {} has terminated", i + 1, thread));
    }
    Moment next;
    next.state.resize(now.state.size());
    const bool terminates = program.step(now.state.data(), thread, next.state.data());
    const models::Event event{thread, terminates};
    next.history = models::after(now.history, event);
    next.fair = model.next(threads, now.fair, event, next.history);
    now = std::move(next);
    result.moments.push_back(now);
  }
  if (lasso.cycle.empty()) return object("the cycle has no step");
  const Moment* const start = &result.moments[lasso.stem.size() + lasso.cycle.size()];
  if (*start != now) return object("the cycle does not end where it began");
  const Cycle cycle{start, lasso.cycle};
  result.objection =
      fairness == Fairness::weak ? weak_objection(cycle, threads) : strong_objection(cycle);
  return result;
}

}  // namespace headway::checker
