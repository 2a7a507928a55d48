#include "support/random_automata.hpp"

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
        values_(automata.values) {}

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
    } else {
      outcomes = 2 + below(random_, 2);
    }
    for (int i = 0; i < outcomes; ++i) {
      const bool writes = result.kind != Kind::await && once_in(random_, 2);
      result.outcomes.push_back({writes ? below(random_, values_) : kKeep, next(index)});
    }
    return result;
  }

  Kind kind() {
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
  int end_ = 0;
};

std::string to_string(const LocalState& state) {
  if (state.kind == Kind::end) return "end";
  if (state.kind == Kind::fail) return "fail";
  std::string result = state.kind == Kind::await    ? "await"
                       : state.kind == Kind::modify ? "modify"
                                                    : "choose";
  result += " m" + std::to_string(state.variable);
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

}  // namespace

oracle::Behaviour behaviour_of(const Automata& automata) {
  const auto shared = std::make_shared<const Automata>(automata);
  const auto at = [shared](const Numbers& places, int thread) -> const LocalState& {
    return shared->threads[thread][places[thread]];
  };
  oracle::Behaviour result;
  result.threads = static_cast<int>(automata.threads.size());
  result.pcs.assign(automata.threads.size(), 0);
  result.memory = automata.initial;
  result.status = [at](const Numbers& places, const Numbers& memory, int thread) {
    const LocalState& state = at(places, thread);
    if (state.kind == Kind::end) return Status::ended;
    if (state.kind == Kind::fail) return Status::failed;
    if (state.kind != Kind::await || state.accepts[memory[state.variable]]) return Status::running;
    return Status::blocked;
  };
  result.choices = [at](const Numbers& places, const Numbers&, int thread) {
    const LocalState& state = at(places, thread);
    return state.kind == Kind::choose ? static_cast<int>(state.outcomes.size()) : 1;
  };
  result.step = [at](Numbers& places, Numbers& memory, int thread, int choice) {
    const LocalState& state = at(places, thread);
    int& cell = memory[state.variable];
    const Outcome& outcome = state.outcomes[state.kind == Kind::modify ? cell : choice];
    if (outcome.value != kKeep) cell = outcome.value;
    places[thread] = outcome.next;
  };
  return result;
}

std::string to_string(const Automata& automata) {
  std::string result = "variables of " + std::to_string(automata.values) + " values:";
  for (const int value : automata.initial) result += " " + std::to_string(value);
  result += "\n";
  for (std::size_t t = 0; t < automata.threads.size(); ++t) {
    result += "thread " + std::to_string(t) + "\n";
    for (std::size_t i = 0; i < automata.threads[t].size(); ++i) {
      result += "  " + std::to_string(i) + ": " + to_string(automata.threads[t][i]) + "\n";
    }
  }
  return result;
}

Automata random_automata(Random& random, const AutomataShape& shape) {
  Automata result;
  result.values = 2 + below(random, shape.values - 1);
  const int variables = 1 + below(random, shape.variables);
  for (int v = 0; v < variables; ++v) result.initial.push_back(below(random, result.values));
  Drawing drawing(random, shape, result);
  for (int t = 0; t < shape.threads; ++t) {
    if (t > 0 && once_in(random, 4)) {
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
  if (shape.awaits && shape.choices && once_in(random, 4)) {
    for (LocalStates& thread : result.threads) thread = random_watcher(random);
  }
  result.threads[static_cast<std::size_t>(below(random, shape.threads))] = toggler();
  return result;
}

}  // namespace headway::testing
