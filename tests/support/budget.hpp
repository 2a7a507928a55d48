// How much random tests look at.
#pragma once

#include <cstdlib>
#include <string>

namespace headway::testing {

// Sanitizers look for other mistakes than wrong verdicts, and take ten times as long: they look at
// a tenth.
#ifdef HEADWAY_SANITIZED
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

// So many random programs, or HEADWAY_CAMPAIGN times as many where the environment says so: the
// suite has a small budget, campaigns a large one.
inline int budget(int usual) {
  const char* times = std::getenv("HEADWAY_CAMPAIGN");
  return times == nullptr ? usual : usual * std::atoi(times);
}

inline bool is_campaign() { return budget(1) > 1; }

// The number that a variable of the environment names, for campaigns and their seeds.
inline int wished(const char* variable, int usual) {
  const char* wish = std::getenv(variable);
  return wish == nullptr ? usual : std::stoi(wish);
}

}  // namespace headway::testing
