#include "checker/witness.hpp"

#include <algorithm>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>

#include "base/state_table.hpp"
#include "checker/lts_graph.hpp"
#include "checker/walks.hpp"

namespace headway::checker {
namespace {

using StateSet = FairCycles::StateSet;

constexpr std::size_t kEffort = 4'000'000;  // nodes that the search for a smallest cycle may visit

std::vector<bool> membership(const Lts& lts, const StateSet& states) {
  std::vector<bool> member(lts.states());
  for (StateId state : states) member[state] = true;
  return member;
}

std::vector<int> shortest_stem(Walks& walks, StateId to) {
  const auto anywhere = [](StateId) { return true; };
  return walks.find(0, 0, anywhere, [to](StateId state) { return state == to; }).threads;
}

// Weak fairness ----------------------------------------------------------------------------------

// A closed walk is weakly fair when every thread is settled: it steps, or it is absent from F in
// some state of the walk. So the smallest fair cycle through a state is a shortest path in the
// product of the component with the set of threads that the walk has settled so far, from the
// state with what it settles itself back to the state with everything settled.
class SmallestCycle {
 public:
  SmallestCycle(const Lts& lts, const FairSets& fair) : lts_(lts), fair_(fair) {}

  // A fair cycle through `start` of fewer than `bound` steps, empty when there is none. Sets
  // `gave_up` when the effort ran out.
  std::vector<int> find(StateId start, const std::vector<bool>& member, std::size_t bound) {
    nodes_.clear();
    keys_.clear();
    table_.clear(1);
    const ThreadSet all = ThreadSet::first(lts_.threads());
    add(start, absent(start), 0, 0);
    std::size_t level_end = 1;
    std::size_t length = 0;
    for (std::size_t head = 0; head < nodes_.size(); ++head) {
      if (head == level_end) {
        level_end = nodes_.size();
        ++length;
      }
      if (length + 1 >= bound) return {};
      const auto state = static_cast<StateId>(keys_[head] >> 32);
      const auto settled = ThreadSet::of_bits(static_cast<std::uint32_t>(keys_[head]));
      for (int thread : lts_.alive(state)) {
        const StateId next = lts_.successor(state, thread);
        if (!member[next]) continue;
        const ThreadSet now = settled | ThreadSet::single(thread) | absent(next);
        if (next == start && now == all) return trace(head, thread);
        add(next, now, head, thread);
        if (++effort_ > kEffort) {
          gave_up = true;
          return {};
        }
      }
    }
    return {};
  }

  bool gave_up = false;

 private:
  struct Node {
    std::size_t parent;
    int thread;
  };

  ThreadSet absent(StateId state) const {
    return ThreadSet::first(lts_.threads()) - fair_.fair(lts_, state);
  }

  void add(StateId state, ThreadSet settled, std::size_t parent, int thread) {
    const std::uint64_t key = std::uint64_t{state} << 32 | settled.bits();
    if (table_.find_or_add(&key, keys_) == nodes_.size()) nodes_.push_back({parent, thread});
  }

  std::vector<int> trace(std::size_t node, int last) const {
    std::vector<int> threads = {last};
    for (; node != 0; node = nodes_[node].parent) threads.push_back(nodes_[node].thread);
    std::reverse(threads.begin(), threads.end());
    return threads;
  }

  const Lts& lts_;
  const FairSets& fair_;
  StateTable table_;
  std::vector<std::uint64_t> keys_;
  std::vector<Node> nodes_;
  std::size_t effort_ = 0;
};

// Some fair cycle of a component: from its first state to a nearest place that settles a thread,
// until all are settled, and back.
std::vector<int> some_cycle(const Lts& lts, const FairSets& fair, Walks& walks,
                            const StateSet& component, const std::vector<bool>& member) {
  const auto inside = [&](StateId state) { return bool{member[state]}; };
  const StateId start = component.front();
  std::vector<int> cycle;
  StateId here = start;
  const auto extend = [&](const Walk& walk) {
    cycle.insert(cycle.end(), walk.threads.begin(), walk.threads.end());
    here = walk.end;
  };
  for (int thread = 0; thread < lts.threads(); ++thread) {
    const auto steps_inside = [&](StateId state) {
      return lts.alive(state).contains(thread) && member[lts.successor(state, thread)];
    };
    const auto settles = [&](StateId state) {
      return !fair.fair(lts, state).contains(thread) || steps_inside(state);
    };
    extend(walks.find(here, 0, inside, settles));
    if (fair.fair(lts, here).contains(thread)) {
      cycle.push_back(thread);
      here = lts.successor(here, thread);
    }
  }
  extend(walks.find(here, cycle.empty() ? 1 : 0, inside,
                    [&](StateId state) { return state == start; }));
  return cycle;
}

// Strong fairness --------------------------------------------------------------------------------

// The graph of guaranteed steps between the states of a set.
struct GuaranteedStep {
  const Lts* lts = nullptr;
  const FairSets* fair = nullptr;
  bool operator()(const LtsEdge& edge) const {
    return fair->fair(*lts, edge.source).contains(edge.thread);
  }
};
struct Member {
  const std::vector<bool>* member = nullptr;
  bool operator()(StateId state) const { return (*member)[state]; }
};

// A set inside `states` that is strongly connected, has a step, and is closed under guaranteed
// steps, as small as these rules find it. Whatever is closed contains a bottom component of the
// graph of guaranteed steps, so the smallest bottom component that has a step is the answer when
// every state guarantees one. When no state guarantees any, every cycle is closed and a shortest
// one is the answer. Otherwise the set is left as it is.
StateSet smallest_closed(const Lts& lts, const FairSets& fair, Walks& walks,
                         const StateSet& states) {
  const std::vector<bool> member = membership(lts, states);
  const boost::filtered_graph graph(lts, GuaranteedStep{&lts, &fair}, Member{&member});
  std::vector<std::uint32_t> component(lts.states());
  const auto count = boost::strong_components(
      graph,
      boost::make_iterator_property_map(component.begin(),
                                        boost::typed_identity_property_map<StateId>()),
      boost::vertex_index_map(boost::typed_identity_property_map<StateId>()));
  std::vector<StateSet> bottoms(count);
  std::vector<bool> is_bottom(count, true);
  bool any_guaranteed = false;
  for (StateId state : states) {
    const ThreadSet guaranteed = fair.fair(lts, state);
    any_guaranteed = any_guaranteed || !guaranteed.empty();
    bottoms[component[state]].push_back(state);
    if (guaranteed.empty()) is_bottom[component[state]] = false;
    for (int thread : guaranteed) {
      if (component[lts.successor(state, thread)] != component[state]) {
        is_bottom[component[state]] = false;
      }
    }
  }
  StateSet best = states;
  for (std::size_t c = 0; c < count; ++c) {
    if (is_bottom[c] && bottoms[c].size() < best.size()) best = bottoms[c];
  }
  if (any_guaranteed) return best;
  const auto inside = [&](StateId state) { return bool{member[state]}; };
  for (StateId start : states) {
    const Walk walk = walks.find(start, 1, inside, [&](StateId state) { return state == start; });
    if (walk.threads.empty() || walk.threads.size() >= best.size()) continue;
    best.clear();
    StateId state = start;
    for (int thread : walk.threads) best.push_back(state), state = lts.successor(state, thread);
    std::sort(best.begin(), best.end());
    if (best.size() == 1) break;
  }
  return best;
}

// A closed walk inside a closed set, from its first state, that takes every guaranteed step.
std::vector<int> covering_cycle(const Lts& lts, const FairSets& fair, Walks& walks,
                                const StateSet& states) {
  const std::vector<bool> member = membership(lts, states);
  const auto inside = [&](StateId state) { return bool{member[state]}; };
  std::map<StateId, ThreadSet> owed;
  for (StateId state : states) {
    if (!fair.fair(lts, state).empty()) owed[state] = fair.fair(lts, state);
  }
  const StateId start = states.front();
  StateId here = start;
  std::vector<int> cycle;
  const auto extend = [&](const Walk& walk) {
    for (int thread : walk.threads) {
      if (const auto debt = owed.find(here); debt != owed.end()) {
        debt->second -= ThreadSet::single(thread);
        if (debt->second.empty()) owed.erase(debt);
      }
      cycle.push_back(thread);
      here = lts.successor(here, thread);
    }
  };
  while (!owed.empty()) {
    extend(walks.find(here, 0, inside, [&](StateId state) { return owed.contains(state); }));
    const auto debt = owed.find(here);
    if (debt != owed.end()) extend({{debt->second.min()}, kNoState});
  }
  extend(walks.find(here, cycle.empty() ? 1 : 0, inside,
                    [&](StateId state) { return state == start; }));
  return cycle;
}

}  // namespace

// Components come in no particular order; their states are numbered breadth first, so starting
// from the lowest states makes the stem shortest among equally small cycles.
Witness find_weak_witness(const Lts& lts, const FairSets& fair,
                          const std::vector<StateSet>& components) {
  assert(!components.empty());
  SmallestCycle search(lts, fair);
  Walks walks(lts);
  std::vector<std::pair<StateId, std::size_t>> starts;  // and the component of each
  std::vector<std::vector<bool>> members;
  for (std::size_t c = 0; c < components.size(); ++c) {
    members.push_back(membership(lts, components[c]));
    for (StateId state : components[c]) starts.emplace_back(state, c);
  }
  std::sort(starts.begin(), starts.end());
  Witness witness;
  StateId entry = starts.front().first;
  for (const auto& [start, c] : starts) {
    const std::size_t bound =
        witness.lasso.cycle.empty() ? ~std::size_t{0} : witness.lasso.cycle.size();
    std::vector<int> cycle = search.find(start, members[c], bound);
    if (search.gave_up) break;
    if (cycle.empty()) continue;
    witness.lasso.cycle = std::move(cycle);
    entry = start;
    if (witness.lasso.cycle.size() == 1) break;
  }
  witness.smallest = !search.gave_up;
  if (witness.lasso.cycle.empty()) {
    witness.lasso.cycle = some_cycle(lts, fair, walks, components[starts.front().second],
                                     members[starts.front().second]);
  }
  witness.lasso.stem = shortest_stem(walks, entry);
  StateId state = entry;
  for (int thread : witness.lasso.cycle) {
    witness.states.push_back(state);
    state = lts.successor(state, thread);
  }
  return witness;
}

Witness find_strong_witness(const Lts& lts, const FairSets& fair,
                            const std::vector<StateSet>& components) {
  assert(!components.empty());
  Walks walks(lts);
  Witness witness;
  for (const StateSet& component : components) {
    StateSet closed = smallest_closed(lts, fair, walks, component);
    const auto rank = [](const StateSet& set) { return std::pair(set.size(), set.front()); };
    if (witness.states.empty() || rank(closed) < rank(witness.states)) {
      witness.states = std::move(closed);
    }
  }
  witness.lasso.stem = shortest_stem(walks, witness.states.front());
  witness.lasso.cycle = covering_cycle(lts, fair, walks, witness.states);
  return witness;
}

}  // namespace headway::checker
