#include "checker/witness/witness.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/bits/state_table.hpp"
#include "checker/lts/walks.hpp"

namespace headway::checker {
namespace {

constexpr std::size_t kGuesses = 256;       // of a fair cycle, where there are fair choices
constexpr std::size_t kEffort = 4'000'000;  // nodes that the search for a smallest cycle may visit

// What a walk may do that stays among some states for ever. A fair choice has to be made in each
// way in time, so it may be made only where none of them leads out.
class Allowed {
 public:
  Allowed(const Lts& lts, const StateIds& states) : lts_(&lts), member_(lts.states()) {
    for (const StateId state : states) member_[state] = true;
  }

  bool operator()(StateId from, const Transition& wanted) const {
    if (!member_[wanted.target]) return false;
    if (!lts_->fair_choices(from).contains(wanted.step.thread)) return true;
    const auto transitions = lts_->from(from);
    return std::all_of(transitions.begin(), transitions.end(), [&](const Transition& other) {
      return other.step.thread != wanted.step.thread || member_[other.target];
    });
  }
  // The first step of one of `threads`, if there is one.
  std::optional<Transition> step_of(ThreadSet threads, StateId from) const {
    for (const Transition& transition : lts_->from(from)) {
      if (threads.contains(transition.step.thread) && (*this)(from, transition)) return transition;
    }
    return std::nullopt;
  }

 private:
  const Lts* lts_;
  std::vector<bool> member_;
};

// The states before each step.
StateIds states_on(const Lts& lts, StateId from, const std::vector<Step>& steps) {
  StateIds states;
  for (const Step& step : steps) {
    states.push_back(from);
    from = lts.successor(from, step);
  }
  return states;
}

// The groups that a step of a thread is a step of.
GroupSet steppers(const Lts& lts, const Step& step) {
  return groups_of(lts.topology(), ThreadSet::single(step.thread));
}

// A walk from a state back to it, in the making, that makes each fair choice in each way that it
// makes in one.
class ClosedWalk {
 public:
  ClosedWalk(const Lts& lts, const Allowed& allowed, Walks& walks, StateId start)
      : lts_(lts), allowed_(allowed), walks_(walks), start_(start), here_(start) {}

  StateId here() const { return here_; }

  void take(const Transition& transition) {
    const int thread = transition.step.thread;
    if (lts_.fair_choices(here_).contains(thread)) {
      std::vector<Transition>& untaken = untaken_[here_];
      if (made_.emplace(here_, thread).second) {
        for (const Transition& other : lts_.from(here_)) {
          if (other.step.thread == thread) untaken.push_back(other);
        }
      }
      std::erase_if(untaken, [&](const Transition& t) { return t.step == transition.step; });
      if (untaken.empty()) untaken_.erase(here_);
    }
    steps_.push_back(transition.step);
    here_ = transition.target;
  }

  // To a nearest state for which `goal` holds, through `on_the_way(state, step)` for each step.
  template <class Goal, class Visit>
  void go(int least, const Goal& goal, const Visit& on_the_way) {
    for (const Step& step : walks_.find_by(here_, least, allowed_, goal).steps) {
      on_the_way(here_, step);
      take(Transition{lts_.successor(here_, step), step});
    }
  }
  template <class Goal>
  void go(int least, const Goal& goal) {
    go(least, goal, [](StateId, Step) {});
  }

  // Back to the start, with all fair choices made. Empty when `signs` said to stop.
  std::vector<Step> close(const StopSigns& signs) {
    for (;;) {
      if (signs.seen() != Limit::none) return {};
      if (!untaken_.empty()) {
        go(0, [&](StateId state) { return untaken_.contains(state); });
        take(Transition(untaken_.at(here_).back()));
        continue;
      }
      if (here_ == start_ && !steps_.empty()) return steps_;
      go(steps_.empty() ? 1 : 0, [&](StateId state) { return state == start_; });
    }
  }

 private:
  const Lts& lts_;
  const Allowed& allowed_;
  Walks& walks_;
  const StateId start_;
  StateId here_;
  std::vector<Step> steps_;
  std::set<std::pair<StateId, int>> made_;  // fair choices of threads
  std::map<StateId, std::vector<Transition>> untaken_;
};

// Weak fairness ----------------------------------------------------------------------------------

// A closed walk is weakly fair when every group is settled: a thread of it steps, or it is owed no
// step in some state of the walk. So the smallest fair cycle through a state is a shortest path in
// the product of the component with the set of groups that the walk has settled so far, and with
// the ways in which it has made fair choices, from the state with what it settles itself back to
// the state with everything settled and each choice made in all its ways or in none.
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
  std::vector<Step> find(StateId start, const Allowed& allowed, std::size_t bound) {
    nodes_.clear();
    keys_.clear();
    table_.clear(kKeyWords);
    choices_.clear();
    choices_.number({}, 0);
    add(start, absent(start), 0, 0, {});
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
      const std::uint64_t made = keys_[kKeyWords * (head + 1) - 1];
      for (const Transition& transition : lts_.from(state)) {
        const StateId next = transition.target;
        if (!allowed(state, transition)) continue;
        const GroupSet now = settled | steppers(lts_, transition.step) | absent(next);
        const std::uint64_t choices = choices_after(made, state, transition.step);
        const std::size_t left = choices_.left(choices);  // ways to make choices in
        if (next == start && now == all_ && left == 0) return trace(head, transition.step);
        if (length + 1 + left >= bound) continue;
        add(next, now, choices, head, transition.step);
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

  // Sets of ways in which fair choices have been made, by number; 0 is the empty one.
  class Choices {
   public:
    // State, thread and choice, sorted.
    using Ways = std::vector<std::tuple<StateId, int, int>>;

    void clear() { numbers_.clear(), sets_.clear(), left_.clear(); }
    std::uint64_t number(const Ways& ways, std::size_t left) {
      const auto [entry, is_new] = numbers_.try_emplace(ways, sets_.size());
      if (is_new) {
        sets_.push_back(&entry->first);
        left_.push_back(left);
      }
      return entry->second;
    }
    const Ways& ways(std::uint64_t number) const { return *sets_[number]; }
    // How many more there are of the same choices.
    std::size_t left(std::uint64_t number) const { return left_[number]; }

   private:
    std::map<Ways, std::uint64_t> numbers_;
    std::vector<const Ways*> sets_;
    std::vector<std::size_t> left_;
  };

  static constexpr std::size_t kKeyWords = 2 + GroupSet::Key().size();

  std::uint64_t choices_after(std::uint64_t made, StateId state, Step step) {
    if (!lts_.fair_choices(state).contains(step.thread)) return made;
    Choices::Ways ways = choices_.ways(made);
    const Choices::Ways::value_type way(state, step.thread, step.choice);
    const auto place = std::lower_bound(ways.begin(), ways.end(), way);
    if (place != ways.end() && *place == way) return made;
    const bool again = std::any_of(ways.begin(), ways.end(), [&](const auto& other) {
      return std::get<0>(other) == state && std::get<1>(other) == step.thread;
    });
    ways.insert(place, way);
    const auto transitions = lts_.from(state);
    const auto all = static_cast<std::size_t>(
        std::count_if(transitions.begin(), transitions.end(),
                      [&](const Transition& t) { return t.step.thread == step.thread; }));
    return choices_.number(ways, choices_.left(made) + (again ? 0 : all) - 1);
  }

  GroupSet absent(StateId state) const { return all_ - fair_.owed(lts_, state); }

  bool may_go_on() {
    gave_up = ++effort_ > kEffort;
    if (effort_ % 4096 == 0) stopped = signs_.seen() != Limit::none;
    return !gave_up && !stopped;
  }

  void add(StateId state, const GroupSet& settled, std::uint64_t choices, std::size_t parent,
           Step step) {
    const GroupSet::Key groups = settled.key();
    const std::uint64_t key[] = {state, groups[0], groups[1], groups[2], choices};
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
  Choices choices_;
  std::size_t effort_ = 0;
};

// Some fair cycle of a component: from a state to a nearest place that settles a group, until all
// are settled, and back. Empty when it was stopped.
std::vector<Step> some_cycle(const Lts& lts, const FairSets& fair, Walks& walks, StateId start,
                             const Allowed& allowed, const StopSigns& signs) {
  ClosedWalk cycle(lts, allowed, walks, start);
  const Topology& topology = lts.topology();
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    for (int group = 0; group < topology.groups(level); ++group) {
      if (signs.seen() != Limit::none) return {};
      const ThreadSet threads = threads_of(topology, level, group);
      const auto owes = [&](StateId state) {
        return fair.owed(lts, state).at(topology, level).contains(group);
      };
      cycle.go(0, [&](StateId state) { return !owes(state) || allowed.step_of(threads, state); });
      if (owes(cycle.here())) cycle.take(allowed.step_of(threads, cycle.here()).value());
    }
  }
  return cycle.close(signs);
}

// Strong fairness --------------------------------------------------------------------------------

// The graph of owed steps between the members of a set, for SccSearch: the steps of threads that
// pay what is owed. Whoever takes all of those that do not leave the set meets every obligation.
class OwedSteps {
 public:
  OwedSteps(const Lts& lts, const FairSets& fair, const Allowed& allowed)
      : lts_(lts), fair_(fair), allowed_(allowed), component_(lts.states(), kNoState) {}

  bool is_edge(StateId from, const Transition& transition) const {
    return allowed_(from, transition) &&
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
  const Allowed& allowed_;
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
  const Allowed allowed(lts, states);
  OwedSteps graph(lts, fair, allowed);
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
  SmallestCycle smallest(lts, fair, signs);
  for (StateId start : states) {
    if (signs.seen() != Limit::none) return best;
    const std::vector<Step> cycle =
        lts.has_fair_choices()
            ? smallest.find(start, allowed, ~std::size_t{0})
            : walks.find_by(start, 1, allowed, [&](StateId state) { return state == start; }).steps;
    if (smallest.gave_up) break;
    StateIds passed = states_on(lts, start, cycle);
    std::sort(passed.begin(), passed.end());
    passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
    if (passed.empty() || passed.size() >= best.size()) continue;
    best = std::move(passed);
    if (best.size() == 1) break;
  }
  return best;
}

// A closed walk inside a closed set, from its first state, that meets every obligation. Empty when
// it was stopped.
std::vector<Step> covering_cycle(const Lts& lts, const FairSets& fair, Walks& walks,
                                 const StateIds& states, const StopSigns& signs) {
  const Allowed allowed(lts, states);
  std::map<StateId, GroupSet> owed;
  for (StateId state : states) {
    if (!fair.owed(lts, state).empty()) owed[state] = fair.owed(lts, state);
  }
  ClosedWalk cycle(lts, allowed, walks, states.front());
  const auto pay = [&](StateId state, Step step) {
    const auto debt = owed.find(state);
    if (debt == owed.end()) return;
    debt->second -= steppers(lts, step);
    if (debt->second.empty()) owed.erase(debt);
  };
  while (!owed.empty()) {
    if (signs.seen() != Limit::none) return {};
    cycle.go(
        0, [&](StateId state) { return owed.contains(state); }, pay);
    const StateId here = cycle.here();
    // Of the innermost groups first, each of which pays for those around it, too.
    const Topology& topology = lts.topology();
    const GroupSet left = owed.at(here);
    for (const Level level : {Level::thread, Level::subgroup, Level::workgroup}) {
      if (!topology.has(level) || left.at(topology, level).empty()) continue;
      const ThreadSet threads = threads_of(topology, level, left.at(topology, level).min());
      const Transition step = allowed.step_of(threads, here).value();
      pay(here, step.step);
      cycle.take(step);
      break;
    }
  }
  return cycle.close(signs);
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
  SmallestCycle search(lts, fair, signs);
  Walks walks(lts);
  std::vector<std::pair<StateId, std::size_t>> starts;  // and the component of each
  std::vector<Allowed> allowed;
  for (std::size_t c = 0; c < components.size(); ++c) {
    allowed.emplace_back(lts, components[c]);
    for (StateId state : components[c]) starts.emplace_back(state, c);
  }
  std::sort(starts.begin(), starts.end());
  Witness witness;
  StateId entry = starts.front().first;
  // With fair choices a cycle may have to be long, and knowing one saves looking for longer ones.
  for (std::size_t i = 0; lts.has_fair_choices() && i < std::min(starts.size(), kGuesses); ++i) {
    const auto& [start, c] = starts[i];
    std::vector<Step> cycle = some_cycle(lts, fair, walks, start, allowed[c], signs);
    if (cycle.empty()) return std::nullopt;
    if (!witness.lasso.cycle.empty() && cycle.size() >= witness.lasso.cycle.size()) continue;
    witness.lasso.cycle = std::move(cycle);
    entry = start;
  }
  for (const auto& [start, c] : starts) {
    const std::size_t bound =
        witness.lasso.cycle.empty() ? ~std::size_t{0} : witness.lasso.cycle.size();
    std::vector<Step> cycle = search.find(start, allowed[c], bound);
    if (search.stopped) return std::nullopt;
    if (search.gave_up) break;
    if (cycle.empty()) continue;
    witness.lasso.cycle = std::move(cycle);
    entry = start;
    if (witness.lasso.cycle.size() == 1) break;
  }
  witness.smallest = !search.gave_up;
  if (witness.lasso.cycle.empty()) {
    const auto& [start, c] = starts.front();
    witness.lasso.cycle = some_cycle(lts, fair, walks, start, allowed[c], signs);
    if (witness.lasso.cycle.empty()) return std::nullopt;
  }
  witness.lasso.stem = walks.to(entry);
  witness.states = states_on(lts, entry, witness.lasso.cycle);
  return witness;
}

std::optional<Witness> find_strong_witness(const Lts& lts, const FairSets& fair,
                                           const std::vector<StateIds>& components,
                                           const StopSigns& signs) {
  assert(!components.empty());
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
