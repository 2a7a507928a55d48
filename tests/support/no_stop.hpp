// For searches that nothing stops.
#pragma once

#include <atomic>

namespace headway::testing {

inline const std::atomic<bool> kNoStop{false};

}  // namespace headway::testing
