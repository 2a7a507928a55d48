// A set of the groups of a launch: of its threads, and of the subgroups and workgroups around them,
// by their ids in the grid. A level that every group has one child at is left out, and the
// innermost of the others is the threads. So of a flat launch it is a set of threads and no more.
#pragma once

#include <array>
#include <string>

#include "base/bits/thread_set.hpp"
#include "base/topology.hpp"

namespace headway {

struct GroupSet {
  ThreadSet threads;
  ThreadSet subgroups = {};
  ThreadSet workgroups = {};

  // Those of a level that `topology` has.
  ThreadSet& at(const Topology& topology, Level level) {
    return level == topology.leaf() ? threads : level == Level::workgroup ? workgroups : subgroups;
  }
  ThreadSet at(const Topology& topology, Level level) const {
    return const_cast<GroupSet*>(this)->at(topology, level);
  }

  bool empty() const { return (threads | subgroups | workgroups).empty(); }
  bool includes(const GroupSet& other) const {
    return threads.includes(other.threads) && subgroups.includes(other.subgroups) &&
           workgroups.includes(other.workgroups);
  }
  friend GroupSet operator|(const GroupSet& a, const GroupSet& b) {
    return {a.threads | b.threads, a.subgroups | b.subgroups, a.workgroups | b.workgroups};
  }
  friend GroupSet operator&(const GroupSet& a, const GroupSet& b) {
    return {a.threads & b.threads, a.subgroups & b.subgroups, a.workgroups & b.workgroups};
  }
  friend GroupSet operator-(const GroupSet& a, const GroupSet& b) {
    return {a.threads - b.threads, a.subgroups - b.subgroups, a.workgroups - b.workgroups};
  }
  GroupSet& operator|=(const GroupSet& other) { return *this = *this | other; }
  GroupSet& operator&=(const GroupSet& other) { return *this = *this & other; }
  GroupSet& operator-=(const GroupSet& other) { return *this = *this - other; }
  friend bool operator==(const GroupSet&, const GroupSet&) = default;
  friend auto operator<=>(const GroupSet&, const GroupSet&) = default;

  // A set in words, for tables.
  using Key = std::array<std::uint64_t, 3>;
  Key key() const { return {threads.bits(), subgroups.bits(), workgroups.bits()}; }
  static GroupSet of_key(const std::uint64_t* key) {
    return {ThreadSet::of_bits(key[0]), ThreadSet::of_bits(key[1]), ThreadSet::of_bits(key[2])};
  }

  // "{0, 2}"; of a launch that is not flat with the levels it has: "workgroups {0}, threads {}".
  std::string to_string(const Topology& topology) const;
  // The first of them, the set not being empty: "workgroup 1", "thread 0".
  std::string first_name(const Topology& topology) const;
};

// The groups of a level that have a thread among `threads`.
ThreadSet groups_at(const Topology& topology, Level level, ThreadSet threads);
// The same at all levels.
inline GroupSet groups_of(const Topology& topology, ThreadSet threads) {
  GroupSet result{threads};
  if (topology.is_flat()) return result;
  for (const Level level : {Level::workgroup, Level::subgroup}) {
    if (topology.has(level) && level != topology.leaf()) {
      result.at(topology, level) = groups_at(topology, level, threads);
    }
  }
  return result;
}
// Of groups that owe steps, the threads whose steps pay: those of each group that has no smaller
// one among `owed`.
ThreadSet paying_threads(const Topology& topology, const GroupSet& owed);
// The threads of a group.
inline ThreadSet threads_of(const Topology& topology, Level level, int group) {
  return ThreadSet::first(topology.first_thread(level, group + 1)) -
         ThreadSet::first(topology.first_thread(level, group));
}
// Those of the group that a thread is in.
inline ThreadSet group_around(const Topology& topology, Level level, int thread) {
  return threads_of(topology, level, topology.group_of(level, thread));
}

}  // namespace headway
