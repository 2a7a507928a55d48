// Finds the number of a state by its words: an open-addressing table of numbers, the words
// themselves staying where the caller keeps them. Linear probing, at most half full.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "base/bits/hash.hpp"

namespace headway {

class StateTable {
 public:
  explicit StateTable(std::size_t words_a_state = 1) { clear(words_a_state); }

  void clear(std::size_t words_a_state) {
    stride_ = words_a_state;
    size_ = 0;
    if (slots_.size() > kKept) slots_ = {};
    slots_.assign(std::max(slots_.size(), kSmallest), kEmpty);
  }

  // The number of the state with these `words` among the `states` seen so far (size() * stride
  // words); a new state is appended to them and gets the next number.
  std::uint32_t find_or_add(const std::uint64_t* words, std::vector<std::uint64_t>& states) {
    assert(states.size() == size_ * stride_);
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_words(words, stride_) & mask;
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
      if (std::equal(words, words + stride_, states.data() + slots_[slot] * stride_)) {
        return slots_[slot];
      }
    }
    const auto number = static_cast<std::uint32_t>(size_++);
    slots_[slot] = number;
    states.insert(states.end(), words, words + stride_);
    if (size_ * 2 > slots_.size()) grow(states);
    return number;
  }

  // The number of a state that is among `states`; kNone when it is not.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t find(const std::uint64_t* words, const std::vector<std::uint64_t>& states) const {
    assert(states.size() == size_ * stride_);
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_words(words, stride_) & mask;
    while (slots_[slot] != kEmpty &&
           !std::equal(words, words + stride_, states.data() + slots_[slot] * stride_)) {
      slot = (slot + 1) & mask;
    }
    return slots_[slot];
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kEmpty = kNone;
  static constexpr std::size_t kSmallest = 64;
  static constexpr std::size_t kKept = 1024;  // slots that are worth clearing rather than freeing

  void grow(const std::vector<std::uint64_t>& states) {
    slots_.assign(slots_.size() * 2, kEmpty);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t number = 0; number < size_; ++number) {
      std::size_t slot = hash_words(states.data() + number * stride_, stride_) & mask;
      while (slots_[slot] != kEmpty) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(number);
    }
  }

  std::size_t stride_ = 1;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> slots_;  // a power of two
};

}  // namespace headway
