#include "synth/explicit/lockstep_engine.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <optional>

#include "base/bits/group_set.hpp"
#include "lang/axb/lanes.hpp"

namespace headway::synth {
namespace {

using axb::Flow;
using axb::Instruction;
using axb::Lanes;
using Barrier = Instruction::Barrier;

// An instruction of a partial program, of which nothing may be chosen yet, where it goes, what it
// does, or both.
struct Slot {
  Instruction instruction;
  int thread = 0;
  int index = 0;
  bool goes = false;  // whether the target is chosen
  bool does = false;  // whether location and values are, or it is a barrier or asks for the lane
  // What executions have shown of a branch, and of an exchange.
  bool taken = false, not_taken = false, changes = false;

  bool is_chosen() const { return goes && does; }
  bool goes_straight() const { return goes && instruction.jump == index + 1; }
};

enum class Phase : std::uint8_t { before, waiting, passing };  // of a barrier

// A state of the partial program.
struct LockstepState {
  std::vector<Lanes> lanes;  // by thread
  std::vector<Phase> phases;
  std::vector<std::uint8_t> memory;

  // Some bytes that are equal exactly for equal states.
  std::string key() const {
    std::string bytes;
    const auto put = [&](std::uint64_t value) { bytes.push_back(static_cast<char>(value)); };
    for (std::size_t t = 0; t < lanes.size(); ++t) {
      put(static_cast<std::uint64_t>(phases[t]));
      put(lanes[t].active.bits());
      for (const std::uint8_t at : lanes[t].at) put(at);
      put(lanes[t].partings.size());
      for (const Lanes::Parting& parting : lanes[t].partings) {
        put(static_cast<std::uint64_t>(parting.point));
        put(parting.waiting.bits());
        put(parting.pending.bits());
      }
    }
    for (const std::uint8_t value : memory) put(value);
    return bytes;
  }
};
static_assert(kMaxSynthLanes <= 8, "sets of lanes are a byte of a key");

// What has to be chosen before a thread can take its step.
struct Open {
  enum class What : std::uint8_t { target, targets, instruction };
  What what;
  int slot;  // of `targets`, the first that has none
};

class LockstepSearch {
 public:
  // `needs_barrier`: finds only programs that have one.
  LockstepSearch(const Bounds& bounds, const Requirements& requirements, bool needs_barrier,
                 const Cube& cube, const Found& found, const std::atomic<bool>& stop)
      : bounds_(bounds),
        requirements_(requirements),
        needs_barrier_(needs_barrier),
        shape_(cube.shape),
        launch_(bounds.topology()),
        found_(found),
        stop_(stop) {
    for (int thread = 0; thread < bounds.threads; ++thread) {
      first_.push_back(static_cast<int>(slots_.size()));
      const int first_lane = lanes_;
      lanes_ += bounds.lanes_of(thread);
      threads_.push_back(ThreadSet::first(lanes_) - ThreadSet::first(first_lane));
      for (int index = 0; index < shape_[static_cast<std::size_t>(thread)]; ++index) {
        slots_.push_back({{}, thread, index});
      }
    }
    for (std::size_t s = 0; s < cube.first.size(); ++s) {
      slots_[s].instruction = cube.first[s];
      slots_[s].goes = slots_[s].does = true;
    }
  }

  bool run() {
    if (may_be_test()) grow();
    return !stopped_;
  }

 private:
  int length(int thread) const { return shape_[static_cast<std::size_t>(thread)]; }
  Slot& slot(int thread, int index) {
    return slots_[static_cast<std::size_t>(first_[thread] + index)];
  }

  // What is not chosen of the step of a thread in a state.
  std::optional<Open> open(const LockstepState& state, int thread) {
    const Lanes& lanes = state.lanes[thread];
    if (lanes.is_choosing()) return std::nullopt;
    const int at = first_[thread] + lanes.place();
    const Slot& here = slots_[at];
    if (!here.does) return Open{Open::What::instruction, at};
    if (here.instruction.is_barrier()) return std::nullopt;
    const ThreadSet jumping = jumping_in(state, thread, here.instruction);
    if (jumping.empty() || here.goes_straight()) return std::nullopt;
    if (!here.goes) return Open{Open::What::target, at};
    if (jumping == lanes.active) return std::nullopt;
    for (int index = 0; index < length(thread); ++index) {
      if (slot(thread, index).goes) continue;
      return Open{Open::What::targets, first_[thread] + index};
    }
    return std::nullopt;
  }

  ThreadSet jumping_in(const LockstepState& state, int thread,
                       const Instruction& instruction) const {
    const int old = instruction.is_access() ? state.memory[instruction.location] : 0;
    return axb::jumping(instruction, state.lanes[thread].active, old);
  }

  const Flow& flow(int thread) {
    std::unique_ptr<const Flow>& known = flows_[thread];
    if (!known) {
      texts_[thread].clear();
      for (int index = 0; index < length(thread); ++index) {
        const Slot& here = slot(thread, index);
        texts_[thread].push_back(here.instruction);
        // A place that nobody parts at may go anywhere.
        if (!here.goes) texts_[thread].back().jump = static_cast<std::uint8_t>(index + 1);
      }
      known = std::make_unique<const Flow>(texts_[thread], bounds_.barriers.ended_count);
    }
    return *known;
  }

  // The states behind the step of a thread, which is not open.
  std::vector<LockstepState> step(const LockstepState& state, int thread) {
    LockstepState next = state;
    Lanes& lanes = next.lanes[thread];
    if (lanes.is_choosing()) {
      LockstepState other = next;
      flow(thread).choose(lanes, 0);
      flow(thread).choose(other.lanes[thread], 1);
      return {let_through(std::move(next)), let_through(std::move(other))};
    }
    Slot& here = slot(thread, lanes.place());
    const Instruction& i = here.instruction;
    if (i.is_barrier()) {
      if (state.phases[thread] == Phase::before) {
        next.phases[thread] = Phase::waiting;
      } else {
        next.phases[thread] = Phase::before;
        flow(thread).go_on(lanes, {});
      }
      return {let_through(std::move(next))};
    }
    const ThreadSet jumping = jumping_in(state, thread, i);
    here.taken = here.taken || !jumping.empty();
    here.not_taken = here.not_taken || jumping != lanes.active;
    if (i.exchanges) {
      here.changes = here.changes || state.memory[i.location] != i.exchange_value;
      next.memory[i.location] = i.exchange_value;
    }
    flow(thread).go_on(lanes, jumping);
    return {let_through(std::move(next))};
  }

  bool waits(const LockstepState& state, int thread) const {
    const Lanes& lanes = state.lanes[thread];
    const bool counts = bounds_.barriers.ended_count;
    if (lanes.ended()) return counts;
    return state.phases[thread] == Phase::waiting && lanes.partings.empty() &&
           (counts || lanes.are_together());
  }

  // Lets those pass whose workgroup waits, or has ended where that counts.
  LockstepState let_through(LockstepState state) const {
    if (!bounds_.barriers.workgroup) return state;
    for (int w = 0; w < launch_.workgroups(); ++w) {
      const ThreadSet group = threads_of(launch_, Level::workgroup, w);
      bool all = true;
      for (const int thread : group) all = all && waits(state, thread);
      if (!all) continue;
      for (const int thread : group) {
        if (state.phases[thread] == Phase::waiting) state.phases[thread] = Phase::passing;
      }
    }
    return state;
  }

  // The LTS as far as the choices determine it, and the first step that is open, one with few
  // alternatives if there is one.
  void explore() {
    states_.clear();
    next_.clear();
    number_.clear();
    open_.reset();
    has_open_.clear();
    flows_.clear();
    flows_.resize(shape_.size());
    texts_.resize(shape_.size());
    for (Slot& slot : slots_) slot.taken = slot.not_taken = slot.changes = false;
    LockstepState start;
    for (int thread = 0; thread < bounds_.threads; ++thread) {
      start.lanes.push_back(Flow::start(bounds_.lanes_of(thread)));
    }
    start.phases.resize(shape_.size());
    start.memory.resize(static_cast<std::size_t>(bounds_.locations));
    add(std::move(start));
    for (std::size_t head = 0; head < states_.size(); ++head) {
      for (int thread = 0; thread < bounds_.threads; ++thread) {
        const LockstepState state = states_[head];
        if (state.lanes[thread].ended() || state.phases[thread] == Phase::waiting) continue;
        if (const auto found = open(state, thread)) {
          has_open_[head] = true;
          if (!open_ || found->what < open_->what) open_ = found;
          continue;
        }
        for (LockstepState& target : step(state, thread)) {
          const int to = add(std::move(target));
          next_[head].push_back(to);
        }
      }
    }
  }

  int add(LockstepState state) {
    const auto [known, is_new] = number_.try_emplace(state.key(), static_cast<int>(states_.size()));
    if (is_new) {
      states_.push_back(std::move(state));
      next_.emplace_back();
      has_open_.push_back(false);
    }
    return known->second;
  }

  // Whether each state may still come to one where all have ended; a step that is open may lead
  // anywhere.
  bool all_can_finish() const {
    std::vector<bool> can(states_.size());
    for (std::size_t s = 0; s < states_.size(); ++s) {
      const auto& lanes = states_[s].lanes;
      can[s] = has_open_[s] ||
               std::all_of(lanes.begin(), lanes.end(), [](const Lanes& l) { return l.ended(); });
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = states_.size(); s-- > 0;) {
        if (can[s]) continue;
        const auto& next = next_[s];
        can[s] = std::any_of(next.begin(), next.end(), [&](int to) { return can[to]; });
        changed = changed || can[s];
      }
    }
    return std::find(can.begin(), can.end(), false) == can.end();
  }

  // Peels off states that nothing left points to.
  bool has_cycle() const {
    std::vector<int> degree(states_.size());
    for (const auto& next : next_) {
      for (const int to : next) ++degree[to];
    }
    std::vector<int> queue;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (degree[s] == 0) queue.push_back(static_cast<int>(s));
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const int to : next_[queue[head]]) {
        if (--degree[to] == 0) queue.push_back(to);
      }
    }
    return queue.size() < states_.size();
  }

  // Constraints 5 and 7, and the numbers of locations, as far as they can be judged.
  bool may_be_test() const {
    std::vector<ThreadSet> branching(static_cast<std::size_t>(bounds_.locations));
    std::vector<ThreadSet> exchanging = branching, using_it = branching;
    ThreadSet open, meeting;
    int unused = 0;
    bool from_start = true;
    for (const Slot& slot : slots_) {
      const ThreadSet self = threads_[slot.thread];
      from_start = from_start && slot.does;
      if (!slot.does) {
        open |= self;
        continue;
      }
      const Instruction& i = slot.instruction;
      if (i.is_barrier()) meeting |= self;
      if (!i.is_access()) continue;
      using_it[i.location] |= self;
      if (!slot.goes_straight()) branching[i.location] |= self;
      if (i.exchanges) exchanging[i.location] |= self;
      if (from_start && i.location > unused) return false;
      if (from_start && i.location == unused) ++unused;
    }
    for (std::size_t l = 0; l < branching.size(); ++l) {
      if (lonely(exchanging[l], branching[l] | open)) return false;
      if (lonely(branching[l], using_it[l] | open)) return false;
    }
    if (bounds_.barriers.ended_count) return true;
    for (int thread = 0; thread < bounds_.threads; ++thread) {
      if (!meeting.includes(threads_[thread])) continue;
      for (const int other : group_around(launch_, Level::workgroup, thread)) {
        if (!(meeting | open).includes(threads_[other])) return false;
      }
    }
    return true;
  }

  static bool lonely(ThreadSet who, ThreadSet others) {
    for (const int thread : who) {
      if ((others - ThreadSet::single(thread)).empty()) return true;
    }
    return false;
  }

  void grow() {
    if (stopped_ || stop_) {
      stopped_ = true;
      return;
    }
    explore();
    if (!all_can_finish()) return;
    if (!open_) return finish();
    const Open next = *open_;
    switch (next.what) {
      case Open::What::target:
        return choose_target(next.slot);
      case Open::What::targets:
        if (slots_[next.slot].does) return choose_target(next.slot);
        return choose_way(next.slot);
      case Open::What::instruction:
        return choose_instruction(next.slot);
    }
  }

  void grow_with(int s, const Slot& choice) {
    if (stopped_) return;
    const Slot before = slots_[s];
    slots_[s] = choice;
    if (may_be_test()) grow();
    slots_[s] = before;
  }

  template <class Visit>
  void for_targets(const Slot& slot, const Visit& visit) const {
    for (int jump = 0; jump <= length(slot.thread); ++jump) {
      if (jump != slot.index + 1) visit(static_cast<std::uint8_t>(jump));
    }
  }

  void choose_target(int s) {
    Slot choice = slots_[s];
    choice.goes = true;
    for_targets(choice, [&](std::uint8_t jump) {
      choice.instruction.jump = jump;
      grow_with(s, choice);
    });
  }

  // Where an instruction goes, before what it does.
  void choose_way(int s) {
    Slot choice = slots_[s];
    choice.goes = true;
    choice.instruction = {};
    for (int jump = 0; jump <= length(choice.thread); ++jump) {
      choice.instruction.jump = static_cast<std::uint8_t>(jump);
      grow_with(s, choice);
    }
    choose_without_access(s);
  }

  // Barriers, and branches on the lane with their targets.
  void choose_without_access(int s) {
    Slot choice = slots_[s];
    choice.goes = choice.does = true;
    for (const Barrier kind : barriers_of(bounds_, choice.thread)) {
      choice.instruction = axb::barrier_at(choice.index, kind);
      grow_with(s, choice);
    }
    const int lanes = bounds_.lanes_of(choice.thread);
    for (int lane = 0; lanes > 1 && lane < lanes; ++lane) {
      for_targets(choice, [&](std::uint8_t jump) {
        choice.instruction = {};
        choice.instruction.asks_lane = true;
        choice.instruction.check_value = static_cast<std::uint8_t>(lane);
        choice.instruction.jump = jump;
        grow_with(s, choice);
      });
    }
  }

  void choose_instruction(int s) {
    const Slot before = slots_[s];
    for (int location = 0; location < bounds_.locations; ++location) {
      Slot choice = before;
      choice.does = true;
      choice.instruction.location = static_cast<std::uint8_t>(location);
      if (!before.goes || before.goes_straight()) choose_store(s, choice);
      if (!before.goes || !before.goes_straight()) choose_branch(s, choice);
    }
    if (!before.goes) choose_without_access(s);
  }

  void choose_store(int s, Slot choice) {
    choice.goes = true;
    choice.instruction.jump = static_cast<std::uint8_t>(choice.index + 1);
    choice.instruction.exchanges = true;
    for (int value = 0; value < bounds_.values; ++value) {
      choice.instruction.exchange_value = static_cast<std::uint8_t>(value);
      grow_with(s, choice);
    }
  }

  void choose_branch(int s, Slot choice) {
    for (int check = 0; check < bounds_.values; ++check) {
      choice.instruction.check_value = static_cast<std::uint8_t>(check);
      for (int value = -1; value < bounds_.values; ++value) {  // -1: no exchange
        choice.instruction.exchanges = value >= 0;
        choice.instruction.exchange_value = static_cast<std::uint8_t>(std::max(value, 0));
        grow_with(s, choice);
      }
    }
  }

  // All steps are determined. An instruction of which something is open is never reached, or never
  // taken: constraint 3.
  void finish() {
    for (const Slot& slot : slots_) {
      if (!slot.is_chosen()) return;
      if (!slot.goes_straight() && !(slot.taken && slot.not_taken)) return;
      if (requirements_.effective_stores && slot.instruction.exchanges && !slot.changes) return;
    }
    const bool has_barrier = std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) {
      return slot.instruction.is_barrier();
    });
    if ((needs_barrier_ && !has_barrier) || !has_cycle()) return;
    Instructions code;
    for (const Slot& slot : slots_) code.push_back(slot.instruction);
    if (bounds_.barriers.structured && !is_structured(to_code(bounds_, shape_, code))) return;
    if (!found_(code)) stopped_ = true;
  }

  const Bounds& bounds_;
  const Requirements& requirements_;
  const bool needs_barrier_;
  const Shape& shape_;
  const Topology launch_;
  const Found& found_;
  const std::atomic<bool>& stop_;
  bool stopped_ = false;
  int lanes_ = 0;
  std::vector<int> first_;          // slot of a thread
  std::vector<ThreadSet> threads_;  // the lanes of one, numbered through the launch
  // The partial program and its LTS.
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<const Flow>> flows_;
  std::vector<Instructions> texts_;
  std::vector<LockstepState> states_;
  std::vector<std::vector<int>> next_;
  std::vector<bool> has_open_;
  std::map<std::string, int> number_;
  std::optional<Open> open_;
};

}  // namespace

bool LockstepEngine::enumerate(const Cube& cube, const Found& found,
                               const std::atomic<bool>& stop) {
  if (!bounds_.barriers.ended_count) {
    return LockstepSearch(bounds_, requirements_, false, cube, found, stop).run();
  }
  // When lanes end makes a difference where a barrier counts them, and nowhere else.
  if (!LockstepSearch(bounds_, requirements_, true, cube, found, stop).run()) return false;
  Bounds without = bounds_;
  without.barriers = {};
  const bool has_barrier =
      std::any_of(cube.first.begin(), cube.first.end(),
                  [](const Instruction& instruction) { return instruction.is_barrier(); });
  return has_barrier || LockstepSearch(without, requirements_, false, cube, found, stop).run();
}

}  // namespace headway::synth
