#include "checker/components.hpp"

#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include "checker/lts_graph.hpp"

namespace headway::checker {
namespace {

struct IsKept {
  const std::vector<bool>* kept = nullptr;
  bool operator()(StateId state) const { return (*kept)[state]; }
};

}  // namespace

// Tarjan's algorithm as Boost.Graph has it, without recursion.
template <class Graph>
std::size_t Components::number_components(const Graph& graph) {
  const auto map = [](auto& values) {
    return boost::make_iterator_property_map(values.begin(),
                                             boost::typed_identity_property_map<StateId>());
  };
  return boost::strong_components(
      graph, map(component_),
      boost::root_map(map(root_)).discover_time_map(map(discovered_)).color_map(map(color_)));
}

void Components::compute(const Lts& lts, const std::vector<bool>& kept) {
  const std::size_t states = lts.states();
  component_.resize(states);
  root_.resize(states);
  discovered_.resize(states);
  color_.resize(states);
  const std::size_t all =
      kept.empty()
          ? number_components(lts)
          : number_components(boost::filtered_graph(lts, boost::keep_all(), IsKept{&kept}));

  // Which threads step inside each component, and how many states it has.
  const auto is_kept = [&](StateId state) { return kept.empty() || kept[state]; };
  const auto inside = [&](StateId state) {
    ThreadSet threads;
    for (int thread : lts.alive(state)) {
      const StateId target = lts.successor(state, thread);
      if (is_kept(target) && component_[target] == component_[state]) {
        threads |= ThreadSet::single(thread);
      }
    }
    return threads;
  };
  steps_.assign(all, {});
  begin_.assign(all + 1, 0);
  leaving_.resize(states);
  for (StateId state = 0; state < states; ++state) {
    if (!is_kept(state)) continue;
    const ThreadSet stay = inside(state);
    leaving_[state] = lts.alive(state) - stay;
    steps_[component_[state]] |= stay;
    ++begin_[component_[state]];
  }

  // Keep the components that contain a transition, and lay their states out one after another.
  std::vector<std::uint32_t>& renumbered = root_;  // no longer needed
  renumbered.resize(std::max(states, all));
  std::size_t cyclic = 0;
  std::size_t placed = 0;
  for (std::size_t c = 0; c < all; ++c) {
    if (steps_[c].empty()) {
      renumbered[c] = kNoState;
      continue;
    }
    renumbered[c] = static_cast<std::uint32_t>(cyclic);
    const std::size_t count = begin_[c];
    steps_[cyclic] = steps_[c];
    begin_[cyclic++] = placed;
    placed += count;
  }
  steps_.resize(cyclic);
  begin_.resize(cyclic + 1);
  begin_[cyclic] = placed;
  states_.resize(placed);
  for (StateId state = 0; state < states; ++state) {
    component_[state] = is_kept(state) ? renumbered[component_[state]] : kNoState;
    if (component_[state] != kNoState) states_[begin_[component_[state]]++] = state;
  }
  for (std::size_t c = cyclic; c > 0; --c) begin_[c] = begin_[c - 1];  // undo the shift
  begin_[0] = 0;
}

}  // namespace headway::checker
