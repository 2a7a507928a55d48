// Every history that some program can have on a launch, and what models select after it: the
// reachable states of the joint automaton of the models, in breadth-first order, so that the path
// to each is a shortest one. For N threads that are never blocked there are 3^N when the models are
// functions of the history, and 5^N when threads may be. Where a model looks at instructions, every
// step may be any of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bits/group_set.hpp"
#include "models/model.hpp"

namespace headway::models {

class Histories {
 public:
  // `models` must outlive this object. With `may_block` histories in which threads are blocked
  // count, too: any of those alive may be after any step.
  Histories(const Topology& topology, std::vector<const Model*> models, bool may_block = false);

  std::size_t size() const { return nodes_.size(); }
  const History& history(std::size_t index) const { return nodes_[index].history; }
  // What models[model] selects after history `index`; of a flat launch F.
  const GroupSet& selected(std::size_t index, std::size_t model) const {
    return selected_[index * models_.size() + model];
  }
  ThreadSet fair(std::size_t index, std::size_t model) const {
    return selected(index, model).threads;
  }
  // Whether an infinite execution can visit this history again and again: for models that are
  // functions of the history, whether some started thread is ready; in general, whether the joint
  // automaton has a cycle through it.
  bool recurs(std::size_t index) const { return recurs_[index]; }
  // Those that recur, by what an infinite execution can visit again and again: it settles in one of
  // these lists, each of which is in increasing order, and the first of them in increasing order.
  std::vector<std::vector<std::uint32_t>> recurring_components() const;
  // The events of a shortest path to history `index`.
  std::vector<Event> path(std::size_t index) const;

 private:
  struct Node {
    History history;
    std::uint32_t parent;
    Event event;
  };
  using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  void find_recurring(const Edges& edges);

  std::vector<const Model*> models_;
  std::vector<Node> nodes_;
  std::vector<GroupSet> selected_;
  std::vector<bool> recurs_;
  std::vector<std::uint32_t> component_;
};

// "steps", "loads", "exchanges in a loop".
std::string describe_step(const Instruction& instruction);

// "thread 1 steps; thread 0 steps and terminates", or "nothing has happened yet".
std::string describe_events(const std::vector<Event>& events);

}  // namespace headway::models
