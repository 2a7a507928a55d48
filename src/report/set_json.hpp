// Sets of threads and groups as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/bits/group_set.hpp"

namespace headway::report {

// [0, 2]
inline nlohmann::ordered_json set_json(ThreadSet threads) {
  auto array = nlohmann::ordered_json::array();
  for (const int thread : threads) array.push_back(thread);
  return array;
}

// The same of a flat launch; of others by the levels they have: {"workgroups": [0], "threads": []}.
inline nlohmann::ordered_json groups_json(const Topology& topology, const GroupSet& groups) {
  if (topology.is_flat()) return set_json(groups.threads);
  auto object = nlohmann::ordered_json::object();
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    object[std::string(to_string(level)) + "s"] = set_json(groups.at(topology, level));
  }
  return object;
}

}  // namespace headway::report
