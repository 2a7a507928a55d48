// The verdict of all programs of a box at once: whether they surely all fail a filter, because
// they share a fair cycle or because all that they can do makes none. Exact for a single program.
// For spaces without barriers.
// Not thread-safe; memory grows with pcs x memory contents x states of the models' automaton.
#pragma once

#include "models/joint_automaton.hpp"
#include "synth/sat/box_program.hpp"
#include "synth/space/filter.hpp"

namespace headway::synth::sat {

class BoxVerdict {
 public:
  // For filters[index], about what `program` holds whenever it is asked. The other filters only
  // make it more precise. Throws headway::Error when there are more states than this engine is for.
  BoxVerdict(const BoxProgram& program, const std::vector<Filter>& filters, std::size_t index);

  // If the filter must fail: the sets of threads of which just those may step on its fair cycle.
  // Empty when nothing is known.
  const std::vector<ThreadSet>& cycles() const { return cycles_; }

  // Whether the box is seen to hold no program that satisfies all filters, because of this one.
  // With a set of cycles(): none that has a fair cycle on which just these threads step.
  bool refutes(ThreadSet steps = {});

 private:
  using Index = std::uint32_t;

  Index visit(Index node, Index program_state);
  void tabulate(bool certain);
  void explore(bool certain);
  void find_components();
  bool has_fair_cycle();
  bool has_fair_cycle(ThreadSet steps);
  bool has_weak(bool exactly);
  bool has_strong(bool exactly);
  void add_steps(Index number, ThreadSet& steps) const;
  const GroupSet& owed(Index number) const { return automaton_.owed(nodes_[number])[own_]; }

  const BoxProgram& program_;
  const Space& space_;
  const Topology launch_;
  Filter filter_;
  int threads_, locations_, values_;
  // The filter must fail, and what all filters owe is constant on every cycle. Then allowed_[n]
  // says in node n of the automaton, for each set of threads as a number, whether just those may
  // step.
  bool constant_;
  std::vector<std::vector<bool>> allowed_;
  std::vector<ThreadSet> cycles_;
  models::JointAutomaton automaton_;  // of all filters if constant_, else of this one
  std::size_t own_;                   // this filter among those of the automaton
  Index memories_ = 1, states_ = 1;   // of programs; the product has states_ for each node
  std::vector<Index> pc_stride_, memory_stride_;
  std::vector<std::uint8_t> pcs_, memory_values_;

  struct Change {
    Index to;  // what to add to a state of the program, modulo 2^32
    bool terminates;
  };
  std::vector<Index> begin_;  // of changes_, by position and content of memory
  std::vector<Change> changes_;

  // States are numbered as they are visited: order_[number_[state]] == state iff it was.
  std::vector<Index> number_, order_;
  std::vector<Index> nodes_;    // of the automaton, by number
  std::vector<Index> edges_;    // of number n and thread t: from edges_[n * threads_ + t]
  std::vector<Index> targets_;  // of edges, as numbers
  // Components of the kept states by the steps of the threads in moving_.
  std::vector<std::uint8_t> kept_;
  ThreadSet moving_;
  struct Frame {
    Index number, edge, visit;
  };
  std::vector<Index> component_, low_, stack_;
  std::vector<Frame> frames_;
  Index components_ = 0;
  std::vector<ThreadSet> steps_;  // by component
  std::vector<GroupSet> always_;
};

}  // namespace headway::synth::sat
