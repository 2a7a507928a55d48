// Values that nobody has set may be anything. So an execution is gone through in so many worlds at
// once, which differ in what these are and in nothing else: what is not the same in all of them
// hangs on one of these values. Worlds are a sample, which small numbers come up often in.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace headway::testing::literal {

constexpr std::size_t kWorlds = 64;
using Alive = std::bitset<kWorlds>;  // the worlds that the execution at hand is one of
using InEach = std::array<std::uint64_t, kWorlds>;

class Worlds {
 public:
  // The number of what is so in each; equal ones have one number. `absent`: it comes from a lane
  // that took no part in a shuffle.
  int number(const InEach& values, bool absent);
  bool is_absent(int number) const { return absent_[static_cast<std::size_t>(number)]; }
  const InEach& of(int number) const { return all_[static_cast<std::size_t>(number)]; }
  // What word `word` of place `place` is where nobody has set it.
  static InEach drawn(std::uint64_t place, std::uint64_t word);

 private:
  std::vector<InEach> all_;
  std::vector<bool> absent_;
  std::map<std::pair<InEach, bool>, int> numbers_;
};

}  // namespace headway::testing::literal
