// A set of thread ids as the bits of one word; every operation is constant time.
// Ids are 0 .. kMaxThreads-1.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <string>

namespace headway {

inline constexpr int kMaxThreads = 64;

class ThreadSet {
 public:
  using Bits = std::uint64_t;  // the one place that says how wide sets are

  constexpr ThreadSet() = default;
  static constexpr ThreadSet of_bits(Bits bits) {
    ThreadSet set;
    set.bits_ = bits;
    return set;
  }
  static constexpr ThreadSet single(int thread) { return of_bits(Bits{1} << thread); }
  // {0, ..., count-1}; `count` is clamped to 0 .. kMaxThreads.
  static constexpr ThreadSet first(int count) {
    if (count <= 0) return {};
    return of_bits(count >= kMaxThreads ? ~Bits{0} : (Bits{1} << count) - 1);
  }

  constexpr Bits bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr bool contains(int thread) const { return (bits_ >> thread & 1) != 0; }
  constexpr bool includes(ThreadSet other) const { return (other.bits_ & ~bits_) == 0; }
  // The smallest and the largest id. The set must not be empty.
  constexpr int min() const { return assert(!empty()), std::countr_zero(bits_); }
  constexpr int max() const { return assert(!empty()), kMaxThreads - 1 - std::countl_zero(bits_); }

  friend constexpr ThreadSet operator|(ThreadSet a, ThreadSet b) {
    return of_bits(a.bits_ | b.bits_);
  }
  friend constexpr ThreadSet operator&(ThreadSet a, ThreadSet b) {
    return of_bits(a.bits_ & b.bits_);
  }
  friend constexpr ThreadSet operator-(ThreadSet a, ThreadSet b) {
    return of_bits(a.bits_ & ~b.bits_);
  }
  constexpr ThreadSet& operator|=(ThreadSet other) { return *this = *this | other; }
  constexpr ThreadSet& operator&=(ThreadSet other) { return *this = *this & other; }
  constexpr ThreadSet& operator-=(ThreadSet other) { return *this = *this - other; }
  friend constexpr bool operator==(ThreadSet, ThreadSet) = default;
  friend constexpr auto operator<=>(ThreadSet, ThreadSet) = default;

  // Iterates over the ids in increasing order: for (int thread : set).
  class Iterator {
   public:
    constexpr explicit Iterator(Bits rest) : rest_(rest) {}
    constexpr int operator*() const { return std::countr_zero(rest_); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    Bits rest_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

  // "{0, 2}", "{}".
  std::string to_string() const {
    std::string text = "{";
    for (int thread : *this) text += (text.size() > 1 ? ", " : "") + std::to_string(thread);
    return text + "}";
  }

 private:
  Bits bits_ = 0;
};

}  // namespace headway
