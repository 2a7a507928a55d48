// The threads of a subgroup under a reading that has dynamic blocks (docs/reference/machines.md):
// each has a place and registers of its own, and waits where its reading says that it waits for
// others. Those that meet at an instruction are a tangle.
#pragma once

#include <optional>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "lang/idiom/flow.hpp"
#include "lang/idiom/subgroup.hpp"

namespace headway::lang::idiom {

// Choices of a step that are made while it is taken. Taken again and again until next() says that
// there are no more, it makes all of them.
class Choices {
 public:
  // One of 0 .. count-1.
  int pick(int count);
  bool next();

 private:
  struct Digit {
    int value, count;
  };
  std::vector<Digit> digits_;
  std::size_t at_ = 0;
};

// Where a subgroup stands between two steps. Equal behaviour is equal data.
struct Tangles {
  // What a thread has guessed at a vote, which has to come true.
  struct Guess {
    bool made = false;
    int operand = 0, from = 0, result = 0;
    friend bool operator==(const Guess&, const Guess&) = default;
  };
  std::vector<ThreadState> lanes;
  std::vector<std::vector<int>> rounds;     // by lane and loop
  std::vector<DynamicBlock> closed;         // to which nobody may come any more, sorted
  std::vector<std::vector<Guess>> guesses;  // by vote and lane
  ThreadSet side;                           // that runs, where one side does
  bool over = false;                        // an assumption does not hold
  bool dropped = false;                     // it is no run, by what the reading says
  bool beyond = false;                      // more rounds apart than are counted
};

class Tangled {
 public:
  static constexpr int kMostApart = 3;    // rounds that are told apart
  static constexpr int kMostRounds = 15;  // that are counted in all
  // The same where blocks are closed, as for each round is remembered which.
  static constexpr int kMostRoundsClosed = 4;

  // The threads of the code from `first` on. All must outlive this. Where threads come to be more
  // rounds apart than are told apart, and closer again, nobody knows how close: then `wide` takes
  // all that may be, and else the run is beyond what is counted.
  Tangled(const Code& code, int first, bool wide);

  int size() const { return static_cast<int>(machines_.size()); }
  const ReadingRules& rules() const { return rules_; }
  const Flow& flow() const { return flow_; }
  const Machine& machine(int lane) const { return machines_[lane]; }
  const ThreadCode& thread(int lane = 0) const { return code_.threads[first_ + lane]; }
  // The votes of the code, by their instruction.
  const std::vector<int>& votes() const { return votes_; }

  Tangles start() const;
  ThreadSet ended(const Tangles& state) const;
  // The threads that can take a step. One takes it for all that stand at an instruction together:
  // the others wait for it.
  ThreadSet running(const Tangles& state) const;
  // Who takes the step of `lane`, which is running.
  ThreadSet together(const Tangles& state, int lane) const;
  // Of a subgroup of which one side runs: whose step may come next, each by its first thread.
  ThreadSet next_sides(const Tangles& state) const;
  // Takes the step of a thread that is running.
  void step(Tangles& state, int lane, WritableMemory& memory, Choices& choices,
            LanesTaken& taken) const;
  // Whether it is open whether a run so far is one.
  bool may_be_dropped(const Tangles& state) const;
  // For whom a thread that is not running waits.
  ThreadSet awaited(const Tangles& state, int lane) const;

 private:
  using Passed = std::vector<std::vector<bool>>;  // heads, by lane

  DynamicBlock block_of(const Tangles& state, int lane) const;
  ThreadSet alive(const Tangles& state) const;
  ThreadSet active(const Tangles& state, const DynamicBlock& block) const;
  // Who is not in a block and may still come to it, or has to.
  ThreadSet unknown(const Tangles& state, const DynamicBlock& block) const;
  ThreadSet coming(const Tangles& state, const DynamicBlock& block) const;
  Meets meets(const Tangles& state, int lane) const;
  bool has_blocks() const { return rules_.votes != Meets::anywhere; }
  bool is_open(const Tangles& state, int lane) const;
  // Threads that stand in front of an instruction in their block, for whom one at it waits.
  ThreadSet behind(const Tangles& state, int lane) const;

  void access(Tangles& state, ThreadSet members, WritableMemory& memory, Choices& choices,
              LanesTaken& taken) const;
  void perform(Tangles& state, int lane, WritableMemory& memory, Choices& choices,
               LanesTaken& taken) const;
  void vote(Tangles& state, ThreadSet members, LanesTaken& taken) const;
  void guess(Tangles& state, int lane, Choices& choices, LanesTaken& taken) const;
  void check_guesses(Tangles& state) const;
  std::vector<int> in_order(const Tangles& state, ThreadSet members, Choices& choices) const;
  void run(Tangles& state, ThreadSet lanes, Passed& passed, Choices& choices,
           LanesTaken& taken) const;
  void compute(Tangles& state, int lane, Passed& passed, Choices& choices, LanesTaken& taken) const;
  void go(Tangles& state, int lane, int from, Choices& choices) const;
  void close_up(Tangles& state, int loop, const std::vector<int>& before, Choices& choices) const;
  void fail(Tangles& state, const Failure& failure, int lane, LanesTaken& taken) const;
  void tidy(Tangles& state) const;
  void tidy_rounds(Tangles& state, int loop) const;

  const Code& code_;
  const int first_;
  const ReadingRules& rules_;
  const bool wide_;
  std::vector<Machine> machines_;
  Flow flow_;
  std::vector<int> votes_;
};

}  // namespace headway::lang::idiom
