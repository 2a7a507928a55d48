#include "kernel/machine/walk.hpp"

#include <algorithm>
#include <random>
#include <unordered_set>

namespace headway::kernel {
namespace {

bool is_enabled(const MachineState& state, int thread) {
  const Status status = state.threads[static_cast<std::size_t>(thread)]->status;
  return status == Status::ready || status == Status::released;
}

class Walker {
 public:
  Walker(Machine& machine, const Schedule& schedule, const StopSigns& stop)
      : machine_(machine), schedule_(schedule), stop_(stop), random_(schedule.seed) {
    for (int t = 0; t < machine.launch().threads(); ++t) order_.push_back(t);
    if (schedule.kind == Schedule::Kind::backward) std::reverse(order_.begin(), order_.end());
  }

  Walk run() {
    Script script;
    state_ = machine_.initial(script);
    // Threads may wait for what others count, and stand where they have stood before. A hash is
    // enough: it says how long a walk goes on, which may end anywhere, and nothing is concluded.
    constexpr int most_idle = 64;
    std::unordered_set<std::size_t> seen;
    for (int idle = 0; !state_.fault && idle < most_idle;) {
      if (!pass()) break;
      std::size_t here = 0;
      for (const ThreadStatePtr& t : state_.threads) here = mixed(here, t->hash());
      if (!seen.insert(here).second) ++idle;
      forget();
    }
    if (!state_.fault && stop_.seen() == Limit::none) state_.fault = standstill(machine_, state_);
    const bool ended =
        std::all_of(state_.threads.begin(), state_.threads.end(),
                    [](const ThreadStatePtr& t) { return t->status == Status::ended; });
    return {state_.fault, ended};
  }

 private:
  // All threads once; false when nobody can go on, or nobody is to.
  bool pass() {
    if (schedule_.kind == Schedule::Kind::by_chance) {
      std::shuffle(order_.begin(), order_.end(), random_);
    }
    bool any = false;
    for (const int t : order_) {
      if (!is_enabled(state_, t)) continue;
      any = true;
      std::unordered_set<std::size_t> seen;
      for (int left = steps(); left > 0 && is_enabled(state_, t); --left) {
        if (stop_.seen() != Limit::none) return false;
        // Where it has been before it waits for somebody else.
        if (!seen.insert(state_.threads[static_cast<std::size_t>(t)]->hash()).second) break;
        Script script;
        machine_.step(state_, t, script);
        if (state_.fault) return false;
      }
    }
    return any;
  }

  int steps() {
    constexpr int far = 256;
    switch (schedule_.kind) {
      case Schedule::Kind::in_turn:
        return 1;
      case Schedule::Kind::by_chance:
        return static_cast<int>(random_() % 8);
      default:
        return far;
    }
  }

  // What is known of accesses that all are ordered behind.
  void forget() {
    if (!state_.order) return;
    std::vector<bool> alive;
    for (const ThreadStatePtr& t : state_.threads) alive.push_back(t->status != Status::ended);
    state_.order->normalize(alive);
  }

  Machine& machine_;
  const Schedule schedule_;
  const StopSigns& stop_;
  std::minstd_rand random_;
  std::vector<int> order_;
  MachineState state_;
};

}  // namespace

std::optional<Fault> standstill(const Machine& machine, const MachineState& state) {
  Fault fault{FaultKind::divergence, -1, 0, -1, 0, "threads wait for each other for good", false};
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    const ThreadState& local = *state.threads[t];
    if (local.status == Status::ended) continue;
    if (local.status != Status::waiting) return {};
    const Instruction& at = machine.code().at(local.block, local.index);
    // Others may yet start, and come.
    const bool of_grid = at.op == Op::barrier && at.scope >= Scope::device;
    if (of_grid && !machine.launch().started.empty()) return {};
    (fault.thread < 0 ? fault.thread : fault.other_thread) = static_cast<int>(t);
    (fault.other_thread < 0 ? fault.instruction : fault.other_instruction) =
        machine.code().number(local.block, local.index);
  }
  if (fault.thread < 0) return {};
  fault.possible = machine.doubts(state.path);
  return fault;
}

Walk walk(Machine& machine, const Schedule& schedule, const StopSigns& stop) {
  return Walker(machine, schedule, stop).run();
}

}  // namespace headway::kernel
