// The LTS of all programs of a box at once: a step of an instruction goes wherever one of its
// choices goes. It has every step of every program of the box, so what it cannot do none of them
// can. Where a thread waits or whom a barrier lets through is a matter of the state, so that this
// holds of barriers, too. Not thread-safe; memory grows with pcs x memory contents.
#pragma once

#include "synth/sat/box_program.hpp"
#include "synth/sat/box_states.hpp"
#include "synth/space/well_formed.hpp"

namespace headway::synth::sat {

// Why no program of a box is wanted: the constraint that each of them violates, and the
// instruction that violates it where the constraint is about one; or the filter that the verdict of
// each of them does not satisfy (box_verdict.hpp).
struct Reason {
  Constraint constraint = Constraint::possible_termination;
  int position = -1;   // constraints 3 and 6
  bool taken = false;  // constraint 3: "is never taken", or "is always taken"
  int filter = -1;     // -1: `constraint` is the reason
  ThreadSet steps;     // only cycles of these threads are meant; {}: all cycles

  friend bool operator==(const Reason&, const Reason&) = default;
};

class BoxLts {
 public:
  // The LTS of what `program` holds whenever it is asked. Throws headway::Error when the space has
  // more states than this engine is for.
  explicit BoxLts(const BoxProgram& program);

  // Whether the box is seen to hold no program that satisfies the constraint of `reason`. Sound
  // for every box, and exact for a single program.
  bool refutes(const Reason& reason);
  // Whether a choice of the instruction that `reason` is about can violate it: constraint 3 is
  // about branches and constraint 6 about exchanges.
  bool concerns(const Reason& reason, int choice) const;

 private:
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };

  // Calls `to` with each state that a step of a thread can lead to.
  template <class To>
  void for_successors(std::uint32_t state, int thread, const To& to) const;
  bool visit(std::uint32_t state);
  // Explores until a step of position `target` can do what `event_` holds; true if one does.
  bool reaches_event(int target);
  void set_event(const Reason& reason);
  void explore_edges();
  bool is_acyclic();
  bool must_get_stuck();

  const BoxProgram& program_;
  const Space& space_;
  int threads_, locations_, values_;
  BoxStates states_;

  std::vector<std::uint32_t> event_;  // by location: a bit for each value that makes it happen

  std::vector<std::uint32_t> mark_, order_;  // mark_[state] == epoch_: visited, as order_[number_]
  std::vector<std::uint32_t> number_;
  std::uint32_t epoch_ = 0;
  std::vector<Range> edges_;  // of the state numbered n and thread t: edges_[n * threads_ + t]
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> degree_, queue_;
  std::vector<std::uint8_t> flag_, stuck_;
};

}  // namespace headway::synth::sat
