// Whom those who wait at a barrier wait for, as people read it.
#pragma once

#include <string>

#include "base/bits/thread_set.hpp"

namespace headway::lang {

// Threads that have ended, wait at another barrier, are lanes that are not active, or have yet to
// come.
struct Awaited {
  ThreadSet ended, elsewhere, inactive, coming;

  // " for threads 1-3, which have ended, and for thread 5"
  std::string to_string() const;
};

}  // namespace headway::lang
