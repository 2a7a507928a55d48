// The strongly connected components of an LTS that contain a transition, or of what is left of it
// when some states are dropped. States on no cycle belong to none of them.
//
// An execution that makes a fair choice again and again takes each of its transitions again and
// again. So where one of them leaves a component, none counts as a transition of the component,
// which may fall apart then: components are those that no transition of a fair choice leaves.
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
  // The threads that have steps from a state of a component, all of which leave it, or may not be
  // taken again and again; and those that have others.
  ThreadSet leaving(StateId state) const { return leaving_[state]; }
  ThreadSet staying(const Lts& lts, StateId state) const {
    return lts.history(state).ready(lts.threads()) - leaving_[state];
  }

  // The component of a state; kNoState when it lies in none.
  std::size_t component_of(StateId state) const { return component_[state]; }

 private:
  bool refuse_choices(const Lts& lts);
  std::size_t number_components(const Lts& lts, const StopSigns& signs,
                                const std::vector<bool>& kept);

  std::vector<std::uint32_t> component_;  // of a state; kNoState when in none
  std::vector<ThreadSet> refused_;        // by state, whose fair choice may not be made
  std::vector<ThreadSet> leaving_;
  std::vector<ThreadSet> steps_;
  std::vector<std::size_t> begin_;  // of a component in states_, and the end
  std::vector<StateId> states_;
  // Kept between calls.
  SccSearch search_;
  std::vector<std::uint32_t> renumbered_;
};

}  // namespace headway::checker
