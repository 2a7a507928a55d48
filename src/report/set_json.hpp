// Sets of threads in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "base/bits/thread_set.hpp"

namespace headway::report {

// The numbers of the threads, an array.
inline nlohmann::ordered_json set_json(ThreadSet threads) {
  auto array = nlohmann::ordered_json::array();
  for (const int thread : threads) array.push_back(thread);
  return array;
}

}  // namespace headway::report
