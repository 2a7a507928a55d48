// A set of accesses by their numbers, most often of few: who knows of them. Those below 64 are a
// word; what is beyond is shared between copies until it changes.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace headway::kernel {

class Known {
 public:
  bool contains(std::uint32_t number) const {
    if (number < 64) return (first_ >> number & 1) != 0;
    return rest_ && (word(number / 64) >> number % 64 & 1) != 0;
  }
  // Of equal ones that share what they hold.
  std::pair<std::uint64_t, const void*> identity() const { return {first_, rest_.get()}; }
  void insert(std::uint32_t number);
  void join(const Known& more);
  // Whether all of `other` are in it.
  bool includes(const Known& other) const;

  template <typename F>
  void for_each(F&& act) const {
    for_each_of(0, first_, act);
    if (!rest_) return;
    for (const auto& [at, bits] : *rest_) for_each_of(at, bits, act);
  }
  template <typename F>
  bool any_of(F&& holds) const {
    bool found = false;
    for_each([&](std::uint32_t number) { found = found || holds(number); });
    return found;
  }

 private:
  using Words = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // by place, none is 0

  template <typename F>
  static void for_each_of(std::uint32_t at, std::uint64_t bits, F&& act) {
    for (; bits != 0; bits &= bits - 1) {
      act(at * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  std::uint64_t word(std::uint32_t at) const;

  std::uint64_t first_ = 0;
  std::shared_ptr<const Words> rest_;  // of numbers from 64 on; null where there are none
};

}  // namespace headway::kernel
