// The states of the programs of a space as numbers: what memory holds, and where each thread
// stands. At a barrier it waits or has been let through; who waits, and whom an arrival or an end
// lets through, is a matter of the state alone, whatever the program is.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "synth/sat/space.hpp"

namespace headway::synth::sat {

class BoxStates {
 public:
  using State = std::uint32_t;  // 0: nothing has happened yet

  // Where a thread stands at an instruction: in front of it, waiting at a barrier of its subgroup
  // or workgroup there, or let through.
  enum class Phase : std::uint8_t { before, waits_in_subgroup, waits_in_workgroup, passing };

  // Throws headway::Error when there are more than `max_states`.
  BoxStates(const Space& space, std::uint64_t max_states);

  std::size_t size() const { return size_; }
  const Topology& launch() const { return launch_; }
  bool has_barriers() const { return !phases_.empty(); }
  // What memory can hold, and what it holds in a state, as a number.
  std::uint32_t memories() const { return memories_; }
  std::uint32_t memory(State state) const { return state % memories_; }
  int value(std::uint32_t memory, int location) const {
    return memory_values_[memory * locations_ + location];
  }
  int pc(State state, int thread) const { return pcs_[state / memories_ * threads_ + thread]; }
  Phase phase(State state, int thread) const {
    return phases_.empty() ? Phase::before : phases_[state / memories_ * threads_ + thread];
  }
  bool has_ended(State state, int thread) const {
    return pc(state, thread) == space_.shape[thread];
  }
  bool all_ended(State state) const { return state / memories_ == end_pcs_; }
  // The threads that wait at a barrier.
  ThreadSet waiting(State state) const {
    return phases_.empty() ? ThreadSet() : waiting_[state / memories_];
  }
  // Nobody can step, and not all have ended.
  bool is_stuck(State state) const;

  // What an access adds to a state, modulo 2^32: moves a thread by `instructions`, and changes what
  // a location holds by `by`. end() is still to be asked about the state that it leads to.
  State change(int thread, int instructions, int location, int by) const {
    return static_cast<State>(instructions) * locals_[thread] * pc_stride_[thread] +
           static_cast<State>(by) * memory_stride_[location];
  }
  // The state after a step that led a thread to `state`: if it has ended, those are let through
  // who waited for that.
  State end(State state, int thread) const {
    if (!release_ended_ || !has_ended(state, thread)) return state;
    return release(release(state, Level::subgroup, thread), Level::workgroup, thread);
  }
  // The states after a thread in front of a barrier arrives at it, and after one that was let
  // through passes.
  State arrive(State state, int thread, axb::Instruction::Barrier barrier) const;
  State pass(State state, int thread) const { return end(state + pc_stride_[thread], thread); }

 private:
  State release(State state, Level level, int thread) const;

  const Space& space_;
  Topology launch_;
  int threads_, locations_;
  std::size_t size_ = 1;
  std::uint32_t memories_ = 1;
  std::vector<State> pc_stride_, memory_stride_;
  std::vector<State> locals_;  // of a thread at an instruction
  std::vector<std::uint8_t> memory_values_;
  // By what the state is but for memory.
  std::vector<std::uint8_t> pcs_;
  std::vector<Phase> phases_;  // these two: none where there are no barriers
  std::vector<ThreadSet> waiting_;
  std::uint32_t end_pcs_ = 0;  // where all threads have ended
  bool release_ended_ = false;
};

}  // namespace headway::synth::sat
