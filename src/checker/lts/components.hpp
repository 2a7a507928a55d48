// The strongly connected components of an LTS that contain a transition, or of what is left of it
// when some states are dropped. States on no cycle belong to none of them.
#pragma once

#include <span>
#include <vector>

#include "base/graph/scc_search.hpp"
#include "base/limits.hpp"
#include "checker/lts/lts.hpp"

namespace headway::checker {

class Components {
 public:
  // Computes the components of the states for which `kept` holds (all when it is empty). Linear
  // in states and transitions; keeps its memory for the next call. False when `signs` said to stop;
  // then there are none.
  bool compute(const Lts& lts, const StopSigns& signs = {}, const std::vector<bool>& kept = {});

  std::size_t size() const { return steps_.size(); }
  // In increasing order.
  std::span<const StateId> states(std::size_t component) const {
    return {states_.data() + begin_[component], begin_[component + 1] - begin_[component]};
  }
  // The threads that have a step from a state of the component to a state of it.
  ThreadSet steps(std::size_t component) const { return steps_[component]; }
  // The threads that have steps from a state of a component, all of which leave it.
  ThreadSet leaving(StateId state) const { return leaving_[state]; }
  // Whether `state` lies in a component, and in which.
  bool on_cycle(StateId state) const { return component_[state] != kNoState; }
  std::size_t component_of(StateId state) const { return component_[state]; }

 private:
  std::size_t number_components(const Lts& lts, const StopSigns& signs,
                                const std::vector<bool>& kept);

  std::vector<std::uint32_t> component_;  // of a state; kNoState when in none
  std::vector<ThreadSet> leaving_;
  std::vector<ThreadSet> steps_;
  std::vector<std::size_t> begin_;  // of a component in states_, and the end
  std::vector<StateId> states_;
  // Kept between calls.
  SccSearch search_;
  std::vector<std::uint32_t> renumbered_;
};

}  // namespace headway::checker
