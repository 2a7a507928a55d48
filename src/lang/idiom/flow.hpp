// Dynamic blocks of a compiled thread (docs/reference/machines.md): its static blocks, the loops
// around them, and whether a thread can still come from where it stands to a block, in a round of
// the loops around that.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "lang/idiom/code.hpp"

namespace headway::lang::idiom {

// A static block, called by its first instruction, and by loop of the thread how often that has
// gone round; 0 for loops that are not around it or whose rounds nobody counts.
struct DynamicBlock {
  int block = 0;
  std::vector<int> rounds;

  friend bool operator==(const DynamicBlock&, const DynamicBlock&) = default;
};

class Flow {
 public:
  // Of which loops the rounds count: of those in which somebody may wait.
  enum class Counts : std::uint8_t { all, with_votes, none };

  // `thread` must outlive this.
  Flow(const ThreadCode& thread, Counts counts);

  int loops() const { return static_cast<int>(thread_.loops.size()); }
  bool is_counted(int loop) const { return counted_[loop]; }
  int head(int loop) const { return thread_.loops[loop].head; }
  // The loops around an instruction, from the outside in.
  const std::vector<int>& around(int at) const { return around_[at]; }
  int block(int at) const { return block_[at]; }
  bool begins_block(int at) const { return block_[at] == at; }
  // Takes note in `rounds` that a thread goes from one instruction to another; returns the loop
  // that it goes round, or -1.
  int go(int from, int to, std::vector<int>& rounds) const;
  // Whether a thread that stands at an instruction, and not in `to`, may come to it, along any way.
  bool may_come(int at, const std::vector<int>& rounds, const DynamicBlock& to) const;
  // Whether it comes whatever way it takes; loops count as left.
  bool must_come(int at, const std::vector<int>& rounds, const DynamicBlock& to) const;
  // Whether a thread inside of a loop may go round it.
  bool may_go_round(int at, int loop) const;

 private:
  using Reached = std::vector<bool>;
  std::vector<int> next(int at) const;
  // What a thread reaches that goes round none of the outermost `depth` loops around it.
  Reached reach(int at, std::size_t depth) const;
  bool goes_round(int from, int to, int loop) const;

  const ThreadCode& thread_;
  std::vector<bool> counted_;
  std::vector<std::vector<int>> around_;
  std::vector<int> block_;
  // By instruction and depth.
  std::vector<std::vector<Reached>> reached_;
};

// What is behind a vote that a thread stands at.
int behind_vote(const ThreadCode& thread, int at);

}  // namespace headway::lang::idiom
