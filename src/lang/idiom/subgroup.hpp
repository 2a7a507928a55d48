// The threads of a subgroup that runs in lockstep (docs/reference/semantics.md, subgroups in
// lockstep): those that are active stand at one instruction and take it together. Where they part
// at a branch one side waits, for the other to come to the point of reconvergence or to its end.
#pragma once

#include <vector>

#include "base/bits/thread_set.hpp"
#include "lang/idiom/machine.hpp"
#include "lang/parted.hpp"

namespace headway::lang::idiom {

// Where a subgroup stands between two steps. Equal behaviour is equal data.
struct Lanes : Parted {
  std::vector<ThreadState> lanes;
  bool failed = false;
  bool over = false;  // an assumption does not hold: the execution is not considered

  bool ended() const { return active.empty() && !failed && !over; }
};

// What a step of a subgroup did, for people and for who writes memory.
struct LanesTaken {
  struct Change {
    int lane = 0;
    Access access;
    int old = 0;
    std::optional<int> written;
    int choice = 0;
    int result = 0;  // of an operation of the subgroup
  };
  std::vector<Change> changes;  // in the order of the lanes
  Failure failure;
  int failed_lane = -1;
  bool over = false;
};

// Memory while a step performs its accesses one after another.
class WritableMemory : public Memory {
 public:
  virtual void set(int cell, int value) = 0;

 protected:
  ~WritableMemory() = default;
};

class Subgroup {
 public:
  // The threads of the code from `first` on. All must outlive this.
  Subgroup(const Code& code, int first);

  int size() const { return static_cast<int>(machines_.size()); }
  const Machine& machine(int lane) const { return machines_[lane]; }
  // One stream of instructions serves all lanes; of nodes each has its own.
  const ThreadCode& thread(int lane = 0) const { return code_.threads[first_ + lane]; }
  // Places where a lane may stand in between two steps, in increasing order.
  const std::vector<int>& places() const { return places_; }
  // Whether another one does the same with the same code.
  bool same_flow(const Subgroup& other) const {
    return places_ == other.places_ && points_ == other.points_;
  }

  Lanes start() const;
  // Where the active lanes stand; null when there are none.
  const Instruction* instruction(const Lanes& state) const;
  // Whether the active lanes, which stand at an await, may all go on, or something goes wrong.
  bool holds(const Lanes& state, const Memory& memory) const;
  // Whether the subgroup may have several transitions, and how many, if it is not blocked.
  bool may_choose(const Lanes& state) const;
  int choices(const Lanes& state, WritableMemory& memory) const;
  // Of the active lanes, which stand at a branch, those that go to the side that is chosen.
  ThreadSet side(const Lanes& state, int choice) const;
  // Takes a step. What fails writes nothing that matters.
  void step(Lanes& state, WritableMemory& memory, int choice, LanesTaken& taken) const;
  // Puts the active lanes, which wait at a barrier, behind their wait.
  void release(Lanes& state) const;

 private:
  int place(const Lanes& state) const { return state.lanes[state.active.min()].at; }
  void run(Lanes& state, LanesTaken& taken) const;
  bool operate(Lanes& state, const Instruction& in, LanesTaken& taken) const;
  bool part(Lanes& state, int branch) const;
  void choose_side(Lanes& state, int choice) const;
  void fail(Lanes& state, const Failure& failure, int lane, LanesTaken& taken) const;
  int ways(const Lanes& state, ThreadSet lanes, WritableMemory& memory) const;

  const Code& code_;
  const int first_;
  std::vector<Machine> machines_;
  std::vector<int> points_;  // of reconvergence, by instruction
  // Whether it makes no difference when a lane ends, as no barrier counts those that have.
  bool ends_at_once_;
  std::vector<int> places_;
};

}  // namespace headway::lang::idiom
