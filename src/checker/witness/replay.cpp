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
  const lang::Program& program;

  const Topology& topology() const { return program.topology(); }
  // The groups with a step anywhere in it, and with one from an equal moment.
  GroupSet stepping() const {
    ThreadSet threads;
    for (const Step& step : steps) threads |= ThreadSet::single(step.thread);
    return groups_of(topology(), threads);
  }
  GroupSet stepping_from(const Moment& moment) const {
    ThreadSet threads;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (moments[i] == moment) threads |= ThreadSet::single(steps[i].thread);
    }
    return groups_of(topology(), threads);
  }
  bool takes(const Moment& from, Step step) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i] == step && moments[i] == from) return true;
    }
    return false;
  }
};

// Weak: a group that is owed a step at every moment of the cycle takes one in it.
std::optional<std::string> weak_objection(const Cycle& cycle) {
  GroupSet always = cycle.moments[0].owed(cycle.topology());
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    always &= cycle.moments[i].owed(cycle.topology());
  }
  const GroupSet starved = always - cycle.stepping();
  if (starved.empty()) return std::nullopt;
  return fmt::format("{} is guaranteed throughout the cycle and never steps",
                     starved.first_name(cycle.topology()));
}

// Strong: a group that is owed a step at a moment of the cycle takes one from there.
std::optional<std::string> strong_objection(const Cycle& cycle) {
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    const Moment& moment = cycle.moments[i];
    const GroupSet refused = moment.owed(cycle.topology()) - cycle.stepping_from(moment);
    if (refused.empty()) continue;
    return fmt::format(
        "before step {} of the cycle a step of {} is guaranteed and the "
        "cycle never takes it",
        i + 1, refused.first_name(cycle.topology()));
  }
  return std::nullopt;
}

// A fair choice that is made at a moment of the cycle is made in each way from there.
std::optional<std::string> choice_objection(const Cycle& cycle) {
  if (!cycle.program.may_choose_fairly()) return std::nullopt;
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    const int thread = cycle.steps[i].thread;
    const lang::Word* const state = cycle.moments[i].state.data();
    if (!cycle.program.chooses_fairly(state, thread)) continue;
    for (int choice = 0; choice < cycle.program.choices(state, thread); ++choice) {
      if (cycle.takes(cycle.moments[i], {thread, choice})) continue;
      return fmt::format(
          "step {} of the cycle is a fair choice of thread {}, and the cycle never takes choice {} "
          "there",
          i + 1, thread, choice);
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
  moment.selected = models::first_selection(model, program.topology(), moment.history);
  return moment;
}

Moment after(const lang::Program& program, const models::Model& model, const Moment& before,
             Step step) {
  Moment moment;
  moment.state.resize(before.state.size());
  const bool terminates = program.step(before.state.data(), step, moment.state.data());
  const models::Event event{step.thread, terminates,
                            program.next_instruction(before.state.data(), step.thread)};
  moment.history = models::after(before.history, event);
  if (program.may_end_others()) moment.history.terminated = program.terminated(moment.state.data());
  moment.history.blocked = program.blocked(moment.state.data());
  moment.selected =
      models::next_selection(model, program.topology(), before.selected, event, moment.history);
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
  const Cycle cycle{start, lasso.cycle, program};
  result.objection = fairness == Fairness::weak ? weak_objection(cycle) : strong_objection(cycle);
  if (!result.objection) result.objection = choice_objection(cycle);
  return result;
}

}  // namespace headway::checker
