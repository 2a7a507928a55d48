// The verdicts of the oracle: fair cycles, found in three ways.
#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "oracle/oracle.hpp"

namespace headway::oracle {

using models::Fairness;

bool goes_wrong(const Lts& lts) {
  return std::any_of(lts.states.begin(), lts.states.end(),
                     [](const State& state) { return !state.failed.empty(); });
}

bool gets_stuck(const Lts& lts) {
  return std::any_of(lts.states.begin(), lts.states.end(), [](const State& state) {
    return state.running.empty() && !state.blocked.empty() && state.failed.empty();
  });
}

// What an execution does for ever ----------------------------------------------------------------

namespace {

// Some of the transitions of an LTS, by their indexes.
using TransitionSet = boost::dynamic_bitset<std::uint64_t>;
using StateSet = boost::dynamic_bitset<std::uint64_t>;

TransitionSet all_transitions(const Lts& lts) {
  TransitionSet all(lts.transitions.size());
  return all.set();
}

// Calls `visit` with each member.
template <class Visit>
void for_each_in(const boost::dynamic_bitset<std::uint64_t>& set, const Visit& visit) {
  for (std::size_t i = set.find_first(); i != set.npos; i = set.find_next(i)) visit(i);
}

// Where the taken transitions start and end.
StateSet visited_by(const Lts& lts, const TransitionSet& taken) {
  StateSet result(lts.states.size());
  for_each_in(taken, [&](std::size_t i) {
    result.set(lts.transitions[i].from).set(lts.transitions[i].to);
  });
  return result;
}

bool same_choice(const Transition& a, const Transition& b) {
  return a.from == b.from && a.thread == b.thread;
}

// Those among the taken transitions that make a fair choice an alternative of which is not taken.
TransitionSet unfairly_chosen(const Lts& lts, const TransitionSet& taken) {
  TransitionSet result(lts.transitions.size());
  for_each_in(taken, [&](std::size_t i) {
    if (!lts.transitions[i].fair_choice) return;
    for_each_in(~taken, [&](std::size_t other) {
      if (same_choice(lts.transitions[i], lts.transitions[other])) result.set(i);
    });
  });
  return result;
}

// "for every group g: a thread of g takes a step inside C, or g is absent from O in at least one
// state of C", where C is the taken transitions and what they visit.
bool is_weakly_fair(const Lts& lts, const TransitionSet& taken) {
  const StateSet visited = visited_by(lts, taken);
  return std::all_of(lts.groups.begin(), lts.groups.end(), [&](const Group& group) {
    bool steps = false, absent = false;
    for_each_in(taken, [&](std::size_t i) {
      steps = steps || holds(group, lts.launch, lts.transitions[i].thread);
    });
    for_each_in(visited,
                [&](std::size_t s) { absent = absent || lts.states[s].owed.count(group) == 0; });
    return steps || absent;
  });
}

// The visited states where a group is owed a step, and no transition of a thread of it is taken.
StateSet unfairly_left(const Lts& lts, const TransitionSet& taken) {
  std::map<std::size_t, Threads> stepping;
  for_each_in(taken, [&](std::size_t i) {
    stepping[lts.transitions[i].from].insert(lts.transitions[i].thread);
  });
  StateSet result(lts.states.size());
  for_each_in(visited_by(lts, taken), [&](std::size_t s) {
    for (const Group& group : lts.states[s].owed) {
      const bool steps = std::any_of(stepping[s].begin(), stepping[s].end(),
                                     [&](int t) { return holds(group, lts.launch, t); });
      if (!steps) result.set(s);
    }
  });
  return result;
}

// "for every state s of C, and every group g that is in O there, some transition of a thread of g
// from s stays in C"
bool is_strongly_fair(const Lts& lts, const TransitionSet& taken) {
  return unfairly_left(lts, taken).none();
}

bool is_fairly_taken(const Lts& lts, const TransitionSet& taken, Fairness fairness) {
  return fairness == Fairness::weak ? is_weakly_fair(lts, taken) : is_strongly_fair(lts, taken);
}

// Paths of one transition or more.
class Reachability {
 public:
  Reachability(const Lts& lts, const TransitionSet& taken)
      : lts_(lts), taken_(taken), reach_(lts.states.size(), StateSet(lts.states.size())) {
    for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
      if (taken[i]) reach_[lts.transitions[i].from].set(lts.transitions[i].to);
    }
    for (std::size_t via = 0; via < reach_.size(); ++via) {  // Warshall's algorithm
      for (StateSet& row : reach_) {
        if (row[via]) row |= reach_[via];
      }
    }
  }

  bool connected(int a, int b) const { return reach_[a][b] && reach_[b][a]; }

  // The taken transitions of which the others lead back.
  TransitionSet on_cycles() const {
    TransitionSet result(taken_.size());
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      result[i] = taken_[i] && connected(lts_.transitions[i].from, lts_.transitions[i].to);
    }
    return result;
  }

  // The same, each component by itself.
  std::vector<TransitionSet> components() const {
    std::vector<TransitionSet> result;
    TransitionSet rest = on_cycles();
    while (rest.any()) {
      const int start = lts_.transitions[rest.find_first()].from;
      TransitionSet component(rest.size());
      for (std::size_t i = 0; i < rest.size(); ++i) {
        component[i] = rest[i] && connected(start, lts_.transitions[i].from);
      }
      rest -= component;
      result.push_back(component);
    }
    return result;
  }

 private:
  const Lts& lts_;
  const TransitionSet taken_;
  std::vector<StateSet> reach_;
};

}  // namespace

// By transitive closure --------------------------------------------------------------------------

namespace {

// Drops what cannot be taken infinitely often, until nothing changes: the transitions from which
// the rest has no way back; those of a fair choice one alternative of which is dropped; and, under
// strong fairness, those from and to a state where a group is owed a step and what is left has none
// of it. Nothing is dropped of what some execution that is strongly fair, and fair in its choices,
// takes infinitely often. So what remains holds all of them, and it is a union of such.
bool has_fair_cycle(const Lts& lts, Fairness fairness) {
  for (TransitionSet kept = all_transitions(lts);;) {
    const Reachability paths(lts, kept);
    const TransitionSet cycling = paths.on_cycles();
    TransitionSet next = kept - unfairly_chosen(lts, cycling);
    if (fairness == Fairness::strong) {
      const StateSet left = unfairly_left(lts, cycling);
      for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
        if (left[lts.transitions[i].from] || left[lts.transitions[i].to]) next.reset(i);
      }
    }
    if (next != kept) {
      kept = next;
      continue;
    }
    if (fairness == Fairness::strong) return cycling.any();
    const std::vector<TransitionSet> components = paths.components();
    return std::any_of(components.begin(), components.end(),
                       [&](const TransitionSet& taken) { return is_weakly_fair(lts, taken); });
  }
}

}  // namespace

bool passes(const Lts& lts, Fairness fairness) {
  if (lts.states.size() > kMaxStates) throw std::length_error("too many states for the oracle");
  return !gets_stuck(lts) && !has_fair_cycle(lts, fairness);
}

LargestComponent largest_component(const Lts& lts) {
  LargestComponent result;
  for (const TransitionSet& taken : Reachability(lts, all_transitions(lts)).components()) {
    result.states = std::max(result.states, visited_by(lts, taken).count());
    result.transitions = std::max(result.transitions, taken.count());
  }
  return result;
}

// By trying everything ---------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxTried = 14;

// Whether each of the states that the transitions visit reaches each of them by these, itself
// included.
bool strongly_connected(const Lts& lts, const TransitionSet& taken) {
  const StateSet visited = visited_by(lts, taken);
  for (std::size_t start = visited.find_first(); start != StateSet::npos;
       start = visited.find_next(start)) {
    StateSet reached(lts.states.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = taken.find_first(); i != TransitionSet::npos; i = taken.find_next(i)) {
        const Transition& t = lts.transitions[i];
        const bool starts = t.from == static_cast<int>(start) || reached[t.from];
        if (!starts || reached[t.to]) continue;
        reached.set(t.to);
        changed = true;
      }
    }
    if (reached != visited) return false;
  }
  return true;
}

// Calls `visit` with each subset of `whole` but the empty one, until it returns true; whether it
// did.
template <class Visit>
bool any_subset(const boost::dynamic_bitset<std::uint64_t>& whole, const Visit& visit) {
  if (whole.count() > kMaxTried) throw std::length_error("too much to try all sets");
  boost::dynamic_bitset<std::uint64_t> subset(whole.size());
  for (;;) {  // counts up in the bits of `whole`
    std::size_t bit = whole.find_first();
    for (; bit != whole.npos && subset[bit]; bit = whole.find_next(bit)) subset.reset(bit);
    if (bit == whole.npos) return false;
    subset.set(bit);
    if (visit(subset)) return true;
  }
}

}  // namespace

bool passes_by_state_sets(const Lts& lts, Fairness fairness) {
  if (gets_stuck(lts)) return false;
  for (const TransitionSet& component : Reachability(lts, all_transitions(lts)).components()) {
    const bool found = any_subset(visited_by(lts, component), [&](const StateSet& states) {
      TransitionSet inside(lts.transitions.size());
      for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
        inside[i] = states[lts.transitions[i].from] && states[lts.transitions[i].to];
      }
      // A fair choice is not made where an alternative leaves the set.
      inside -= unfairly_chosen(lts, inside);
      return visited_by(lts, inside) == states && strongly_connected(lts, inside) &&
             is_fairly_taken(lts, inside, fairness);
    });
    if (found) return false;
  }
  return true;
}

bool passes_by_transition_sets(const Lts& lts, Fairness fairness) {
  if (gets_stuck(lts)) return false;
  std::map<std::pair<int, int>, TransitionSet> alternatives;  // by state and thread
  for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
    const Transition& t = lts.transitions[i];
    TransitionSet& set = alternatives[{t.from, t.thread}];
    set.resize(lts.transitions.size());
    set.set(i);
  }
  for (const TransitionSet& component : Reachability(lts, all_transitions(lts)).components()) {
    const bool found = any_subset(component, [&](const TransitionSet& taken) {
      if (!strongly_connected(lts, taken)) return false;
      bool fair = true;
      // "makes it infinitely often in a state": takes each alternative infinitely often
      for_each_in(taken, [&](std::size_t i) {
        const Transition& t = lts.transitions[i];
        if (t.fair_choice && !alternatives.at({t.from, t.thread}).is_subset_of(taken)) fair = false;
      });
      const StateSet visited = visited_by(lts, taken);  // infinitely often, and no others
      for (const Group& group : lts.groups) {
        std::set<int> owing, stepping;  // states where it is owed a step, and where it steps
        for_each_in(visited, [&](std::size_t s) {
          if (lts.states[s].owed.count(group) > 0) owing.insert(static_cast<int>(s));
        });
        for_each_in(taken, [&](std::size_t i) {
          const Transition& t = lts.transitions[i];
          if (holds(group, lts.launch, t.thread)) stepping.insert(t.from);
        });
        if (fairness == Fairness::weak) {
          const bool continuously = owing.size() == visited.count();  // in O, from some point on
          if (continuously && stepping.empty()) fair = false;
        } else {
          if (!without(owing, stepping).empty()) fair = false;
        }
      }
      return fair;
    });
    if (found) return false;
  }
  return true;
}

}  // namespace headway::oracle
