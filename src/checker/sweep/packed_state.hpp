// A state of a PackedProgram as a value, and a set of such states that numbers them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits/hash.hpp"
#include "checker/sweep/packed_program.hpp"

namespace headway::checker {

template <int Words>
struct PackedState {
  using Field = PackedProgram::Field;

  std::uint64_t words[Words];

  // With one word every field is in it, which the compiler then knows.
  std::uint64_t get(const Field& field) const {
    return words[Words == 1 ? 0 : field.word] >> field.shift & field.mask;
  }
  void flip(const Field& field, std::uint64_t change) {
    words[Words == 1 ? 0 : field.word] ^= change << field.shift;
  }
  std::uint64_t hash() const { return hash_words(words, Words); }
  friend bool operator==(const PackedState&, const PackedState&) = default;
};

// Open addressing with linear probing, at most half full. Not for more than 2^32 - 2 states.
template <class State>
class StateSet {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Empties the set and makes room for `expected` states.
  void clear(std::size_t expected) {
    states_.clear();
    const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(expected * 2, 16));
    slots_.assign(wanted, kNone);
    states_.reserve(expected);
  }

  // The number of `state`; a new one gets the next number.
  std::uint32_t find_or_add(const State& state) {
    std::uint32_t& slot = slot_of(state);
    if (slot != kNone) return slot;
    const auto number = static_cast<std::uint32_t>(states_.size());
    slot = number;
    states_.push_back(state);
    if (states_.size() * 2 > slots_.size()) grow();
    return number;
  }
  // kNone when it is not in the set.
  std::uint32_t find(const State& state) const {
    return const_cast<StateSet*>(this)->slot_of(state);
  }

  std::size_t size() const { return states_.size(); }
  const State& operator[](std::uint32_t number) const { return states_[number]; }
  const std::vector<State>& states() const { return states_; }
  // Memory that it holds.
  std::size_t bytes() const {
    return states_.capacity() * sizeof(State) + slots_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::uint32_t& slot_of(const State& state) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = state.hash() & mask;
    while (slots_[slot] != kNone && !(states_[slots_[slot]] == state)) slot = (slot + 1) & mask;
    return slots_[slot];
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kNone);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t number = 0; number < states_.size(); ++number) {
      std::size_t slot = states_[number].hash() & mask;
      while (slots_[slot] != kNone) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(number);
    }
  }

  std::vector<State> states_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace headway::checker
