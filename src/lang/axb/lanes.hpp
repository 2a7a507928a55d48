// The lanes of a subgroup in lockstep (docs/reference/semantics.md, subgroups in lockstep), of
// programs of AXB instructions: those that are active stand at one instruction and take it
// together. Where they part one side waits, for the other to come to the point of reconvergence or
// to its end.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "lang/axb/code.hpp"
#include "lang/parted.hpp"

namespace headway::lang::axb {

// Where a subgroup stands between two steps. Equal behaviour is equal data.
struct Lanes : Parted {
  std::vector<std::uint8_t> at;  // by lane: an instruction, or the end

  bool ended() const { return active.empty(); }
  // Whether it is to be chosen which side of a branch is first. Then the active lanes stand where
  // they go on, and the innermost parting is theirs, with nobody in it yet.
  bool is_choosing() const;
  // Whether all lanes are active, and at one place.
  bool are_together() const { return partings.empty() && active.size() == size(); }
  int size() const { return static_cast<int>(at.size()); }
  // The instruction of the active lanes, which are not choosing.
  int place() const { return at[static_cast<std::size_t>(active.min())]; }
  friend bool operator==(const Lanes&, const Lanes&) = default;
};

// Of the active lanes that take `instruction` while its location holds `old`, those that jump.
// Accesses are made in the order of lanes.
ThreadSet jumping(const Instruction& instruction, ThreadSet active, int old);

// How the lanes of a subgroup go through its instructions.
class Flow {
 public:
  // Looks at the targets of instructions alone. `ended_count`: whether somebody can tell at once
  // that a lane has ended, as barriers count those that have.
  Flow(const std::vector<Instruction>& instructions, bool ended_count);

  static Lanes start(int lanes);
  // After the step of the active lanes at their place, of which those of `jumping` jump.
  void go_on(Lanes& lanes, ThreadSet jumping) const;
  // Lets one side of a branch go first: that of the lowest lane (0), or the other one (1).
  void choose(Lanes& lanes, int choice) const;
  // The point of reconvergence of a branch: its immediate post-dominator, or kNowhere where
  // that is the end, or the end cannot be reached.
  int point(int branch) const { return points_[static_cast<std::size_t>(branch)]; }

 private:
  void settle(Lanes& lanes) const;

  const std::vector<Instruction>& instructions_;
  bool ended_count_;
  std::vector<int> points_;  // by instruction
};

}  // namespace headway::lang::axb
