// What people read of the lanes of a subgroup in lockstep.
#pragma once

#include <functional>
#include <string>

#include "base/bits/thread_set.hpp"

namespace headway::lang {

// "lane 1", "lanes 0 2"
std::string lanes_text(ThreadSet lanes);
// "lanes 0 2: reads x = 1; lane 1: reads x = 0", with what is said of each lane; without `named`,
// that alone.
std::string by_lane(bool named, ThreadSet lanes, const std::function<std::string(int)>& says);

}  // namespace headway::lang
