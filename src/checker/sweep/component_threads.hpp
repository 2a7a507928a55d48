// Weak fairness in a component of sorted states. Along its steps threads change places, so that who
// is owed a step in every state, and who ever steps, is a question about a thread and not about a
// place. Here the threads and groups of a component are followed from place to place
// (docs/internals/exploration.md, symmetry among groups).
#pragma once

#include <numeric>
#include <vector>

#include "checker/lts/fair_cycles.hpp"
#include "checker/sweep/symmetry.hpp"

namespace headway::checker {

// Keeps its memory between components. One a core.
class ComponentThreads {
 public:
  // Finds out which places a group comes to along the steps that stay in one of `components`;
  // `places` says by transition of `lts` where threads go. `go_on` is asked now and then; false
  // when it said so.
  template <class GoOn>
  bool follow(const Lts& lts, const Components& components, const std::vector<Places>& places,
              const GoOn& go_on);

  // Whether a component is a weakly fair cycle: each group is somewhere owed no step, or takes one.
  bool weak(const Lts& lts, const Components& components, const FairSets& fair);

  std::size_t bytes() const {
    return parent_.capacity() * sizeof(std::uint32_t) + settled_.capacity() / 8 +
           steps_.capacity() / 8;
  }

 private:
  struct Group {
    Level level;
    int number;
    int first;  // thread
  };

  std::size_t node(StateId state, std::size_t group) const {
    return std::size_t{state} * groups_.size() + group;
  }
  std::uint32_t root(std::size_t node) {
    auto at = static_cast<std::uint32_t>(node);
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  static bool stays(const Lts& lts, const Components& components, StateId state,
                    const Transition& transition) {
    return components.component_of(state) != kNoState &&
           components.component_of(transition.target) == components.component_of(state) &&
           components.staying(lts, state).contains(transition.step.thread);
  }

  std::vector<Group> groups_;
  std::vector<std::size_t> first_group_;  // of a level in groups_
  std::vector<std::uint32_t> parent_;     // of a node, which is a group at a state
  std::vector<bool> steps_;               // by node
  std::vector<bool> settled_;             // by root
};

template <class GoOn>
bool ComponentThreads::follow(const Lts& lts, const Components& components,
                              const std::vector<Places>& places, const GoOn& go_on) {
  const Topology& topology = lts.topology();
  groups_.clear();
  first_group_.assign(kLevels.size(), 0);
  for (const Level level : kLevels) {
    first_group_[static_cast<std::size_t>(level)] = groups_.size();
    if (!topology.has(level)) continue;
    for (int g = 0; g < topology.groups(level); ++g) {
      groups_.push_back({level, g, topology.first_thread(level, g)});
    }
  }
  parent_.resize(lts.states() * groups_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  steps_.assign(parent_.size(), false);
  std::size_t transition_number = 0;
  for (StateId state = 0; state < lts.states(); ++state) {
    if (state % 1024 == 1023 && !go_on()) return false;
    for (const Transition& transition : lts.from(state)) {
      const std::size_t number = transition_number++;
      if (!stays(lts, components, state, transition)) continue;
      const Places& place = places[number];
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        const auto there =
            first_group_[static_cast<std::size_t>(group.level)] +
            static_cast<std::size_t>(topology.group_of(group.level, place[group.first]));
        const std::uint32_t here = root(node(state, g));
        parent_[here] = root(node(transition.target, there));
        if (topology.group_of(group.level, transition.step.thread) == group.number)
          steps_[node(state, g)] = true;
      }
    }
  }
  return true;
}

inline bool ComponentThreads::weak(const Lts& lts, const Components& components,
                                   const FairSets& fair) {
  const Topology& topology = lts.topology();
  settled_.assign(parent_.size(), false);
  for (StateId state = 0; state < lts.states(); ++state) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const bool owed =
          fair.owed(lts, state).at(topology, groups_[g].level).contains(groups_[g].number);
      if (!owed || steps_[node(state, g)]) settled_[root(node(state, g))] = true;
    }
  }
  for (std::size_t c = 0; c < components.size(); ++c) {
    bool all = true;
    for (const StateId state : components.states(c)) {
      for (std::size_t g = 0; g < groups_.size() && all; ++g) {
        all = settled_[root(node(state, g))];
      }
      if (!all) break;
    }
    if (all) return true;
  }
  return false;
}

}  // namespace headway::checker
