#include "synth/sat/box_states.hpp"

#include "base/bits/group_set.hpp"

namespace headway::synth::sat {
namespace {

using Phase = BoxStates::Phase;
constexpr std::uint32_t kPhases = 4;

constexpr Phase waits_at(Level level) {
  return level == Level::workgroup ? Phase::waits_in_workgroup : Phase::waits_in_subgroup;
}

}  // namespace

BoxStates::BoxStates(const Space& space, std::uint64_t max_states)
    : space_(space),
      launch_(space.bounds.topology()),
      threads_(space.bounds.threads),
      locations_(space.bounds.locations) {
  const auto grow = [&](std::size_t factor) {
    size_ *= factor;
    if (size_ > max_states) throw Error("these bounds are too large for the SAT engine");
  };
  const auto values = static_cast<std::size_t>(space.bounds.values);
  for (int l = 0; l < locations_; ++l) {
    memory_stride_.push_back(static_cast<State>(size_));
    grow(values);
  }
  memories_ = static_cast<std::uint32_t>(size_);
  bool has_barriers = false;
  for (int t = 0; t < threads_; ++t) {
    locals_.push_back(barriers_of(space.bounds, t).empty() ? 1 : kPhases);
    has_barriers = has_barriers || locals_.back() > 1;
    pc_stride_.push_back(static_cast<State>(size_));
    grow(static_cast<std::size_t>(space.shape[t]) * locals_.back() + 1);
  }
  release_ended_ = has_barriers && space.bounds.barriers.ended_count;
  for (std::uint32_t m = 0; m < memories_; ++m) {
    for (int l = 0; l < locations_; ++l) {
      memory_values_.push_back(static_cast<std::uint8_t>(m / memory_stride_[l] % values));
    }
  }
  for (std::uint32_t p = 0; p < size_ / memories_; ++p) {
    ThreadSet waiting;
    for (int t = 0; t < threads_; ++t) {
      const auto locals = static_cast<std::uint32_t>(space.shape[t]) * locals_[t] + 1;
      const auto local = p * memories_ / pc_stride_[t] % locals;
      pcs_.push_back(static_cast<std::uint8_t>(local / locals_[t]));
      if (!has_barriers) continue;
      const Phase phase{static_cast<std::uint8_t>(local % locals_[t])};
      phases_.push_back(phase);
      if (phase == Phase::waits_in_subgroup || phase == Phase::waits_in_workgroup) {
        waiting |= ThreadSet::single(t);
      }
    }
    if (has_barriers) waiting_.push_back(waiting);
  }
  end_pcs_ = static_cast<std::uint32_t>(size_ / memories_) - 1;
}

bool BoxStates::is_stuck(State state) const {
  const ThreadSet waiting = this->waiting(state);
  if (waiting.empty()) return false;
  for (int t = 0; t < threads_; ++t) {
    if (!waiting.contains(t) && !has_ended(state, t)) return false;
  }
  return true;
}

// The group of a thread is let through when all of it waits at the barrier of a level or, where
// that counts, has ended.
BoxStates::State BoxStates::release(State state, Level level, int thread) const {
  const Phase waits = waits_at(level);
  const auto left = static_cast<State>(Phase::passing) - static_cast<State>(waits);
  State released = state;
  for (const int t : group_around(launch_, level, thread)) {
    if (has_ended(state, t)) {
      if (!release_ended_) return state;
    } else if (phase(state, t) == waits) {
      released += left * pc_stride_[t];
    } else {
      return state;
    }
  }
  return released;
}

BoxStates::State BoxStates::arrive(State state, int thread,
                                   axb::Instruction::Barrier barrier) const {
  const Level level = level_of(barrier);
  return release(state + static_cast<State>(waits_at(level)) * pc_stride_[thread], level, thread);
}

}  // namespace headway::synth::sat
