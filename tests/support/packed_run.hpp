// A packed program taken at its word: states as vectors, steps looked up in its public tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "checker/sweep/packed_program.hpp"
#include "support/step_for_step.hpp"

namespace headway::testing {

class PackedRun {
 public:
  using Packed = checker::PackedProgram;
  using State = std::vector<std::uint64_t>;

  explicit PackedRun(const Packed& packed) : packed_(packed) {}

  State initial() const { return packed_.initial(); }

  static std::uint64_t get(const State& state, const Packed::Field& field) {
    return state[field.word] >> field.shift & field.mask;
  }
  static void flip(State& state, const Packed::Field& field, std::uint64_t change) {
    state[field.word] ^= change << field.shift;
  }

  std::uint64_t code(const State& state, int slot) const {
    return get(state, packed_.slots()[slot].field);
  }
  const Packed::LocalRow& local(const State& state, int slot) const {
    return packed_.locals()[packed_.slots()[slot].first_local + code(state, slot)];
  }
  const Packed::Outcome& outcome(const State& state, int slot) const {
    const Packed::LocalRow& from = local(state, slot);
    return packed_.outcomes()[from.first_outcome + get(state, from.variable)];
  }
  State after_slot(const State& state, int slot) const {
    const Packed::Outcome& outcome = this->outcome(state, slot);
    State next = state;
    flip(next, local(state, slot).variable, outcome.value);
    flip(next, packed_.slots()[slot].field, outcome.code);
    return next;
  }

  int slot_of(int thread) const {
    const auto& slots = packed_.slots();
    const auto own = std::find_if(slots.begin(), slots.end(),
                                  [&](const auto& slot) { return slot.thread == thread; });
    return static_cast<int>(own - slots.begin());
  }
  // For step_for_step().
  Stage stage(const State& state, int thread) const {
    const Packed::LocalRow& own = local(state, slot_of(thread));
    if (own.failed) return Stage::failed;
    return own.stage == Packed::Stage::ended ? Stage::ended : Stage::running;
  }
  State after(const State& state, int thread) const { return after_slot(state, slot_of(thread)); }

 private:
  const Packed& packed_;
};

}  // namespace headway::testing
