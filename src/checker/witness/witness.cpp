#include "checker/witness/witness.hpp"

#include <algorithm>
#include <map>

#include "base/bits/state_table.hpp"
#include "checker/lts/walks.hpp"

namespace headway::checker {
namespace {

constexpr std::size_t kEffort = 4'000'000;  // nodes that the search for a smallest cycle may visit

std::vector<bool> membership(const Lts& lts, const StateIds& states) {
  std::vector<bool> member(lts.states());
  for (StateId state : states) member[state] = true;
  return member;
}

// The first step of one of `threads` from a state to a member, if there is one.
std::optional<Transition> step_inside(const Lts& lts, StateId state, ThreadSet threads,
                                      const std::vector<bool>& member) {
  for (const Transition& transition : lts.from(state)) {
    if (threads.contains(transition.step.thread) && member[transition.target]) return transition;
  }
  return std::nullopt;
}

// The groups that a step of a thread is a step of.
GroupSet steppers(const Lts& lts, const Step& step) {
  return groups_of(lts.topology(), ThreadSet::single(step.thread));
}

// Fair choices -----------------------------------------------------------------------------------

// A closed walk that takes every transition between members that may be taken again and again, so
// that it is fair in each sense in which a walk through these states can be. A fair choice may be
// made where none of its transitions leads out. Empty when it was stopped.
std::vector<Step> grand_tour(const Lts& lts, Walks& walks, const StateIds& states,
                             const StopSigns& signs) {
  const std::vector<bool> member = membership(lts, states);
  const auto may_take = [&](StateId from, const Transition& wanted) {
    if (!member[wanted.target]) return false;
    if (!lts.fair_choices(from).contains(wanted.step.thread)) return true;
    const auto transitions = lts.from(from);
    return std::all_of(transitions.begin(), transitions.end(), [&](const Transition& other) {
      return other.step.thread != wanted.step.thread || member[other.target];
    });
  };
  std::map<StateId, std::vector<Transition>> untaken;
  for (const StateId state : states) {
    for (const Transition& transition : lts.from(state)) {
      if (may_take(state, transition)) untaken[state].push_back(transition);
    }
  }
  const StateId start = states.front();
  StateId here = start;
  std::vector<Step> tour;
  const auto extend = [&](const Walk& walk) {
    tour.insert(tour.end(), walk.steps.begin(), walk.steps.end());
    here = walk.end;
  };
  while (!untaken.empty()) {
    if (signs.seen() != Limit::none) return {};
    extend(walks.find_by(here, 0, may_take, [&](StateId s) { return untaken.contains(s); }));
    const auto left = untaken.find(here);
    const Transition taken = left->second.back();
    left->second.pop_back();
    if (left->second.empty()) untaken.erase(left);
    tour.push_back(taken.step);
    here = taken.target;
  }
  extend(walks.find_by(here, 0, may_take, [&](StateId state) { return state == start; }));
  return tour;
}

// With fair choices: a tour of the smallest component.
std::optional<Witness> find_tour(const Lts& lts, const std::vector<StateIds>& components,
                                 const StopSigns& signs) {
  Walks walks(lts);
  Witness witness;
  witness.smallest = false;
  witness.states = *std::min_element(
      components.begin(), components.end(), [](const StateIds& a, const StateIds& b) {
        return std::pair(a.size(), a.front()) < std::pair(b.size(), b.front());
      });
  witness.lasso.cycle = grand_tour(lts, walks, witness.states, signs);
  if (witness.lasso.cycle.empty()) return std::nullopt;
  witness.lasso.stem = walks.to(witness.states.front());
  return witness;
}

// Weak fairness ----------------------------------------------------------------------------------

// A closed walk is weakly fair when every group is settled: a thread of it steps, or it is owed no
// step in some state of the walk. So the smallest fair cycle through a state is a shortest path in
// the product of the component with the set of groups that the walk has settled so far, from the
// state with what it settles itself back to the state with everything settled.
class SmallestCycle {
 public:
  SmallestCycle(const Lts& lts, const FairSets& fair, const StopSigns& signs)
      : lts_(lts),
        fair_(fair),
        signs_(signs),
        all_(groups_of(lts.topology(), ThreadSet::first(lts.threads()))),
        table_(kKeyWords) {}

  // A fair cycle through `start` of fewer than `bound` steps, empty when there is none. Sets
  // `gave_up` when the effort ran out, and `stopped` when it was told to stop.
  std::vector<Step> find(StateId start, const std::vector<bool>& member, std::size_t bound) {
    nodes_.clear();
    keys_.clear();
    table_.clear(kKeyWords);
    add(start, absent(start), 0, {});
    std::size_t level_end = 1;
    std::size_t length = 0;
    for (std::size_t head = 0; head < nodes_.size(); ++head) {
      if (head == level_end) {
        level_end = nodes_.size();
        ++length;
      }
      if (length + 1 >= bound) return {};
      const auto state = static_cast<StateId>(keys_[kKeyWords * head]);
      const GroupSet settled = GroupSet::of_key(&keys_[kKeyWords * head + 1]);
      for (const Transition& transition : lts_.from(state)) {
        const StateId next = transition.target;
        if (!member[next]) continue;
        const GroupSet now = settled | steppers(lts_, transition.step) | absent(next);
        if (next == start && now == all_) return trace(head, transition.step);
        add(next, now, head, transition.step);
        if (!may_go_on()) return {};
      }
    }
    return {};
  }

  bool gave_up = false;
  bool stopped = false;

 private:
  struct Node {
    std::size_t parent;
    Step step;
  };

  static constexpr std::size_t kKeyWords = 1 + GroupSet::Key().size();

  GroupSet absent(StateId state) const { return all_ - fair_.owed(lts_, state); }

  bool may_go_on() {
    gave_up = ++effort_ > kEffort;
    if (effort_ % 4096 == 0) stopped = signs_.seen() != Limit::none;
    return !gave_up && !stopped;
  }

  void add(StateId state, const GroupSet& settled, std::size_t parent, Step step) {
    const GroupSet::Key groups = settled.key();
    const std::uint64_t key[] = {state, groups[0], groups[1], groups[2]};
    if (table_.find_or_add(key, keys_) == nodes_.size()) nodes_.push_back({parent, step});
  }

  std::vector<Step> trace(std::size_t node, Step last) const {
    std::vector<Step> steps = {last};
    for (; node != 0; node = nodes_[node].parent) steps.push_back(nodes_[node].step);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const Lts& lts_;
  const FairSets& fair_;
  const StopSigns& signs_;
  const GroupSet all_;
  StateTable table_;
  std::vector<std::uint64_t> keys_;
  std::vector<Node> nodes_;
  std::size_t effort_ = 0;
};

// Some fair cycle of a component: from its first state to a nearest place that settles a group,
// until all are settled, and back. Empty when it was stopped.
std::vector<Step> some_cycle(const Lts& lts, const FairSets& fair, Walks& walks,
                             const StateIds& component, const std::vector<bool>& member,
                             const StopSigns& signs) {
  const auto inside = [&](StateId state) { return bool{member[state]}; };
  const StateId start = component.front();
  std::vector<Step> cycle;
  StateId here = start;
  const auto extend = [&](const Walk& walk) {
    cycle.insert(cycle.end(), walk.steps.begin(), walk.steps.end());
    here = walk.end;
  };
  const Topology& topology = lts.topology();
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    for (int group = 0; group < topology.groups(level); ++group) {
      if (signs.seen() != Limit::none) return {};
      const ThreadSet threads = threads_of(topology, level, group);
      const auto owes = [&](StateId state) {
        return fair.owed(lts, state).at(topology, level).contains(group);
      };
      extend(walks.find(here, 0, inside, [&](StateId state) {
        return !owes(state) || step_inside(lts, state, threads, member);
      }));
      if (!owes(here)) continue;
      const Transition taken = step_inside(lts, here, threads, member).value();
      cycle.push_back(taken.step);
      here = taken.target;
    }
  }
  extend(walks.find(here, cycle.empty() ? 1 : 0, inside,
                    [&](StateId state) { return state == start; }));
  return cycle;
}

// Strong fairness --------------------------------------------------------------------------------

// The graph of owed steps between the members of a set, for SccSearch: the steps of threads that
// pay what is owed. Whoever takes all of those that do not leave the set meets every obligation.
class OwedSteps {
 public:
  OwedSteps(const Lts& lts, const FairSets& fair, const std::vector<bool>& member)
      : lts_(lts), fair_(fair), member_(member), component_(lts.states(), kNoState) {}

  bool is_edge(StateId from, const Transition& transition) const {
    return member_[transition.target] &&
           paying_threads(lts_.topology(), fair_.owed(lts_, from)).contains(transition.step.thread);
  }
  std::uint32_t next(std::uint32_t state, int& cursor) const {
    const auto transitions = lts_.from(state);
    while (static_cast<std::size_t>(cursor) < transitions.size()) {
      const Transition& transition = transitions[cursor++];
      if (is_edge(state, transition)) return transition.target;
    }
    return SccSearch::kNone;
  }
  bool component(std::span<const std::uint32_t> members) {
    for (const std::uint32_t state : members) component_[state] = count_;
    ++count_;
    return true;
  }

  std::uint32_t count() const { return count_; }
  std::uint32_t component_of(StateId state) const { return component_[state]; }

 private:
  const Lts& lts_;
  const FairSets& fair_;
  const std::vector<bool>& member_;
  std::vector<std::uint32_t> component_;
  std::uint32_t count_ = 0;
};

// A set inside `states` that is strongly connected, has a step, and in which each obligation can be
// met, as small as these rules find it. Whatever is such a set contains a bottom component of the
// graph of owed steps inside, so the smallest bottom component that has a step is the answer when
// every state owes one. When no state owes any, every cycle will do and a shortest one is the
// answer. Otherwise the set is left as it is.
StateIds smallest_closed(const Lts& lts, const FairSets& fair, Walks& walks, const StateIds& states,
                         const StopSigns& signs) {
  const std::vector<bool> member = membership(lts, states);
  OwedSteps graph(lts, fair, member);
  SccSearch search;
  search.clear(lts.states());
  for (StateId state : states) {
    if (!search.visited(state)) search.visit(state, graph);
  }
  std::vector<StateIds> bottoms(graph.count());
  std::vector<bool> is_bottom(graph.count(), true);
  bool any_owed = false;
  for (StateId state : states) {
    const std::uint32_t own = graph.component_of(state);
    const bool owes = !fair.owed(lts, state).empty();
    any_owed = any_owed || owes;
    bottoms[own].push_back(state);
    if (!owes) is_bottom[own] = false;
    for (const Transition& transition : lts.from(state)) {
      if (graph.is_edge(state, transition) && graph.component_of(transition.target) != own) {
        is_bottom[own] = false;
      }
    }
  }
  StateIds best = states;
  for (std::size_t c = 0; c < bottoms.size(); ++c) {
    if (is_bottom[c] && bottoms[c].size() < best.size()) best = bottoms[c];
  }
  if (any_owed) return best;
  const auto inside = [&](StateId state) { return bool{member[state]}; };
  for (StateId start : states) {
    if (signs.seen() != Limit::none) return best;
    const Walk walk = walks.find(start, 1, inside, [&](StateId state) { return state == start; });
    if (walk.steps.empty() || walk.steps.size() >= best.size()) continue;
    best.clear();
    StateId state = start;
    for (const Step& step : walk.steps) best.push_back(state), state = lts.successor(state, step);
    std::sort(best.begin(), best.end());
    if (best.size() == 1) break;
  }
  return best;
}

// A closed walk inside a closed set, from its first state, that meets every obligation. Empty when
// it was stopped.
std::vector<Step> covering_cycle(const Lts& lts, const FairSets& fair, Walks& walks,
                                 const StateIds& states, const StopSigns& signs) {
  const std::vector<bool> member = membership(lts, states);
  const auto inside = [&](StateId state) { return bool{member[state]}; };
  std::map<StateId, GroupSet> owed;
  for (StateId state : states) {
    if (!fair.owed(lts, state).empty()) owed[state] = fair.owed(lts, state);
  }
  const StateId start = states.front();
  StateId here = start;
  std::vector<Step> cycle;
  const auto take = [&](Step step) {
    if (const auto debt = owed.find(here); debt != owed.end()) {
      debt->second -= steppers(lts, step);
      if (debt->second.empty()) owed.erase(debt);
    }
    cycle.push_back(step);
    here = lts.successor(here, step);
  };
  const auto extend = [&](const Walk& walk) {
    for (const Step& step : walk.steps) take(step);
  };
  while (!owed.empty()) {
    if (signs.seen() != Limit::none) return {};
    extend(walks.find(here, 0, inside, [&](StateId state) { return owed.contains(state); }));
    const auto debt = owed.find(here);
    if (debt == owed.end()) continue;
    // Of the innermost groups first, each of which pays for those around it, too.
    const Topology& topology = lts.topology();
    const GroupSet left = debt->second;
    for (const Level level : {Level::thread, Level::subgroup, Level::workgroup}) {
      if (!topology.has(level) || left.at(topology, level).empty()) continue;
      const ThreadSet threads = threads_of(topology, level, left.at(topology, level).min());
      take(step_inside(lts, here, threads, member).value().step);
      break;
    }
  }
  extend(walks.find(here, cycle.empty() ? 1 : 0, inside,
                    [&](StateId state) { return state == start; }));
  return cycle;
}

}  // namespace

Witness find_stuck_witness(const Lts& lts) {
  assert(!lts.stuck().empty());
  Witness witness;
  witness.lasso.stem = Walks(lts).to(lts.stuck().front());  // states are numbered breadth first
  return witness;
}

// Components come in no particular order; their states are numbered breadth first, so starting
// from the lowest states makes the stem shortest among equally small cycles.
std::optional<Witness> find_weak_witness(const Lts& lts, const FairSets& fair,
                                         const std::vector<StateIds>& components,
                                         const StopSigns& signs) {
  assert(!components.empty());
  if (lts.has_fair_choices()) return find_tour(lts, components, signs);
  SmallestCycle search(lts, fair, signs);
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
    std::vector<Step> cycle = search.find(start, members[c], bound);
    if (search.stopped) return std::nullopt;
    if (search.gave_up) break;
    if (cycle.empty()) continue;
    witness.lasso.cycle = std::move(cycle);
    entry = start;
    if (witness.lasso.cycle.size() == 1) break;
  }
  witness.smallest = !search.gave_up;
  if (witness.lasso.cycle.empty()) {
    witness.lasso.cycle = some_cycle(lts, fair, walks, components[starts.front().second],
                                     members[starts.front().second], signs);
    if (witness.lasso.cycle.empty()) return std::nullopt;
  }
  witness.lasso.stem = walks.to(entry);
  StateId state = entry;
  for (const Step& step : witness.lasso.cycle) {
    witness.states.push_back(state);
    state = lts.successor(state, step);
  }
  return witness;
}

std::optional<Witness> find_strong_witness(const Lts& lts, const FairSets& fair,
                                           const std::vector<StateIds>& components,
                                           const StopSigns& signs) {
  assert(!components.empty());
  if (lts.has_fair_choices()) return find_tour(lts, components, signs);
  Walks walks(lts);
  Witness witness;
  for (const StateIds& component : components) {
    StateIds closed = smallest_closed(lts, fair, walks, component, signs);
    if (signs.seen() != Limit::none) return std::nullopt;
    const auto rank = [](const StateIds& set) { return std::pair(set.size(), set.front()); };
    if (witness.states.empty() || rank(closed) < rank(witness.states)) {
      witness.states = std::move(closed);
    }
  }
  witness.lasso.stem = walks.to(witness.states.front());
  witness.lasso.cycle = covering_cycle(lts, fair, walks, witness.states, signs);
  if (witness.lasso.cycle.empty()) return std::nullopt;
  return witness;
}

}  // namespace headway::checker
