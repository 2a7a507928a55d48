// Which lanes of a subgroup in lockstep are active, and which wait for these
// (docs/reference/semantics.md, subgroups in lockstep), whatever language they run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bits/thread_set.hpp"

namespace headway::lang {

inline constexpr int kNowhere = -1;  // where lanes meet that do not meet again

struct Parted {
  // Of lanes that parted: some have come to the point of reconvergence, others, which all stand at
  // one place, have yet to go on when those have come that are active.
  struct Parting {
    int point = 0;
    ThreadSet waiting, pending;

    friend bool operator==(const Parting&, const Parting&) = default;
  };
  ThreadSet active;
  std::vector<Parting> partings;  // from the outside in

  // Joins partings with one point of reconvergence in each other, where all wait for the outermost
  // to be complete, and drops those in which nobody is left.
  void tidy();
  // Sees to it that somebody is active; false where all have ended.
  bool pick_active();
  // Whether active lanes at `place` have come to where the innermost parting meets; then they wait.
  bool wait_at(int place);

  // What a lane does, as a number: it has ended; waits or is pending in a parting; or is active, as
  // all are that have the highest role.
  using Role = std::uint64_t;
  static constexpr Role kEnded = 0;
  static constexpr Role highest_role(int lanes) { return 2 * static_cast<Role>(lanes) - 1; }
  Role role(int lane) const;
  // Gives so many lanes their roles. Points of partings are left open.
  template <class RoleOf>
  void set_roles(int lanes, const RoleOf& role_of) {
    Role highest = kEnded;
    for (int lane = 0; lane < lanes; ++lane) highest = std::max<Role>(highest, role_of(lane));
    active = {};
    partings.assign(static_cast<std::size_t>(highest / 2), {});
    for (int lane = 0; lane < lanes; ++lane) {
      const Role role = role_of(lane);
      if (role != kEnded) members(role, role == highest) |= ThreadSet::single(lane);
    }
  }

  friend bool operator==(const Parted&, const Parted&) = default;

 private:
  ThreadSet& members(Role role, bool is_active);
};

}  // namespace headway::lang
