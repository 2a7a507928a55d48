#include "lang/idiom/subgroup.hpp"

#include <algorithm>
#include <cassert>

#include "lang/idiom/reconvergence.hpp"
#include "lang/idiom/subgroup_operation.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

}  // namespace

Subgroup::Subgroup(const Code& code, int first)
    : code_(code),
      first_(first),
      points_(reconvergence_points(code.threads[first], code.reading == SubgroupReading::cfg)),
      ends_at_once_(std::none_of(code.barriers.begin(), code.barriers.end(),
                                 [](const Barrier& barrier) { return barrier.counts_ended; })) {
  for (int lane = 0; lane < code.topology.subgroup_threads(); ++lane) {
    machines_.emplace_back(code, code.threads[first + lane]);
    assert(thread(lane).instructions.size() == thread().instructions.size());
  }
  const auto& instructions = thread().instructions;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const int at = static_cast<int>(i);
    if (is_stop(instructions[i].kind)) places_.push_back(at);
    if (instructions[i].kind != InstructionKind::branch || size() == 1) continue;
    places_.insert(places_.end(), {at, behind_jumps(thread(), at + 1, points_[i]),
                                   behind_jumps(thread(), instructions[i].target, points_[i])});
    if (points_[i] != kNowhere) places_.push_back(points_[i]);
  }
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

Lanes Subgroup::start() const {
  Lanes first;
  for (const Machine& machine : machines_) first.lanes.push_back(machine.before());
  first.active = ThreadSet::first(size());
  Lanes state = first;
  LanesTaken taken;
  run(state, taken);
  return state.active.empty() ? first : state;
}

const Instruction* Subgroup::instruction(const Lanes& state) const {
  return state.active.empty() ? nullptr : &thread().instructions[place(state)];
}

bool Subgroup::holds(const Lanes& state, const Memory& memory) const {
  bool all = true;
  for (const int lane : state.active) {
    Failure failure;
    const bool holds = machines_[lane].holds(state.lanes[lane], memory, failure);
    if (failure.kind != Failure::Kind::none) return true;
    all = all && holds;
  }
  return all;
}

// What `lanes` can come to that make their accesses one after another, each with the memory that
// those in front of it leave.
int Subgroup::ways(const Lanes& state, ThreadSet lanes, WritableMemory& memory) const {
  if (lanes.empty()) return 1;
  const int lane = lanes.min();
  const Machine& machine = machines_[lane];
  const Access access = machine.access(state.lanes[lane]);
  const int old = access.cell < 0 ? 0 : memory.value(access.cell);
  const int choices = machine.choices(state.lanes[lane], access, old);
  int count = 0;
  for (int choice = 0; choice < choices; ++choice) {
    ThreadState local = state.lanes[lane];
    Failure failure;
    const auto written = machine.perform(local, access, old, failure, choice);
    if (failure.kind != Failure::Kind::none) {
      ++count;
      continue;
    }
    if (written) memory.set(access.cell, *written);
    count += ways(state, lanes - ThreadSet::single(lane), memory);
    if (written) memory.set(access.cell, old);
  }
  return count;
}

bool Subgroup::may_choose(const Lanes& state) const {
  const Instruction& in = *instruction(state);
  return in.kind == InstructionKind::branch || in.kind == InstructionKind::choice ||
         (in.kind == InstructionKind::access && in.access == AccessKind::weak_cas);
}

int Subgroup::choices(const Lanes& state, WritableMemory& memory) const {
  if (!may_choose(state)) return 1;
  const bool parts = instruction(state)->kind == InstructionKind::branch;
  return parts ? 2 : ways(state, state.active, memory);
}

ThreadSet Subgroup::side(const Lanes& state, int choice) const {
  const int condition = instruction(state)->value;
  ThreadSet side;
  for (const int lane : state.active) {
    Failure failure;
    const bool holds = machines_[lane].value_of(condition, state.lanes[lane], failure) != 0;
    if (holds == (choice == 0)) side |= ThreadSet::single(lane);
  }
  return side;
}

void Subgroup::step(Lanes& state, WritableMemory& memory, int choice, LanesTaken& taken) const {
  const Instruction& in = *instruction(state);
  if (in.kind == InstructionKind::branch) {
    choose_side(state, choice);
    return run(state, taken);
  }
  ThreadSet rest = state.active;
  for (const int lane : state.active) {
    const Machine& machine = machines_[lane];
    ThreadState& local = state.lanes[lane];
    rest -= ThreadSet::single(lane);
    Access access = machine.access(local);
    if (in.kind == InstructionKind::await) machine.holds(local, memory, access.failure);
    const int old = access.cell < 0 ? 0 : memory.value(access.cell);
    const ThreadState before = local;
    // The first choice of this lane that has enough ways behind it.
    for (int own = 0;; ++own) {
      local = before;
      Failure failure;
      const auto written = machine.perform(local, access, old, failure, own);
      if (failure.kind == Failure::Kind::none && written) memory.set(access.cell, *written);
      const int behind =
          failure.kind != Failure::Kind::none || choice == 0 ? 1 : ways(state, rest, memory);
      if (choice >= behind) {
        choice -= behind;
        if (written) memory.set(access.cell, old);
        continue;
      }
      taken.changes.push_back({lane, access, old, written, own});
      if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
      break;
    }
  }
  if (in.kind == InstructionKind::meet && !operate(state, in, taken)) return;
  if (in.kind == InstructionKind::arrive) {
    if (code_.barriers[in.barrier].scope == Scope::subgroup) release(state);
    return;
  }
  run(state, taken);
}

// The operation that the active lanes have brought something to; false where it goes wrong.
bool Subgroup::operate(Lanes& state, const Instruction& in, LanesTaken& taken) const {
  std::vector<Contribution> brought;
  for (const int lane : state.active) {
    const ThreadState& own = state.lanes[lane];
    brought.push_back({lane, own.registers[in.target], in.from < 0 ? 0 : own.registers[in.from]});
  }
  Failure failure;
  const std::vector<int> results = idiom::operate(code_.operations[in.operation], brought, failure);
  failure.source = in.source;
  for (std::size_t i = 0; i < brought.size(); ++i) {
    state.lanes[brought[i].lane].registers[in.target] = results[i];
    taken.changes[i].result = results[i];
  }
  if (failure.kind == Failure::Kind::none) return true;
  fail(state, failure, state.active.min(), taken);
  return false;
}

void Subgroup::release(Lanes& state) const {
  assert(instruction(state)->kind == InstructionKind::wait);
  for (const int lane : state.active) ++state.lanes[lane].at;
}

void Subgroup::fail(Lanes& state, const Failure& failure, int lane, LanesTaken& taken) const {
  state.failed = true;
  state.active = {};
  state.partings.clear();
  taken.failure = failure;
  taken.failed_lane = lane;
}

// Computes on for those that are active until they come to where they stand next.
void Subgroup::run(Lanes& state, LanesTaken& taken) const {
  const auto& instructions = thread().instructions;
  std::vector<bool> passed(instructions.size());
  while (state.pick_active()) {
    const int at = place(state);
    if (state.wait_at(at)) continue;
    const InstructionKind kind = instructions[at].kind;
    if (kind == InstructionKind::end) {
      state.active = {};
      continue;
    }
    if (kind == InstructionKind::head && !passed[at]) {
      passed[at] = true;
      for (const int lane : state.active) ++state.lanes[lane].at;
      continue;
    }
    if (is_stop(kind)) break;
    for (const int lane : state.active) {
      Failure failure;
      machines_[lane].compute(state.lanes[lane], failure);
      if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
      state.over = state.over || state.lanes[lane].at == ThreadState::kOver;
    }
    if (state.over) {
      state.active = {};
      state.partings.clear();
      return;
    }
    if (kind == InstructionKind::branch && part(state, at)) break;
  }
  for (int lane = 0; lane < size(); ++lane) machines_[lane].forget(state.lanes[lane]);
}

// Where the lanes disagree at a branch that they have passed, those wait that are at the point of
// reconvergence already, and those end that have nothing else to do, if nobody can tell when.
// Returns whether there are none, and somebody has to choose; then they stand in front of the
// branch again.
bool Subgroup::part(Lanes& state, int branch) const {
  ThreadSet holds;
  for (const int lane : state.active) {
    if (state.lanes[lane].at == branch + 1) holds |= ThreadSet::single(lane);
  }
  if (holds.empty() || holds == state.active) return false;
  const int point = points_[branch];
  const int one = behind_jumps(thread(), branch + 1, point);
  const int other = behind_jumps(thread(), thread().instructions[branch].target, point);
  if (one == other || (point != kNowhere && (one == point || other == point))) {
    for (const int lane : state.active) {
      state.lanes[lane].at = holds.contains(lane) ? one : other;
    }
    if (one == other) return false;
    const ThreadSet waiting = one == point ? holds : state.active - holds;
    state.active -= waiting;
    state.partings.push_back({point, waiting, {}});
    state.tidy();
    return false;
  }
  const int end = static_cast<int>(thread().instructions.size()) - 1;
  if (ends_at_once_ && (one == end || other == end)) {
    const ThreadSet ending = one == end ? holds : state.active - holds;
    for (const int lane : ending) state.lanes[lane].at = end;
    state.active -= ending;
    return false;
  }
  for (const int lane : state.active) state.lanes[lane].at = branch;
  return true;
}

// Lets one side go on from a branch.
void Subgroup::choose_side(Lanes& state, int choice) const {
  const int branch = place(state);
  const int point = points_[branch];
  const int target = thread().instructions[branch].target;
  const ThreadSet first = side(state, choice);
  for (const int lane : state.active) {
    const bool holds = first.contains(lane) == (choice == 0);
    state.lanes[lane].at = behind_jumps(thread(), holds ? branch + 1 : target, point);
  }
  state.partings.push_back({point, {}, state.active - first});
  state.active = first;
  state.tidy();
}

}  // namespace headway::lang::idiom
