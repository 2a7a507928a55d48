#include "checker/witness/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::checker {
namespace {

using lang::Step;
using models::Fairness;

// The cycle, as the definitions of fairness look at it.
struct Cycle {
  const Moment* moments;  // before each step
  const std::vector<Step>& steps;
  int threads;

  bool has_step_of(int thread) const {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const Step& step) { return step.thread == thread; });
  }
  bool takes(const Moment& from, int thread) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].thread == thread && moments[i] == from) return true;
    }
    return false;
  }
};

// Weak: a thread that is owed a step at every moment of the cycle takes one in it.
std::optional<std::string> weak_objection(const Cycle& cycle) {
  for (int thread = 0; thread < cycle.threads; ++thread) {
    bool always = true;
    for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
      always = always && cycle.moments[i].owed(cycle.threads).contains(thread);
    }
    if (always && !cycle.has_step_of(thread)) {
      return fmt::format("thread {} is guaranteed throughout the cycle and never steps", thread);
    }
  }
  return std::nullopt;
}

// Strong: a thread that is owed a step at a moment of the cycle takes one from there.
std::optional<std::string> strong_objection(const Cycle& cycle) {
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    for (int thread : cycle.moments[i].owed(cycle.threads)) {
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

Moment first_moment(const lang::Program& program, const models::Model& model) {
  Moment moment;
  moment.state.resize(static_cast<std::size_t>(program.words()));
  program.initial(moment.state.data());
  moment.history.terminated = program.terminated(moment.state.data());
  moment.history.blocked = program.blocked(moment.state.data());
  moment.fair = model.initial(program.topology());
  return moment;
}

Moment after(const lang::Program& program, const models::Model& model, const Moment& before,
             Step step) {
  Moment moment;
  moment.state.resize(before.state.size());
  const bool terminates = program.step(before.state.data(), step, moment.state.data());
  const models::Event event{step.thread, terminates};
  moment.history = models::after(before.history, event);
  moment.history.blocked = program.blocked(moment.state.data());
  moment.fair = model.next(program.topology(), before.fair, event, moment.history);
  return moment;
}

Replay replay(const lang::Program& program, const models::Model& model, Fairness fairness,
              const Lasso& lasso) {
  const int threads = program.threads();
  Replay result;
  const auto object = [&](std::string why) {
    result.objection = std::move(why);
    return result;
  };
  Moment now = first_moment(program, model);
  result.moments.push_back(now);

  // Twice round the cycle: the first time may hold the first step of a thread, which changes the
  // history; the second time must change nothing, and so stands for all that follow.
  std::vector<Step> steps = lasso.stem;
  for (int round = 0; round < 2; ++round) {
    steps.insert(steps.end(), lasso.cycle.begin(), lasso.cycle.end());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const int thread = steps[i].thread;
    if (thread >= threads) return object(fmt::format("there is no thread {}", thread));
    if (now.history.terminated.contains(thread)) {
      return object(fmt::format("step {}: thread {} has terminated", i + 1, thread));
    }
    if (!program.running(now.state.data()).contains(thread)) {
      return object(fmt::format("step {}: thread {} cannot step", i + 1, thread));
    }
    if (steps[i].choice >= program.choices(now.state.data(), thread)) {
      return object(
          fmt::format("step {}: thread {} has no choice {}", i + 1, thread, steps[i].choice));
    }
    now = after(program, model, now, steps[i]);
    result.moments.push_back(now);
  }
  if (lasso.cycle.empty()) {
    const bool stuck = program.running(now.state.data()).empty() && !now.history.blocked.empty() &&
                       program.failed(now.state.data()).empty();
    if (!stuck) return object("the cycle has no step");
    return result;
  }
  const Moment* const start = &result.moments[lasso.stem.size() + lasso.cycle.size()];
  if (*start != now) return object("the cycle does not end where it began");
  const Cycle cycle{start, lasso.cycle, threads};
  result.objection = fairness == Fairness::weak ? weak_objection(cycle) : strong_objection(cycle);
  return result;
}

}  // namespace headway::checker
