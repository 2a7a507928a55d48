#include "kernel/literal/subgroup.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernel/literal/arithmetic.hpp"

namespace headway::testing::literal {
namespace {

using kernel::Subgroup;

// PTX ISA, shfl.sync: the lane that is read; `by` counts in its low bits alone. Lanes of a section
// have the same bits in `outside`.
int lane_read(Subgroup how, int lane, std::uint64_t by_bits, std::uint64_t width, int size) {
  const int by = static_cast<int>(by_bits & static_cast<unsigned>(size - 1));
  const int section = static_cast<int>(width);
  const int outside = (size - section) & (size - 1);
  const int first = lane & outside;
  const int last = first | (size - 1 - outside);
  switch (how) {
    case Subgroup::shuffle:
      return first | (by & ~outside);
    case Subgroup::shuffle_up:
      return lane - by >= first ? lane - by : lane;
    case Subgroup::shuffle_down:
      return lane + by <= last ? lane + by : lane;
    default:
      return (lane ^ by) <= last ? lane ^ by : lane;
  }
}

}  // namespace

std::size_t operands_before_mask(Subgroup operation) {
  switch (operation) {
    case Subgroup::shuffle:
    case Subgroup::shuffle_up:
    case Subgroup::shuffle_down:
    case Subgroup::shuffle_xor:
      return 3;
    case Subgroup::elect:
      return 0;
    default:
      return 1;
  }
}

std::optional<std::uint64_t> given_to(int lane, const kernel::Instruction& i, int value_bits,
                                      int size, const Taking& all) {
  const auto& own = all.at(lane);
  const auto mask_of = [&](auto&& holds) {
    std::uint64_t mask = 0;
    for (const auto& [other, operands] : all) {
      if (holds(cut(operands[0], value_bits))) mask |= std::uint64_t{1} << other;
    }
    return mask;
  };
  std::uint64_t everyone = 0;
  for (const auto& [other, operands] : all) everyone |= std::uint64_t{1} << other;
  const auto is_set = [](std::uint64_t value) { return value != 0; };
  const auto is_own = [&](std::uint64_t value) { return value == cut(own[0], value_bits); };
  switch (i.subgroup) {
    case Subgroup::shuffle:
    case Subgroup::shuffle_up:
    case Subgroup::shuffle_down:
    case Subgroup::shuffle_xor: {
      const auto from = all.find(lane_read(i.subgroup, lane, own[1], own[2], size));
      if (from == all.end()) return {};
      return from->second[0];
    }
    case Subgroup::ballot:
      return cut(mask_of(is_set), i.type.bits);
    case Subgroup::all:
      return mask_of(is_set) == everyone;
    case Subgroup::any:
      return mask_of(is_set) != 0;
    case Subgroup::all_equal:
      return mask_of(is_own) == everyone;
    case Subgroup::match_any:
      return cut(mask_of(is_own), i.type.bits);
    case Subgroup::reduce: {
      if (i.cluster != 0) break;
      std::optional<std::uint64_t> sum;
      for (const auto& [other, operands] : all) {
        sum = sum ? updated(i.update, value_bits, *sum, operands[0]) : operands[0];
      }
      return sum;
    }
    default:
      break;
  }
  throw std::runtime_error("an operation of a subgroup that is not known");
}

}  // namespace headway::testing::literal
