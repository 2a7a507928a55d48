// How much random tests look at.
#pragma once

#include <cstdlib>

namespace headway::testing {

// So many random programs, or HEADWAY_CAMPAIGN times as many where the environment says so: the
// suite has a small budget, campaigns a large one.
inline int budget(int usual) {
  const char* times = std::getenv("HEADWAY_CAMPAIGN");
  return times == nullptr ? usual : usual * std::atoi(times);
}

}  // namespace headway::testing
