// Sets of threads for people.
#pragma once

#include <string>

#include "base/bits/thread_set.hpp"

namespace headway {

// "0-3, 5" of {0, 1, 2, 3, 5}; nothing of the empty set.
std::string ranges(ThreadSet threads);

}  // namespace headway
