#include "kernel/literal/worlds.hpp"

namespace headway::testing::literal {

int Worlds::number(const InEach& values, bool absent) {
  const std::pair key(values, absent);
  const auto [found, is_new] = numbers_.emplace(key, static_cast<int>(all_.size()));
  if (is_new) {
    all_.push_back(values);
    absent_.push_back(absent);
  }
  return found->second;
}

InEach Worlds::drawn(std::uint64_t place, std::uint64_t word) {
  InEach result{};
  std::uint64_t state = place << 32 ^ word << 8;
  const auto next = [&] {  // splitmix64 (Steele, Lea and Flood, OOPSLA 2014)
    std::uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  for (std::uint64_t& value : result) {
    const std::uint64_t kind = next() % 12;
    const std::uint64_t any = next();
    value = kind < 6    ? kind
            : kind == 6 ? ~std::uint64_t{0}
            : kind == 7 ? std::uint64_t{1} << 31
            : kind == 8 ? any & 0xff
                        : any;
  }
  return result;
}

}  // namespace headway::testing::literal
