// The states of a packed program, with or without symmetry, and how steps lead from one to
// another. With symmetry states are sorted: of each kind, the fields of its threads ascend. Threads
// of a kind with equal fields form a *group*; they lie next to each other, and their steps lead to
// the same sorted state.
#pragma once

#include <vector>

#include "base/bits/hash.hpp"
#include "checker/sweep/demands.hpp"
#include "checker/sweep/packed_state.hpp"

namespace headway::checker {

// What TableSpace reads, laid out for that. Immutable once built.
template <int Words>
struct SpaceTables {
  using Stage = PackedProgram::Stage;
  // Of wide states it is not worth the memory to keep what a step flips.
  static constexpr bool kKeepsFlips = Words <= 4;
  struct Nothing {};
  using Flips = std::conditional_t<kKeepsFlips, PackedState<Words>, Nothing>;

  struct LocalRow {
    PackedProgram::Field variable;
    std::uint16_t variable_number;
    std::uint8_t fresh;   // 1 when the thread is
    std::uint8_t ended;   // 1 when it has ended or failed
    std::uint8_t failed;  // 1 when it has failed
    std::uint32_t first_outcome;
    std::uint64_t hash;  // this local state's part in the hash of a layer
  };
  // One of `spins`, `moves` and `climb` is not 0, save for the outcome that stands for the step
  // of a thread that has ended, which it does not take.
  struct Outcome {
    Flips bits;                        // what a step flips, when its kind has one thread only
    std::uint64_t hash;                // what it adds to the hash of the layer
    std::uint16_t code, value, climb;  // as in PackedProgram::Outcome
    std::uint8_t spins;                // 1 when the step changes nothing
    std::uint8_t moves;                // 1 when it leads to another state of the layer
  };

  explicit SpaceTables(const PackedProgram& packed) : program(&packed) {
    const auto& kinds = packed.kinds();
    const auto none = static_cast<std::uint32_t>(packed.outcomes().size());
    for (const PackedProgram::LocalRow& local : packed.locals()) {
      const bool steps = local.outcomes > 0;
      locals.push_back({local.variable, local.variable_number, local.stage == Stage::fresh,
                        local.stage == Stage::ended, local.failed,
                        steps ? local.first_outcome : none, 0});
    }
    for (const PackedProgram::Outcome& outcome : packed.outcomes()) {
      const bool spins = outcome.changes_nothing();
      const bool moves = !spins && outcome.climb == 0;
      outcomes.push_back({{}, 0, outcome.code, outcome.value, outcome.climb, spins, moves});
    }
    outcomes.push_back({});
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const PackedProgram::Field field = packed.slots()[kinds[k].first].field;
      LocalRow* const own = locals.data() + kinds[k].first_local;
      for (std::uint32_t code = 0; code <= field.mask; ++code) {
        static_assert(kMaxThreads <= 64, "64 times 0x3ffffff is less than 2^32");
        // The upper half tells histories apart, the lower one components; sums of the lower ones
        // do not reach the upper half.
        const std::size_t stage = own[code].fresh + std::size_t{2} * own[code].ended;
        const std::uint64_t kind = k;
        own[code].hash = mix(kind << 8 | stage << 1 | 1) << 32 |
                         (mix(kind << 32 | (code & kinds[k].component_mask) << 1) & 0x3ffffff);
      }
      for (std::uint32_t code = 0; code <= field.mask; ++code) {
        const PackedProgram::LocalRow& from = packed.locals()[kinds[k].first_local + code];
        for (std::uint32_t o = from.first_outcome; o < from.first_outcome + from.outcomes; ++o) {
          if constexpr (kKeepsFlips) {
            outcomes[o].bits.flip(from.variable, outcomes[o].value);
            outcomes[o].bits.flip(field, outcomes[o].code);
          }
          outcomes[o].hash = own[code ^ outcomes[o].code].hash - own[code].hash;
        }
      }
    }
  }

  const PackedProgram* program;
  std::vector<LocalRow> locals;   // as in PackedProgram
  std::vector<Outcome> outcomes;  // as in PackedProgram
};

// A view of SpaceTables, cheap to copy.
template <int Words, bool Symmetric>
class TableSpace {
 public:
  using State = PackedState<Words>;
  using LocalRow = typename SpaceTables<Words>::LocalRow;
  using Outcome = typename SpaceTables<Words>::Outcome;
  using Kind = PackedProgram::Kind;

  explicit TableSpace(const SpaceTables<Words>& tables)
      : slots_(tables.program->slots().data()),
        kinds_(tables.program->kinds().data()),
        locals_(tables.locals.data()),
        outcomes_(tables.outcomes.data()),
        threads_(tables.program->threads()) {}

  int threads() const { return threads_; }

  // The code in the field of a slot.
  std::uint64_t code(const State& state, int slot) const { return state.get(slots_[slot].field); }
  const LocalRow& local(int slot, std::uint64_t code) const {
    return locals_[slots_[slot].first_local + code];
  }
  // Its number among the local states of all kinds.
  std::size_t index(const LocalRow& local) const {
    return static_cast<std::size_t>(&local - locals_);
  }
  // What a step from a local state does.
  const Outcome& outcome(const State& state, const LocalRow& local) const {
    return outcomes_[local.first_outcome + state.get(local.variable)];
  }
  const Kind& kind(int slot) const { return kinds_[slots_[slot].kind]; }

  // Whether the next slot belongs to the same group.
  bool has_equal_next(const State& state, int slot, std::uint64_t own) const {
    if (!Symmetric || slot + 1 == threads_) return false;
    return slots_[slot + 1].kind == slots_[slot].kind && code(state, slot + 1) == own;
  }
  // The group whose last slot is `slot`.
  ThreadSet group(const State& state, int slot, std::uint64_t own) const {
    if (!Symmetric) return ThreadSet::single(slot);
    int first = slot;
    while (first > kind(slot).first && code(state, first - 1) == own) --first;
    return ThreadSet::first(slot + 1) - ThreadSet::first(first);
  }

  // The state after a step of the thread at `slot`, whose code is `own`.
  State step(const State& state, int slot, std::uint64_t own, const LocalRow& local,
             const Outcome& outcome) const {
    State next = state;
    if constexpr (Symmetric) {
      next.flip(local.variable, outcome.value);
      move(next, slot, own ^ outcome.code);
    } else if constexpr (SpaceTables<Words>::kKeepsFlips) {
      for (int w = 0; w < Words; ++w) next.words[w] ^= outcome.bits.words[w];
    } else {
      next.flip(local.variable, outcome.value);
      next.flip(slots_[slot].field, outcome.code);
    }
    return next;
  }

  bool any_failed(const State& state) const {
    for (int slot = 0; slot < threads_; ++slot) {
      if (local(slot, code(state, slot)).failed != 0) return true;
    }
    return false;
  }

  // The same for all states of a layer.
  std::uint64_t layer_hash(const State& state) const {
    std::uint64_t hash = 0;
    for (int slot = 0; slot < threads_; ++slot) hash += local(slot, code(state, slot)).hash;
    return hash;
  }

  Stages stages(const State& state) const {
    Stages stages;
    for (int slot = 0; slot < threads_; ++slot) {
      const LocalRow& own = local(slot, code(state, slot));
      if (own.fresh != 0) stages.fresh |= ThreadSet::single(slot);
      if (own.ended != 0) stages.ended |= ThreadSet::single(slot);
    }
    return stages;
  }

 private:
  // Gives the thread at `slot` the code `to` and sorts its kind again.
  void move(State& state, int slot, std::uint64_t to) const {
    const Kind& own = kind(slot);
    const auto put = [&](int where, std::uint64_t value) {
      const auto& field = slots_[where].field;
      state.flip(field, state.get(field) ^ value);
    };
    for (; slot + 1 < own.first + own.size && code(state, slot + 1) < to; ++slot) {
      put(slot, code(state, slot + 1));
    }
    for (; slot > own.first && code(state, slot - 1) > to; --slot) {
      put(slot, code(state, slot - 1));
    }
    put(slot, to);
  }

  const PackedProgram::Slot* slots_;
  const Kind* kinds_;
  const LocalRow* locals_;
  const Outcome* outcomes_;
  int threads_;
};

}  // namespace headway::checker
