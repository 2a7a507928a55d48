#include "checker/waiting.hpp"

#include <set>

namespace headway::checker {
namespace {

using State = std::vector<lang::Word>;

constexpr std::size_t kMostStates = 4096;  // to look for the end of a loop in

// Whether `thread` may come away from `lines`, its loop, by steps of `going` from a state on.
bool may_leave(const lang::Program& program, const State& from, int thread, ThreadSet going,
               const std::set<int>& lines) {
  std::set<State> seen{from};
  std::vector<State> open{from};
  while (!open.empty() && seen.size() < kMostStates) {
    std::vector<State> next_open;
    for (const State& state : open) {
      const ThreadSet running = program.running(state.data());
      if (!running.contains(thread)) return true;
      if (!lines.contains(program.describe_step(state.data(), thread).line)) return true;
      for (const int stepping : running& going) {
        for (int c = 0; c < program.choices(state.data(), stepping); ++c) {
          State next(state.size());
          program.step(state.data(), {stepping, c}, next.data());
          if (seen.insert(next).second) next_open.push_back(std::move(next));
        }
      }
    }
    open = std::move(next_open);
  }
  return false;
}

}  // namespace

std::optional<Waiting> who_waits(const lang::Program& program, const Explanation& explanation) {
  if (!explanation.witness || explanation.witness->lasso.cycle.empty()) return std::nullopt;
  const Topology& topology = program.topology();
  const Lasso& lasso = explanation.witness->lasso;
  // The second round: in the first one the history may still change.
  const std::size_t second = lasso.stem.size() + lasso.cycle.size();
  const Moment& start = explanation.replay.moments[second];
  Waiting result;
  result.thread = lasso.cycle.front().thread;
  ThreadSet stepping;
  std::set<int> lines;
  for (std::size_t i = 0; i < lasso.cycle.size(); ++i) {
    const lang::Step step = lasso.cycle[i];
    stepping |= ThreadSet::single(step.thread);
    if (step.thread != result.thread) continue;
    const auto& state = explanation.replay.moments[second + i].state;
    lines.insert(program.describe_step(state.data(), step).line);
  }
  result.line = *lines.begin();
  const ThreadSet starved = program.running(start.state.data()) - stepping;
  result.starved = !starved.empty();
  result.started = !(starved & start.history.started).empty();

  const int own = topology.group_of(Level::workgroup, result.thread);
  const ThreadSet beside = threads_of(topology, Level::workgroup, own);
  const auto add = [&](Level level, int group, ThreadSet threads, ThreadSet going) {
    if ((threads & starved).empty() || !(threads & stepping).empty()) return;
    if (!may_leave(program, start.state, result.thread, going | threads, lines)) return;
    result.level = level;
    result.groups.push_back(group);
  };
  const ThreadSet looping = ThreadSet::single(result.thread);
  for (const int thread : beside - looping) {
    add(Level::thread, thread, ThreadSet::single(thread), looping);
  }
  if (!result.groups.empty()) return result;
  for (int group = 0; group < topology.workgroups(); ++group) {
    if (group == own) continue;
    add(Level::workgroup, group, threads_of(topology, Level::workgroup, group), beside);
  }
  return result;
}

}  // namespace headway::checker
