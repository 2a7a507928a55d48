#include "synth/explicit/explicit_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "base/bits/group_set.hpp"

namespace headway::synth {
namespace {

using axb::Instruction;
using Barrier = Instruction::Barrier;
using State = std::uint16_t;     // local states of threads and memory in mixed radix
constexpr State kOpen = 0xffff;  // a step that an open choice decides
constexpr State kNone = 0xfffe;  // no step: the thread waits at a barrier

constexpr int kPhases = 3;  // of a thread at an instruction that may be a barrier
int phases(const Bounds& bounds, int thread) {
  return barriers_of(bounds, thread).empty() ? 1 : kPhases;
}

std::size_t state_count(const Bounds& bounds, const Shape& shape) {
  std::size_t count = 1;
  const auto multiply = [&](std::size_t by) { count = std::min(count * by, std::size_t{1} << 40); };
  for (std::size_t t = 0; t < shape.size(); ++t) {
    multiply(static_cast<std::size_t>(shape[t] * phases(bounds, static_cast<int>(t)) + 1));
  }
  for (int l = 0; l < bounds.locations; ++l) multiply(static_cast<std::size_t>(bounds.values));
  return count;
}

}  // namespace

// A depth-first search over partial programs. The LTS of the partial program, as far as its
// choices determine it, is kept up to date along the way and unwound on the way back.
class ExplicitEngine::Search {
 public:
  Search(const Bounds& bounds, const Requirements& requirements, const Shape& shape)
      : bounds_(bounds), requirements_(requirements), shape_(shape), launch_(bounds.topology()) {
    threads_ = static_cast<int>(shape.size());
    std::size_t stride = 1;
    for (const int length : shape) {
      const auto thread = static_cast<int>(first_.size());
      barriers_.push_back(barriers_of(bounds, thread));
      phases_.push_back(phases(bounds, thread));
      has_barriers_ = has_barriers_ || phases_.back() > 1;
      first_.push_back(static_cast<int>(slots_.size()));
      for (int i = 0; i < length; ++i) {
        slots_.push_back({});
        slots_.back().thread = static_cast<std::uint8_t>(first_.size() - 1);
        slots_.back().index = static_cast<std::uint8_t>(i);
      }
      pc_stride_.push_back(static_cast<int>(stride));
      stride *= static_cast<std::size_t>(length * phases_.back() + 1);
    }
    for (int l = 0; l < bounds.locations; ++l) {
      value_stride_.push_back(static_cast<int>(stride));
      stride *= static_cast<std::size_t>(bounds.values);
    }
    states_ = stride;
    tabulate();
    branching_.resize(bounds.locations);
    exchanging_.resize(bounds.locations);
    using_.resize(bounds.locations);
  }

  const Shape& shape() const { return shape_; }

  bool run(const Instructions& first, const Found& found, const std::atomic<bool>& stop) {
    found_ = &found;
    stop_ = &stop;
    stopped_ = false;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      const Slot blank = slots_[s];
      slots_[s] = {};
      slots_[s].thread = blank.thread;
      slots_[s].index = blank.index;
      if (s >= first.size()) continue;
      slots_[s].instruction = first[s];
      slots_[s].store = first[s].jump == blank.index + 1;
      // The cube fixes the target as well; a search of its own leaves it open until it is needed.
      slots_[s].defined = slots_[s].target_fixed = true;
    }
    if (!may_influence() || !may_be_canonical() || !may_meet()) return true;
    reached_.clear();
    std::fill(seen_.begin(), seen_.end(), 0);
    add(0);
    explore(0);
    decide();
    return !stopped_;
  }

 private:
  // Where a thread stands at an instruction: in front of it, waiting at it, or let through. Threads
  // without barriers stand in front of all of theirs.
  enum class Phase : std::uint8_t { before, waiting, passing };

  // An instruction of the partial program.
  struct Slot {
    Instruction instruction;
    std::uint8_t thread = 0;
    std::uint8_t index = 0;
    bool defined = false;        // everything but, perhaps, the target
    bool store = false;          // or a barrier: no branch
    bool target_fixed = false;   // always for stores
    bool needed = false;         // some execution has reached it
    bool target_needed = false;  // and found the comparison true
    bool taken = false;
    bool not_taken = false;
    bool changes = false;  // memory, in some state
  };

  void tabulate() {
    pc_.assign(static_cast<std::size_t>(threads_) * states_, 0);
    phase_.assign(has_barriers_ ? pc_.size() : 0, Phase::before);
    value_.assign(static_cast<std::size_t>(bounds_.locations) * states_, 0);
    for (std::size_t s = 0; s < states_; ++s) {
      for (int t = 0; t < threads_; ++t) {
        const std::size_t local = s / pc_stride_[t] % (shape_[t] * phases_[t] + 1);
        pc_[t * states_ + s] = static_cast<std::uint8_t>(local / phases_[t]);
        if (has_barriers_)
          phase_[t * states_ + s] = Phase{static_cast<std::uint8_t>(local % phases_[t])};
      }
      for (int l = 0; l < bounds_.locations; ++l) {
        value_[l * states_ + s] = static_cast<std::uint8_t>(s / value_stride_[l] % bounds_.values);
      }
    }
    seen_.assign(states_, 0);
    can_finish_.assign(states_, 0);
    next_.assign(states_ * static_cast<std::size_t>(threads_), kOpen);
    degree_.assign(states_, 0);
  }

  int pc(State state, int thread) const { return pc_[thread * states_ + state]; }
  Phase phase(State state, int thread) const {
    return has_barriers_ ? phase_[thread * states_ + state] : Phase::before;
  }
  int value(State state, int location) const { return value_[location * states_ + state]; }
  bool terminated(State state, int thread) const { return pc(state, thread) == shape_[thread]; }
  State& next(State state, int thread) {
    return next_[static_cast<std::size_t>(state) * threads_ + thread];
  }

  void add(State state) {
    if (seen_[state]) return;
    seen_[state] = 1;
    reached_.push_back(state);
  }

  // Determines the step of a thread from a state, if the choices made so far do.
  void step(State state, int thread) {
    const int at = pc(state, thread);
    Slot& slot = slots_[first_[thread] + at];
    next(state, thread) = kOpen;
    if (!slot.defined) {
      slot.needed = true;
      return;
    }
    if (slot.instruction.is_barrier()) return meet(state, thread);
    const Instruction& i = slot.instruction;
    const int old = value(state, i.location);
    int pc_change = 1;
    if (old == i.check_value) {
      if (!slot.target_fixed) {
        slot.target_needed = true;
        return;
      }
      pc_change = i.jump - at;
      slot.taken = true;
    } else {
      slot.not_taken = true;
    }
    int moved = state + pc_change * phases_[thread] * pc_stride_[thread];
    if (i.exchanges && old != i.exchange_value) {
      moved += (i.exchange_value - old) * value_stride_[i.location];
      slot.changes = true;
    }
    finish_step(state, thread, moved);
  }

  // The step of a thread at a barrier.
  void meet(State state, int thread) {
    const Slot& slot = slots_[first_[thread] + pc(state, thread)];
    const int stride = pc_stride_[thread];
    switch (phase(state, thread)) {
      case Phase::before: {
        const Level level = level_of(slot.instruction.barrier);
        next(state, thread) = release(static_cast<State>(state + stride), level, thread);
        add(next(state, thread));
        return;
      }
      case Phase::waiting:
        next(state, thread) = kNone;
        return;
      case Phase::passing:
        finish_step(state, thread, state + stride);
        return;
    }
  }

  // A step that leads behind an instruction or back, and perhaps to the end.
  void finish_step(State state, int thread, int moved) {
    auto target = static_cast<State>(moved);
    if (has_barriers_ && bounds_.barriers.ended_count && terminated(target, thread)) {
      target = release(target, Level::subgroup, thread);
      target = release(target, Level::workgroup, thread);
    }
    next(state, thread) = target;
    add(target);
  }

  // Lets the group of a thread through if all of it waits at the barrier of `level` or, where that
  // counts, has ended.
  State release(State state, Level level, int thread) const {
    int released = state;
    for (const int t : group_around(launch_, level, thread)) {
      if (terminated(state, t)) {
        if (!bounds_.barriers.ended_count) return state;
        continue;
      }
      const Slot& slot = slots_[first_[t] + pc(state, t)];
      const bool waits =
          phase(state, t) == Phase::waiting && level_of(slot.instruction.barrier) == level;
      if (!waits) return state;
      released += pc_stride_[t];
    }
    return static_cast<State>(released);
  }

  // Takes all determined steps from the states reached since `head`.
  void explore(std::size_t head) {
    for (; head < reached_.size(); ++head) {
      for (int t = 0; t < threads_; ++t) {
        if (!terminated(reached_[head], t)) step(reached_[head], t);
      }
    }
  }

  // Whether every reached state can still reach the end, or a step that is open. A state that
  // cannot has only determined steps ahead of it, so no completion can help it.
  bool all_can_finish() {
    std::size_t left = 0;
    for (const State state : reached_) {
      bool can = true;  // all threads have terminated
      for (int t = 0; t < threads_; ++t) {
        if (terminated(state, t)) continue;
        can = next(state, t) == kOpen;
        if (can) break;
      }
      can_finish_[state] = can;
      left += can ? 0 : 1;
    }
    for (bool changed = true; changed && left > 0;) {
      changed = false;
      for (std::size_t r = reached_.size(); r-- > 0;) {
        const State state = reached_[r];
        if (can_finish_[state]) continue;
        for (int t = 0; t < threads_; ++t) {
          if (terminated(state, t) || next(state, t) == kNone) continue;
          if (!can_finish_[next(state, t)]) continue;
          can_finish_[state] = 1;
          changed = true;
          --left;
          break;
        }
      }
    }
    return left == 0;
  }

  bool steps(State state, int thread) {
    return !terminated(state, thread) && next(state, thread) != kNone;
  }

  // Peels off states that no state left points to; what cannot be peeled lies on or behind a cycle.
  bool has_cycle() {
    for (const State state : reached_) degree_[state] = 0;
    for (const State state : reached_) {
      for (int t = 0; t < threads_; ++t) {
        if (steps(state, t)) ++degree_[next(state, t)];
      }
    }
    queue_.clear();
    for (const State state : reached_) {
      if (degree_[state] == 0) queue_.push_back(state);
    }
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      for (int t = 0; t < threads_; ++t) {
        if (!steps(queue_[head], t)) continue;
        const State target = next(queue_[head], t);
        if (--degree_[target] == 0) queue_.push_back(target);
      }
    }
    return queue_.size() < reached_.size();
  }

  // Constraint 5, as far as it can be judged: what an undefined instruction will use is open.
  bool may_influence() {
    std::fill(branching_.begin(), branching_.end(), 0U);
    std::fill(exchanging_.begin(), exchanging_.end(), 0U);
    std::fill(using_.begin(), using_.end(), 0U);
    std::uint32_t open = 0;
    for (const Slot& slot : slots_) {
      const std::uint32_t self = 1U << slot.thread;
      if (!slot.defined) {
        open |= self;
        continue;
      }
      if (slot.instruction.is_barrier()) continue;
      const int location = slot.instruction.location;
      using_[location] |= self;
      if (!slot.store) branching_[location] |= self;
      if (slot.instruction.exchanges) exchanging_[location] |= self;
    }
    for (int l = 0; l < bounds_.locations; ++l) {
      if (lonely(exchanging_[l], branching_[l] | open)) return false;
      if (lonely(branching_[l], using_[l] | open)) return false;
    }
    return true;
  }

  // Whether some thread of `who` has no other thread among `others`.
  static bool lonely(std::uint32_t who, std::uint32_t others) {
    if (who == 0) return false;
    if (others == 0) return true;
    const bool single = (others & (others - 1)) == 0;
    return single && (who & others) != 0;
  }

  // Locations numbered by first use, as far as the text is defined from its start.
  bool may_be_canonical() const {
    int unused = 0;
    for (const Slot& slot : slots_) {
      if (!slot.defined) return true;
      if (slot.instruction.is_barrier()) continue;
      if (slot.instruction.location > unused) return false;
      if (slot.instruction.location == unused) ++unused;
    }
    return true;
  }

  // Whether each thread that a barrier waits for may come to one, as far as that can be judged.
  // (One that has ended may count; then nothing is judged here.)
  bool may_meet() const {
    if (!has_barriers_ || bounds_.barriers.ended_count) return true;
    for (const Level level : {Level::workgroup, Level::subgroup}) {
      ThreadSet coming, open;
      for (const Slot& slot : slots_) {
        const ThreadSet self = ThreadSet::single(slot.thread);
        if (!slot.defined) open |= self;
        const Barrier barrier = slot.instruction.barrier;
        if (barrier != Barrier::none && level_of(barrier) == level) coming |= self;
      }
      for (const int thread : coming) {
        const int group = launch_.group_of(level, thread);
        if (!(coming | open).includes(threads_of(launch_, level, group))) return false;
      }
    }
    return true;
  }

  void decide() {
    if (stopped_ || *stop_) {
      stopped_ = true;
      return;
    }
    if (!all_can_finish()) return;
    // The choice with the fewest alternatives: a target before an instruction.
    int undefined = -1;
    bool all_defined = true;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      const Slot& slot = slots_[s];
      if (slot.target_needed && !slot.target_fixed) return decide_target(static_cast<int>(s));
      if (slot.defined) continue;
      all_defined = false;
      if (undefined < 0 && slot.needed) undefined = static_cast<int>(s);
    }
    if (undefined >= 0) return decide_instruction(undefined);
    if (all_defined) finish();  // otherwise some instruction is never reached: constraint 3
  }

  void decide_target(int s) {
    const Slot open = slots_[s];
    const int length = shape_[open.thread];
    for (int jump = 0; jump <= length && !stopped_; ++jump) {
      if (jump == open.index + 1) continue;
      Slot choice = open;
      choice.instruction.jump = static_cast<std::uint8_t>(jump);
      choice.target_fixed = true;
      continue_with(s, choice);
    }
  }

  void decide_instruction(int s) {
    const Slot open = slots_[s];
    for (int location = 0; location < bounds_.locations; ++location) {
      for (int value = 0; value < bounds_.values; ++value) {
        Slot store = open;
        store.defined = store.store = store.target_fixed = true;
        store.instruction = {static_cast<std::uint8_t>(location), 0,
                             static_cast<std::uint8_t>(open.index + 1), true,
                             static_cast<std::uint8_t>(value)};
        choose_instruction(s, store);
      }
      for (int check = 0; check < bounds_.values; ++check) {
        for (int value = -1; value < bounds_.values; ++value) {  // -1: no exchange
          Slot branch = open;
          branch.defined = true;
          branch.instruction = {static_cast<std::uint8_t>(location),
                                static_cast<std::uint8_t>(check), 0, value >= 0,
                                static_cast<std::uint8_t>(std::max(value, 0))};
          choose_instruction(s, branch);
        }
      }
    }
    for (const Barrier kind : barriers_[open.thread]) {
      Slot barrier = open;
      barrier.defined = barrier.store = barrier.target_fixed = true;
      barrier.instruction = axb::barrier_at(open.index, kind);
      choose_instruction(s, barrier);
    }
  }

  void choose_instruction(int s, const Slot& choice) {
    if (stopped_) return;
    const Slot open = slots_[s];
    slots_[s] = choice;
    const bool may_be_test = may_influence() && may_be_canonical() && may_meet();
    slots_[s] = open;
    if (may_be_test) continue_with(s, choice);
  }

  // Makes a choice for slot `s`, takes the steps that it determines, searches on, and undoes it.
  void continue_with(int s, const Slot& choice) {
    const std::vector<Slot>::size_type depth = saved_.size();
    saved_.insert(saved_.end(), slots_.begin(), slots_.end());
    const std::size_t reached = reached_.size();
    slots_[s] = choice;
    const std::size_t opened = opened_.size();
    for (std::size_t r = 0; r < reached; ++r) {
      const State state = reached_[r];
      if (pc(state, choice.thread) == choice.index && next(state, choice.thread) == kOpen) {
        opened_.push_back(state);
        step(state, choice.thread);
      }
    }
    explore(reached);
    decide();
    for (std::size_t r = reached; r < reached_.size(); ++r) seen_[reached_[r]] = 0;
    reached_.resize(reached);
    std::copy(saved_.begin() + static_cast<std::ptrdiff_t>(depth), saved_.end(), slots_.begin());
    saved_.resize(depth);
    for (; opened_.size() > opened; opened_.pop_back()) {
      next(opened_.back(), choice.thread) = kOpen;
    }
  }

  // All choices are made and all states known. Where every branch goes both ways, every instruction
  // is reached, those that the cube fixed included.
  void finish() {
    for (const Slot& slot : slots_) {
      if (!slot.store && !(slot.taken && slot.not_taken)) return;
      if (requirements_.effective_stores && slot.instruction.exchanges && !slot.changes) return;
    }
    if (!has_cycle()) return;
    code_.clear();
    for (const Slot& slot : slots_) code_.push_back(slot.instruction);
    if (bounds_.barriers.structured && !is_structured(to_code(bounds_, shape_, code_))) return;
    if (!(*found_)(code_)) stopped_ = true;
  }

  const Bounds bounds_;
  const Requirements requirements_;
  const Shape shape_;
  const Topology launch_;
  std::vector<std::vector<Barrier>> barriers_;  // that a thread may come to
  std::vector<int> phases_;                     // of a thread at an instruction
  bool has_barriers_ = false;
  int threads_ = 0;
  std::size_t states_ = 0;
  std::vector<int> first_;  // slot of a thread
  std::vector<int> pc_stride_, value_stride_;
  std::vector<std::uint8_t> pc_, value_;  // of a state, by thread and by location
  std::vector<Phase> phase_;              // where there are barriers
  // The partial program and its LTS.
  std::vector<Slot> slots_;
  std::vector<State> reached_;
  std::vector<std::uint8_t> seen_;
  std::vector<State> next_;
  std::vector<Slot> saved_;    // a stack of slots_
  std::vector<State> opened_;  // a stack of the states whose open steps choices determined
  // Scratch.
  std::vector<std::uint8_t> can_finish_;
  std::vector<std::uint16_t> degree_;
  std::vector<State> queue_;
  std::vector<std::uint32_t> branching_, exchanging_, using_;  // threads, by location
  Instructions code_;

  const Found* found_ = nullptr;
  const std::atomic<bool>* stop_ = nullptr;
  bool stopped_ = false;
};

ExplicitEngine::ExplicitEngine(const Bounds& bounds, const Requirements& requirements)
    : bounds_(bounds), requirements_(requirements) {
  if (!applies(bounds)) {
    throw Error(
        fmt::format("a program of these bounds can have more than {} states, too many for the "
                    "explicit engine; use the SAT engine",
                    kMaxStates));
  }
}

bool ExplicitEngine::applies(const Bounds& bounds) {
  const std::vector<Shape> all = shapes(bounds);
  return std::all_of(all.begin(), all.end(),
                     [&](const Shape& shape) { return state_count(bounds, shape) <= kMaxStates; });
}

ExplicitEngine::~ExplicitEngine() = default;

bool ExplicitEngine::enumerate(const Cube& cube, const Found& found,
                               const std::atomic<bool>& stop) {
  if (search_ == nullptr || search_->shape() != cube.shape) {
    search_ = std::make_unique<Search>(bounds_, requirements_, cube.shape);
  }
  return search_->run(cube.first, found, stop);
}

}  // namespace headway::synth
