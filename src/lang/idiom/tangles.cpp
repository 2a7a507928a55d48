#include "lang/idiom/tangles.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "lang/idiom/subgroup_operation.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

Flow::Counts counts_of(const ReadingRules& rules) {
  if (rules.waits_at_labels()) return Flow::Counts::all;
  const bool in_blocks = rules.votes == Meets::together || rules.votes == Meets::speculating;
  return in_blocks ? Flow::Counts::with_votes : Flow::Counts::none;
}

// The same loop, in the same round of those around it.
bool same_outside(const std::vector<int>& one, const std::vector<int>& other, int loop) {
  return std::equal(one.begin(), one.begin() + loop, other.begin());
}

}  // namespace

int Choices::pick(int count) {
  if (count == 1) return 0;
  if (at_ == digits_.size()) digits_.push_back({0, count});
  assert(digits_[at_].count == count);
  return digits_[at_++].value;
}

bool Choices::next() {
  at_ = 0;
  while (!digits_.empty() && digits_.back().value + 1 == digits_.back().count) digits_.pop_back();
  if (digits_.empty()) return false;
  ++digits_.back().value;
  return true;
}

Tangled::Tangled(const Code& code, int first, bool wide)
    : code_(code),
      first_(first),
      rules_(rules_of(*code.reading)),
      wide_(wide),
      flow_(code.threads[first], counts_of(rules_)) {
  for (int lane = 0; lane < code.topology.subgroup_threads(); ++lane) {
    machines_.emplace_back(code, code.threads[first + lane]);
  }
  const auto& instructions = thread().instructions;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].kind == InstructionKind::meet) votes_.push_back(static_cast<int>(i));
  }
}

// Who waits for whom ----------------------------------------------------------------------------

ThreadSet Tangled::ended(const Tangles& state) const {
  ThreadSet result;
  for (int lane = 0; lane < size(); ++lane) {
    const int at = state.lanes[lane].at;
    if (at >= 0 && machines_[lane].ended(state.lanes[lane])) result |= ThreadSet::single(lane);
  }
  return result;
}

ThreadSet Tangled::alive(const Tangles& state) const {
  return ThreadSet::first(size()) - ended(state);
}

DynamicBlock Tangled::block_of(const Tangles& state, int lane) const {
  return {flow_.block(state.lanes[lane].at), state.rounds[lane]};
}

ThreadSet Tangled::active(const Tangles& state, const DynamicBlock& block) const {
  ThreadSet result;
  for (const int lane : alive(state)) {
    if (block_of(state, lane) == block) result |= ThreadSet::single(lane);
  }
  return result;
}

ThreadSet Tangled::unknown(const Tangles& state, const DynamicBlock& block) const {
  ThreadSet result;
  for (const int lane : alive(state) - active(state, block)) {
    const bool may = flow_.may_come(state.lanes[lane].at, state.rounds[lane], block);
    if (may) result |= ThreadSet::single(lane);
  }
  return result;
}

ThreadSet Tangled::coming(const Tangles& state, const DynamicBlock& block) const {
  ThreadSet result;
  for (const int lane : alive(state) - active(state, block)) {
    const bool must = flow_.must_come(state.lanes[lane].at, state.rounds[lane], block);
    if (must) result |= ThreadSet::single(lane);
  }
  return result;
}

Meets Tangled::meets(const Tangles& state, int lane) const {
  switch (thread(lane).instructions[state.lanes[lane].at].kind) {
    case InstructionKind::meet:
      return rules_.votes;
    case InstructionKind::head:
      return rules_.labels;
    case InstructionKind::access:
    case InstructionKind::choice:
      return rules_.accesses;
    default:
      return Meets::alone;
  }
}

// Whether a thread has passed the label of its block: nobody comes to that any more. Where labels
// do not wait it has.
bool Tangled::is_open(const Tangles& state, int lane) const {
  return !rules_.waits_at_labels() || unknown(state, block_of(state, lane)).empty();
}

ThreadSet Tangled::behind(const Tangles& state, int lane) const {
  const int at = state.lanes[lane].at;
  ThreadSet result;
  for (const int other : active(state, block_of(state, lane))) {
    if (state.lanes[other].at < at) result |= ThreadSet::single(other);
  }
  return result;
}

ThreadSet Tangled::awaited(const Tangles& state, int lane) const {
  const Meets how = meets(state, lane);
  if (how == Meets::anywhere) {
    const auto operation = [&](int other) {
      const Instruction& in = thread(other).instructions[state.lanes[other].at];
      return in.kind == InstructionKind::meet ? static_cast<int>(code_.operations[in.operation])
                                              : -1;
    };
    ThreadSet others;
    for (const int other : alive(state)) {
      if (operation(other) != operation(lane)) others |= ThreadSet::single(other);
    }
    return others;
  }
  const bool alone = how == Meets::alone;
  if (alone && !rules_.waits_at_labels()) return {};
  const DynamicBlock block = block_of(state, lane);
  const ThreadSet to_come =
      how == Meets::speculating ? coming(state, block) : unknown(state, block);
  return alone ? to_come : to_come | behind(state, lane);
}

// Threads of a block that have gone past an instruction did so before anybody could wait there, so
// those that stand at it are all of them, once nobody is behind.
ThreadSet Tangled::together(const Tangles& state, int lane) const {
  const Meets how = meets(state, lane);
  if (how == Meets::alone || how == Meets::in_turn) return ThreadSet::single(lane);
  if (how == Meets::anywhere) return alive(state);
  ThreadSet result;
  for (const int other : active(state, block_of(state, lane))) {
    if (state.lanes[other].at == state.lanes[lane].at) result |= ThreadSet::single(other);
  }
  return result;
}

ThreadSet Tangled::running(const Tangles& state) const {
  ThreadSet result;
  for (const int lane : alive(state)) {
    if (!awaited(state, lane).empty()) continue;
    if (together(state, lane).min() == lane) result |= ThreadSet::single(lane);
  }
  return result;
}

ThreadSet Tangled::next_sides(const Tangles& state) const {
  const ThreadSet all = running(state);
  ThreadSet own;
  for (const int lane : all) {
    const bool goes_on = !(together(state, lane) & state.side).empty();
    if (goes_on) own |= ThreadSet::single(lane);
  }
  return own.empty() ? all : own;
}

bool Tangled::may_be_dropped(const Tangles& state) const {
  const auto made = [](const Tangles::Guess& guess) { return guess.made; };
  return !state.closed.empty() ||
         std::any_of(state.guesses.begin(), state.guesses.end(), [&](const auto& of_vote) {
           return std::any_of(of_vote.begin(), of_vote.end(), made);
         });
}

// Steps ------------------------------------------------------------------------------------------

Tangles Tangled::start() const {
  Tangles first;
  for (const Machine& machine : machines_) first.lanes.push_back(machine.before());
  first.rounds.assign(machines_.size(), std::vector<int>(thread().loops.size(), 0));
  if (rules_.guesses) {
    first.guesses.assign(votes_.size(), std::vector<Tangles::Guess>(machines_.size()));
  }
  // Who ends or goes wrong without any access takes a step for that; where labels wait, all do.
  const auto try_run = [&](Tangles& state, ThreadSet lanes) {
    Tangles then = state;
    LanesTaken taken;
    Choices choices;
    Passed passed(machines_.size());
    run(then, lanes, passed, choices, taken);
    if (taken.failed_lane < 0 && !then.over && ended(then).empty()) state = std::move(then);
  };
  Tangles state = std::move(first);
  if (rules_.waits_at_labels()) {
    try_run(state, ThreadSet::first(size()));
  } else {
    for (const int lane : ThreadSet::first(size())) try_run(state, ThreadSet::single(lane));
  }
  return state;
}

void Tangled::fail(Tangles& state, const Failure& failure, int lane, LanesTaken& taken) const {
  state.lanes[lane].at = ThreadState::kFailed;
  taken.failure = failure;
  taken.failed_lane = lane;
}

// The threads in the order in which they make their accesses: of those to one cell any, unless
// nobody can tell.
std::vector<int> Tangled::in_order(const Tangles& state, ThreadSet members,
                                   Choices& choices) const {
  std::vector<int> order;
  const Instruction& in = thread().instructions[state.lanes[members.min()].at];
  const bool fixed =
      rules_.one_side || in.kind != InstructionKind::access || in.access == AccessKind::load;
  ThreadSet rest = members;
  while (!rest.empty()) {
    const int first = rest.min();
    const int cell = machines_[first].access(state.lanes[first]).cell;
    std::vector<int> same;
    for (const int lane : rest) {
      if (lane == first || machines_[lane].access(state.lanes[lane]).cell == cell) {
        same.push_back(lane);
      }
    }
    if (fixed) same = {first};
    for (const int lane : same) rest -= ThreadSet::single(lane);
    // Of stores the last one counts.
    if (in.access == AccessKind::store && same.size() > 1) {
      const int last = choices.pick(static_cast<int>(same.size()));
      std::rotate(same.begin() + last, same.begin() + last + 1, same.end());
      order.insert(order.end(), same.begin(), same.end());
      continue;
    }
    while (!same.empty()) {
      const int next = choices.pick(static_cast<int>(same.size()));
      order.push_back(same[static_cast<std::size_t>(next)]);
      same.erase(same.begin() + next);
    }
  }
  return order;
}

void Tangled::perform(Tangles& state, int lane, WritableMemory& memory, Choices& choices,
                      LanesTaken& taken) const {
  const Machine& machine = machines_[lane];
  ThreadState& local = state.lanes[lane];
  const Access access = machine.access(local);
  const int old = access.cell < 0 ? 0 : memory.value(access.cell);
  const int choice = choices.pick(machine.choices(local, access, old));
  Failure failure;
  const auto written = machine.perform(local, access, old, failure, choice);
  taken.changes.push_back({lane, access, old, written, choice});
  if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
  if (written) memory.set(access.cell, *written);
}

void Tangled::vote(Tangles& state, ThreadSet members, LanesTaken& taken) const {
  std::optional<DynamicBlock> closes;
  if (rules_.votes == Meets::speculating) closes = block_of(state, members.min());
  std::vector<Contribution> brought;
  std::vector<int> at;
  for (const int lane : members) {
    ThreadState& own = state.lanes[lane];
    const Instruction& in = thread(lane).instructions[own.at];
    at.push_back(own.at);
    Failure failure;
    machines_[lane].perform(own, {}, 0, failure);
    taken.changes.push_back({lane, {}, 0, {}, 0});
    if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
    brought.push_back({lane, own.registers[in.target], in.from < 0 ? 0 : own.registers[in.from]});
  }
  for (std::size_t i = 0; i < brought.size(); ++i) {
    const int lane = brought[i].lane;
    const Instruction& in = thread(lane).instructions[at[i]];
    Failure failure;
    const std::vector<int> results = operate(code_.operations[in.operation], brought, failure);
    failure.source = in.source;
    if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
    state.lanes[lane].registers[in.target] = taken.changes[i].result = results[i];
    state.lanes[lane].at = behind_vote(thread(lane), at[i]);
  }
  const bool known =
      closes && std::find(state.closed.begin(), state.closed.end(), *closes) != state.closed.end();
  if (closes && !known) state.closed.push_back(*closes);
}

// A vote whose result nobody waits for.
void Tangled::guess(Tangles& state, int lane, Choices& choices, LanesTaken& taken) const {
  ThreadState& own = state.lanes[lane];
  const int at = own.at;
  const Instruction& in = thread(lane).instructions[at];
  Failure failure;
  machines_[lane].perform(own, {}, 0, failure);
  taken.changes.push_back({lane, {}, 0, {}, 0});
  if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
  const RegisterRange& range = thread(lane).registers[in.target];
  const int result = range.low + choices.pick(range.high - range.low + 1);
  const auto vote = std::lower_bound(votes_.begin(), votes_.end(), at) - votes_.begin();
  state.guesses[static_cast<std::size_t>(vote)][lane] = {
      true, own.registers[in.target], in.from < 0 ? 0 : own.registers[in.from], result};
  own.registers[in.target] = taken.changes.back().result = result;
  own.at = behind_vote(thread(lane), at);
}

// Drops the run if a guess has not come true at a vote to which nobody comes any more, and forgets
// those that have.
void Tangled::check_guesses(Tangles& state) const {
  for (std::size_t v = 0; v < state.guesses.size(); ++v) {
    auto& own = state.guesses[v];
    const auto comes = [&](int lane) {
      const int at = state.lanes[lane].at;
      const bool here = flow_.block(at) == flow_.block(votes_[v]) && at <= votes_[v];
      return here ||
             flow_.may_come(at, state.rounds[lane], {flow_.block(votes_[v]), state.rounds[lane]});
    };
    std::vector<Contribution> brought;
    bool open = false;
    for (const int lane : alive(state)) open = open || (!own[lane].made && comes(lane));
    for (int lane = 0; lane < size(); ++lane) {
      if (own[lane].made) brought.push_back({lane, own[lane].operand, own[lane].from});
    }
    if (open || brought.empty()) continue;
    const Instruction& in = thread().instructions[votes_[v]];
    Failure failure;
    const std::vector<int> results = operate(code_.operations[in.operation], brought, failure);
    for (std::size_t i = 0; i < brought.size(); ++i) {
      const bool wrong = own[brought[i].lane].result != results[i];
      state.dropped = state.dropped || wrong || failure.kind != Failure::Kind::none;
    }
    std::fill(own.begin(), own.end(), Tangles::Guess());
  }
}

void Tangled::step(Tangles& state, int lane, WritableMemory& memory, Choices& choices,
                   LanesTaken& taken) const {
  const ThreadSet members = together(state, lane);
  const InstructionKind kind = thread(lane).instructions[state.lanes[lane].at].kind;
  Passed passed(machines_.size());
  // Those that wait at labels go on without a step of their own.
  ThreadSet waiting;
  for (const int other : alive(state)) {
    if (!is_open(state, other)) waiting |= ThreadSet::single(other);
  }
  if (rules_.one_side) state.side = members;
  if (kind == InstructionKind::meet && rules_.guesses) {
    guess(state, lane, choices, taken);
  } else if (kind == InstructionKind::meet) {
    vote(state, members, taken);
  } else if (kind != InstructionKind::head) {
    for (const int member : in_order(state, members, choices)) {
      perform(state, member, memory, choices, taken);
      if (taken.failed_lane >= 0) return;
    }
  }
  if (taken.failed_lane >= 0) return;
  run(state, members | waiting, passed, choices, taken);
}

// Local computation ------------------------------------------------------------------------------

// A thread goes round a loop, from `before` on. Where so many rounds are between it and what is
// next in front that they are not told apart, there may be as many still, or one less.
void Tangled::close_up(Tangles& state, int loop, const std::vector<int>& before,
                       Choices& choices) const {
  std::vector<int*> in_front;
  for (const int other : alive(state)) in_front.push_back(&state.rounds[other][0] + loop);
  std::erase_if(in_front, [&](const int* round) {
    return *round <= before[loop] || !std::equal(round - loop, round, before.begin());
  });
  for (DynamicBlock& block : state.closed) {
    const bool ahead = block.rounds[loop] > before[loop];
    if (ahead && same_outside(block.rounds, before, loop)) in_front.push_back(&block.rounds[loop]);
  }
  const auto next = std::min_element(in_front.begin(), in_front.end(),
                                     [](const int* a, const int* b) { return *a < *b; });
  if (next == in_front.end() || **next - before[loop] < kMostApart) return;
  if (!wide_) {
    state.beyond = true;
  } else if (choices.pick(2) == 1) {
    for (int* round : in_front) ++*round;
  }
}

// Takes note that a thread has come from an instruction to where it stands now.
void Tangled::go(Tangles& state, int lane, int from, Choices& choices) const {
  const int to = state.lanes[lane].at;
  if (!has_blocks()) return;
  const std::vector<int> before = state.rounds[lane];
  const int loop = flow_.go(from, to, state.rounds[lane]);
  if (loop >= 0 && flow_.is_counted(loop) && !rules_.waits_at_labels()) {
    std::vector<int> own = before;
    std::swap(own, state.rounds[lane]);
    close_up(state, loop, before, choices);
    std::swap(own, state.rounds[lane]);
  }
  if (!flow_.begins_block(to)) return;
  const DynamicBlock block = block_of(state, lane);
  const bool closed =
      std::find(state.closed.begin(), state.closed.end(), block) != state.closed.end();
  state.dropped = state.dropped || closed;
}

// Computes on for one thread to where it stands next.
void Tangled::compute(Tangles& state, int lane, Passed& passed, Choices& choices,
                      LanesTaken& taken) const {
  ThreadState& own = state.lanes[lane];
  auto& heads = passed[lane];
  heads.resize(thread(lane).instructions.size());
  while (!state.over && !state.dropped && !state.beyond) {
    const InstructionKind kind = thread(lane).instructions[own.at].kind;
    const int from = own.at;
    if (kind == InstructionKind::end || !is_open(state, lane)) return;
    if (kind == InstructionKind::head) {
      if (heads[from]) return;
      heads[from] = true;
      ++own.at;
    } else if (is_stop(kind)) {
      return;
    } else {
      Failure failure;
      machines_[lane].compute(own, failure);
      if (failure.kind != Failure::Kind::none) return fail(state, failure, lane, taken);
      if (own.at == ThreadState::kOver) state.over = true;
    }
    if (!state.over) go(state, lane, from, choices);
  }
}

// Computes on for threads that took a step, and those that waited at labels, as long as one of them
// lets another one go on.
void Tangled::run(Tangles& state, ThreadSet lanes, Passed& passed, Choices& choices,
                  LanesTaken& taken) const {
  // A head that a step has been taken for is passed.
  for (const int lane : lanes) {
    passed[lane].resize(thread(lane).instructions.size());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const int lane : lanes - ended(state)) {
      const int before = state.lanes[lane].at;
      const std::vector<int> rounds = state.rounds[lane];
      compute(state, lane, passed, choices, taken);
      if (taken.failed_lane >= 0) return;
      if (state.over || state.dropped || state.beyond) return;
      changed = changed || state.lanes[lane].at != before || state.rounds[lane] != rounds;
    }
  }
  check_guesses(state);
  tidy(state);
}

// Equal behaviour is equal data ------------------------------------------------------------------

// Only differences of rounds matter: of a loop in one round of those around it, how many there are
// between threads, if one that is behind can go round, or has yet to come to the loop; else only
// who is ahead.
void Tangled::tidy_rounds(Tangles& state, int loop) const {
  const auto is_inside = [&](int lane) {
    const auto& around = flow_.around(state.lanes[lane].at);
    return std::find(around.begin(), around.end(), loop) != around.end();
  };
  ThreadSet todo;
  for (const int lane : alive(state)) {
    if (is_inside(lane)) todo |= ThreadSet::single(lane);
  }
  const auto closed_here = [&](const DynamicBlock& block) {
    const auto& around = flow_.around(block.block);
    return std::find(around.begin(), around.end(), loop) != around.end();
  };
  while (!todo.empty()) {
    const std::vector<int> own = state.rounds[todo.min()];
    ThreadSet inside;
    for (const int lane : todo) {
      if (same_outside(state.rounds[lane], own, loop)) inside |= ThreadSet::single(lane);
    }
    todo -= inside;
    DynamicBlock entry{flow_.head(loop), state.rounds[inside.min()]};
    std::fill(entry.rounds.begin() + loop, entry.rounds.end(), 0);
    bool goes_on = false;  // whether one so far may come to all that is ahead
    for (const int lane : alive(state) - inside) {
      goes_on = goes_on || flow_.may_come(state.lanes[lane].at, state.rounds[lane], entry);
    }
    std::vector<int> points;
    for (const int lane : inside) points.push_back(state.rounds[lane][loop]);
    for (const DynamicBlock& block : state.closed) {
      if (closed_here(block) && same_outside(block.rounds, own, loop))
        points.push_back(block.rounds[loop]);
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<int> becomes(static_cast<std::size_t>(points.back()) + 1, 0);
    int last = goes_on ? 0 : points.front(), now = 0;
    for (const int point : points) {
      const int apart = point - last;
      now += goes_on ? std::min(apart, kMostApart) : std::min(apart, 1);
      becomes[static_cast<std::size_t>(point)] = now;
      for (const int lane : inside) {
        if (state.rounds[lane][loop] != point) continue;
        goes_on = goes_on || flow_.may_go_round(state.lanes[lane].at, loop);
      }
      last = point;
    }
    const bool closes = rules_.votes == Meets::speculating;
    if (now > (closes ? kMostRoundsClosed : kMostRounds)) state.beyond = true;
    const auto put = [&](std::vector<int>& rounds) {
      rounds[loop] = becomes[static_cast<std::size_t>(rounds[loop])];
    };
    for (DynamicBlock& block : state.closed) {
      if (closed_here(block) && same_outside(block.rounds, own, loop)) put(block.rounds);
    }
    for (const int lane : inside) put(state.rounds[lane]);
  }
}

void Tangled::tidy(Tangles& state) const {
  for (const int lane : ended(state)) {
    std::fill(state.rounds[lane].begin(), state.rounds[lane].end(), 0);
  }
  std::erase_if(state.closed,
                [&](const DynamicBlock& block) { return unknown(state, block).empty(); });
  for (int loop = 0; loop < flow_.loops(); ++loop) {
    if (flow_.is_counted(loop)) tidy_rounds(state, loop);
  }
  const auto key = [](const DynamicBlock& block) { return std::tie(block.block, block.rounds); };
  std::sort(state.closed.begin(), state.closed.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  for (int lane = 0; lane < size(); ++lane) machines_[lane].forget(state.lanes[lane]);
  state.side -= ended(state);
  if (rules_.one_side && next_sides(state) == running(state)) state.side = {};
}

}  // namespace headway::lang::idiom
