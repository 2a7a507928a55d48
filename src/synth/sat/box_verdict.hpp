// The verdict of all programs of a box at once: whether they surely all fail a filter, because
// they share a fair cycle, or a state in which nobody can step, or because all that they can do
// makes none. Exact for a single program.
// Not thread-safe; memory grows with pcs x memory contents x states of the models' automaton.
#pragma once

#include <optional>

#include "base/bits/state_table.hpp"
#include "models/joint_automaton.hpp"
#include "synth/sat/box_program.hpp"
#include "synth/sat/box_states.hpp"
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

  Index visit(Index node, Index state);
  // Explores a step of `thread` from a node to a state.
  void add_edge(Index node, int thread, Index state);
  void tabulate(bool certain);
  void explore(bool certain);
  void find_components();
  bool has_fair_cycle();
  bool has_fair_cycle(ThreadSet steps);
  bool has_weak(bool exactly);
  bool has_strong(bool exactly);
  void add_steps(Index number, ThreadSet& steps) const;
  const GroupSet& owed(Index number) const {
    return waiting_ ? waiting_->owed(nodes_[number]) : joint_->owed(nodes_[number])[own_];
  }

  const BoxProgram& program_;
  const Space& space_;
  const Topology launch_;
  Filter filter_;
  int threads_, locations_;
  // The filter must fail, and what all filters owe is constant on every cycle. Then allowed_[n]
  // says in node n of the automaton, for each set of threads as a number, whether just those may
  // step.
  bool constant_;
  std::vector<std::vector<bool>> allowed_;
  std::vector<ThreadSet> cycles_;
  BoxStates states_;  // of programs; the product has them for each node
  // The one with barriers, the other without: of all filters if constant_, else of this one.
  std::optional<models::WaitingAutomaton> waiting_;
  std::optional<models::JointAutomaton> joint_;
  std::size_t own_;  // this filter among those of joint_

  std::vector<Index> begin_;        // of changes_, by position and content of memory
  std::vector<Index> changes_;      // what an access adds to a state of the program
  std::vector<Barriers> arrivals_;  // by position: the barriers that it may be

  // States are numbered as they are visited: order_[number] is node * states_.size() + state. Their
  // numbers are in a table, or where there are few enough, in number_.
  StateTable table_;
  std::vector<Index> number_;
  std::vector<std::uint64_t> order_;
  std::vector<Index> nodes_;    // of the automaton, by number
  std::vector<Index> edges_;    // of number n and thread t: from edges_[n * threads_ + t]
  std::vector<Index> targets_;  // of edges, as numbers
  bool stuck_ = false;          // whether some of them are
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
