#include "support/random_automata.hpp"

#include <algorithm>
#include <memory>

namespace headway::testing {
namespace {

using Kind = LocalState::Kind;
using oracle::Status;
using Numbers = std::vector<int>;

// Draws the tables of one thread: its local states, then its end, then its failure if there is any.
class Drawing {
 public:
  Drawing(Random& random, const AutomataShape& shape, const Automata& automata)
      : random_(random),
        shape_(shape),
        variables_(static_cast<int>(automata.initial.size())),
        values_(automata.values),
        barriers_(static_cast<int>(automata.barriers.size())) {}

  LocalStates thread() {
    LocalStates result;
    end_ = 1 + below(random_, shape_.states);
    for (int i = 0; i < end_; ++i) result.push_back(state(i));
    result.push_back({Kind::end, 0, {}, {}});
    if (shape_.failures) result.push_back({Kind::fail, 0, {}, {}});
    return result;
  }

 private:
  LocalState state(int index) {
    LocalState result;
    result.kind = kind();
    result.variable = below(random_, variables_);
    int outcomes = 1;
    if (result.kind == Kind::await) {
      for (int v = 0; v < values_; ++v) result.accepts.push_back(once_in(random_, 2));
    } else if (result.kind == Kind::modify) {
      outcomes = values_;
    } else if (result.kind == Kind::choose) {
      outcomes = 2 + below(random_, 2);
      result.fair = shape_.fair_choices && once_in(random_, 2);
    } else {
      result.barrier = below(random_, barriers_);
    }
    const bool may_write = result.kind == Kind::modify || result.kind == Kind::choose;
    for (int i = 0; i < outcomes; ++i) {
      const bool writes = may_write && once_in(random_, 2);
      result.outcomes.push_back({writes ? below(random_, values_) : kKeep, next(index)});
    }
    return result;
  }

  Kind kind() {
    if (shape_.barriers && once_in(random_, 3)) return Kind::barrier;
    if (shape_.awaits && once_in(random_, 3)) return Kind::await;
    return shape_.choices && once_in(random_, 3) ? Kind::choose : Kind::modify;
  }

  int next(int index) {
    if (shape_.failures && once_in(random_, 20)) return end_ + 1;
    return once_in(random_, 3) ? index + 1 : below(random_, end_ + 1);
  }

  Random& random_;
  const AutomataShape& shape_;
  const int variables_;
  const int values_;
  const int barriers_;
  int end_ = 0;
};

std::string to_string(const LocalState& state) {
  std::string result;
  switch (state.kind) {
    case Kind::end:
      return "end";
    case Kind::fail:
      return "fail";
    case Kind::await:
      result = "await m";
      break;
    case Kind::modify:
      result = "modify m";
      break;
    case Kind::choose:
      result = state.fair ? "choose fairly m" : "choose m";
      break;
    case Kind::barrier:
      result = "barrier ";
      break;
  }
  result += std::to_string(state.kind == Kind::barrier ? state.barrier : state.variable);
  for (std::size_t v = 0; v < state.accepts.size(); ++v) {
    if (state.accepts[v]) result += " ==" + std::to_string(v);
  }
  for (const Outcome& outcome : state.outcomes) {
    result += ", ";
    if (outcome.value != kKeep) result += "store " + std::to_string(outcome.value) + " ";
    result += "goto " + std::to_string(outcome.next);
  }
  return result;
}

std::string to_string(const Barrier& barrier) {
  std::string result = "of the grid";
  if (barrier.level) {
    result = *barrier.level == oracle::Level::workgroup ? "of a workgroup" : "of a subgroup";
  }
  return result + (barrier.counts_ended ? ", the ended count" : "");
}

// The threads of the launch that share the group of `thread` at the level; without one all do.
std::vector<int> sharing_barrier(const oracle::Launch& launch, std::optional<oracle::Level> level,
                                 int thread) {
  int size = launch.threads();
  if (level == oracle::Level::workgroup) size = launch.subgroups * launch.subgroup_threads;
  if (level == oracle::Level::subgroup) size = launch.subgroup_threads;
  std::vector<int> result;
  for (int t = 0; t < launch.threads(); ++t) {
    if (t / size == thread / size) result.push_back(t);
  }
  return result;
}

}  // namespace

oracle::Launch launch_of(const Automata& automata) {
  return automata.launch.value_or(oracle::Launch(static_cast<int>(automata.threads.size())));
}

std::vector<int> let_pass(const Automata& automata, const std::vector<Standing>& threads) {
  const oracle::Launch launch = launch_of(automata);
  const auto at = [&](int thread) -> const LocalState& {
    return automata.threads[thread][threads[thread].state];
  };
  const auto waits = [&](int thread) {
    return at(thread).kind == Kind::barrier && threads[thread].stage == BarrierStage::waiting;
  };
  std::vector<int> result;
  for (int thread = 0; thread < launch.threads(); ++thread) {
    if (!waits(thread)) continue;
    const int met = at(thread).barrier;
    const Barrier& barrier = automata.barriers[met];
    const std::vector<int> group = sharing_barrier(launch, barrier.level, thread);
    const bool all_are_here = std::all_of(group.begin(), group.end(), [&](int other) {
      if (barrier.counts_ended && at(other).kind == Kind::end) return true;
      return waits(other) && at(other).barrier == met;
    });
    if (all_are_here) result.push_back(thread);
  }
  return result;
}

oracle::Behaviour behaviour_of(const Automata& automata) {
  const auto shared = std::make_shared<const Automata>(automata);
  const std::size_t threads = automata.threads.size();
  const auto at = [shared](const Numbers& places, int thread) -> const LocalState& {
    return shared->threads[thread][places[thread]];
  };
  const auto stage = [threads](const Numbers& places, int thread) {
    return static_cast<BarrierStage>(places[threads + thread]);
  };
  const auto set_stage = [threads](Numbers& places, int thread, BarrierStage reached) {
    places[threads + thread] = static_cast<int>(reached);
  };
  oracle::Behaviour result;
  result.launch = launch_of(automata);
  result.pcs.assign(2 * threads, 0);
  result.memory = automata.initial;
  result.status = [at, stage](const Numbers& places, const Numbers& memory, int thread) {
    const LocalState& state = at(places, thread);
    if (state.kind == Kind::end) return Status::ended;
    if (state.kind == Kind::fail) return Status::failed;
    bool waits = state.kind == Kind::barrier && stage(places, thread) == BarrierStage::waiting;
    if (state.kind == Kind::await) waits = !state.accepts[memory[state.variable]];
    return waits ? Status::blocked : Status::running;
  };
  result.choices = [at](const Numbers& places, const Numbers&, int thread) {
    const LocalState& state = at(places, thread);
    return state.kind == Kind::choose ? static_cast<int>(state.outcomes.size()) : 1;
  };
  result.fair_choice = [at](const Numbers& places, const Numbers&, int thread) {
    const LocalState& state = at(places, thread);
    return state.kind == Kind::choose && state.fair;
  };
  result.step = [=](Numbers& places, Numbers& memory, int thread, int choice) {
    const LocalState& state = at(places, thread);
    if (state.kind == Kind::barrier && stage(places, thread) == BarrierStage::arriving) {
      set_stage(places, thread, BarrierStage::waiting);
    } else {
      int& cell = memory[state.variable];
      const Outcome& outcome = state.outcomes[state.kind == Kind::modify ? cell : choice];
      if (outcome.value != kKeep) cell = outcome.value;
      places[thread] = outcome.next;
      set_stage(places, thread, BarrierStage::arriving);
    }
    std::vector<Standing> standing;
    for (int t = 0; t < static_cast<int>(threads); ++t) {
      standing.push_back({places[t], stage(places, t)});
    }
    for (const int t : let_pass(*shared, standing)) set_stage(places, t, BarrierStage::passing);
  };
  return result;
}

std::string to_string(const Automata& automata) {
  std::string result = "variables of " + std::to_string(automata.values) + " values:";
  for (const int value : automata.initial) result += " " + std::to_string(value);
  result += "\n";
  if (automata.launch) {
    const oracle::Launch& launch = *automata.launch;
    result += std::to_string(launch.workgroups) + " workgroups of " +
              std::to_string(launch.subgroups) + " subgroups of " +
              std::to_string(launch.subgroup_threads) + " threads\n";
  }
  for (std::size_t b = 0; b < automata.barriers.size(); ++b) {
    result += "barrier " + std::to_string(b) + " " + to_string(automata.barriers[b]) + "\n";
  }
  for (std::size_t t = 0; t < automata.threads.size(); ++t) {
    result += "thread " + std::to_string(t) + "\n";
    for (std::size_t i = 0; i < automata.threads[t].size(); ++i) {
      result += "  " + std::to_string(i) + ": " + to_string(automata.threads[t][i]) + "\n";
    }
  }
  return result;
}

namespace {

Barrier random_barrier(Random& random) {
  const std::optional<oracle::Level> levels[] = {
      {}, oracle::Level::workgroup, oracle::Level::subgroup};
  Barrier result;
  result.level = levels[below(random, 3)];
  result.counts_ended = once_in(random, 2);
  return result;
}

}  // namespace

Automata random_automata(Random& random, const AutomataShape& shape) {
  Automata result;
  result.values = 2 + below(random, shape.values - 1);
  const int variables = 1 + below(random, shape.variables);
  for (int v = 0; v < variables; ++v) result.initial.push_back(below(random, result.values));
  result.launch = shape.launch;
  const int barriers = shape.barriers ? 1 + below(random, 2) : 0;
  for (int b = 0; b < barriers; ++b) result.barriers.push_back(random_barrier(random));
  Drawing drawing(random, shape, result);
  const int threads = shape.launch ? shape.launch->threads() : shape.threads;
  for (int t = 0; t < threads; ++t) {
    const bool shares = shape.barriers ? !once_in(random, 4) : t > 0 && once_in(random, 4);
    if (t > 0 && shares) {
      const LocalStates same = result.threads.back();
      result.threads.push_back(same);
    } else {
      result.threads.push_back(drawing.thread());
    }
  }
  return result;
}

namespace {

// Waits until it sees m0 at 1, and then chooses: mostly to stop the toggler and to end.
LocalStates random_watcher(Random& random) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(2 + below(random, 2)), {2, 2});
  for (Outcome& outcome : outcomes) {
    if (once_in(random, 4)) outcome = {below(random, 4) - 1, below(random, 3)};
  }
  const LocalState await = {Kind::await, 0, {false, true, false}, {{kKeep, 1}}};
  return {await, {Kind::choose, 0, {}, outcomes}, LocalState{}};
}

}  // namespace

LocalStates toggler() {
  return {{Kind::modify, 0, {}, {{1, 0}, {0, 0}, {kKeep, 1}}}, LocalState{}};
}

Automata beside_toggler(Random& random, AutomataShape shape) {
  shape.values = 3;
  shape.variables = 1;
  Automata result = random_automata(random, shape);
  while (result.values < 3) result = random_automata(random, shape);
  const int threads = static_cast<int>(result.threads.size());
  if (shape.awaits && shape.choices && once_in(random, 4)) {
    for (LocalStates& thread : result.threads) thread = random_watcher(random);
  }
  result.threads[static_cast<std::size_t>(below(random, threads))] = toggler();
  return result;
}

}  // namespace headway::testing
