#include "base/bits/group_set.hpp"

#include <cassert>

namespace headway {

ThreadSet groups_at(const Topology& topology, Level level, ThreadSet threads) {
  if (topology.group_threads(level) == 1) return threads;
  ThreadSet result;
  for (int group = 0; group < topology.groups(level); ++group) {
    if (!(threads & threads_of(topology, level, group)).empty()) {
      result |= ThreadSet::single(group);
    }
  }
  return result;
}

ThreadSet paying_threads(const Topology& topology, const GroupSet& owed) {
  ThreadSet result = owed.threads;
  for (const Level level : {Level::subgroup, Level::workgroup}) {
    if (!topology.has(level) || level == topology.leaf()) continue;
    for (const int group : owed.at(topology, level)) {
      const ThreadSet threads = threads_of(topology, level, group);
      if ((result & threads).empty()) result |= threads;
    }
  }
  return result;
}

std::string GroupSet::to_string(const Topology& topology) const {
  if (topology.is_flat()) return threads.to_string();
  std::string text;
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    if (!text.empty()) text += ", ";
    text.append(headway::to_string(level)).append("s ").append(at(topology, level).to_string());
  }
  return text;
}

std::string GroupSet::first_name(const Topology& topology) const {
  assert(!empty());
  for (const Level level : kLevels) {
    if (!topology.has(level) || at(topology, level).empty()) continue;
    const std::string_view kind =
        topology.is_flat() ? topology.leaf_name() : headway::to_string(level);
    return std::string(kind) + " " + std::to_string(at(topology, level).min());
  }
  return {};
}

}  // namespace headway
