#include "oracle/oracle.hpp"

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>

namespace headway::oracle {

using lang::Fairness;

// Sets and models ------------------------------------------------------------------------------

Threads unite(Threads a, const Threads& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Threads intersect(const Threads& a, const Threads& b) {
  Threads result;
  for (int t : a) {
    if (b.count(t) > 0) result.insert(t);
  }
  return result;
}

Threads without(const Threads& a, const Threads& b) {
  Threads result;
  for (int t : a) {
    if (b.count(t) == 0) result.insert(t);
  }
  return result;
}

Threads lowest(const Threads& set) {
  if (set.empty()) return {};
  return {*set.begin()};
}

Threads upto(const Threads& set) {
  Threads result;
  if (set.empty()) return result;
  for (int t = 0; t <= *set.rbegin(); ++t) result.insert(t);
  return result;
}

Threads History::all() const {
  Threads result;
  for (int t = 0; t < threads; ++t) result.insert(t);
  return result;
}

Threads History::alive() const { return without(all(), terminated); }

std::vector<Model> set_models() {
  const SetForm unfair = [](const History&) { return Threads{}; };
  const SetForm hsa = [](const History& h) { return lowest(h.alive()); };
  const SetForm obe = [](const History& h) { return intersect(h.started, h.alive()); };
  const SetForm hsa_obe = [](const History& h) {
    return intersect(unite(h.started, lowest(h.alive())), h.alive());
  };
  const SetForm lobe = [](const History& h) { return intersect(upto(h.started), h.alive()); };
  const SetForm fair = [](const History& h) { return h.alive(); };
  return {{"unfair", unfair},   {"HSA", hsa},   {"OBE", obe},
          {"HSA+OBE", hsa_obe}, {"LOBE", lobe}, {"fair", fair}};
}

std::vector<Model> event_models() {
  const auto none = [](const History&) { return Threads{}; };
  const auto all = [](const History& h) { return h.all(); };
  const auto first = [](const History& h) { return lowest(h.all()); };
  const auto keep = [](const Threads& f, int, const History&) { return f; };
  const auto add = [](const Threads& f, int tid, const History&) { return unite(f, {tid}); };
  const auto remove = [](const Threads& f, int tid, const History&) { return without(f, {tid}); };

  const EventForm unfair = {none, keep, keep};
  const EventForm hsa = {first, keep,
                         [](const Threads&, int, const History& h) { return lowest(h.alive()); }};
  const EventForm obe = {none, add, remove};
  const EventForm hsa_obe = {first, add, [](const Threads& f, int tid, const History& h) {
                               return unite(without(f, {tid}), lowest(h.alive()));
                             }};
  const EventForm lobe = {none,
                          [](const Threads& f, int tid, const History& h) {
                            return unite(f, without(upto({tid}), h.terminated));
                          },
                          remove};
  const EventForm fair = {all, keep, remove};
  return {{"unfair", unfair},   {"HSA", hsa},   {"OBE", obe},
          {"HSA+OBE", hsa_obe}, {"LOBE", lobe}, {"fair", fair}};
}

// The transition system --------------------------------------------------------------------------

namespace {

Threads initial_fair(const Model& model, const History& history) {
  if (const auto* set = std::get_if<SetForm>(&model.form)) return (*set)(history);
  return std::get<EventForm>(model.form).initial(history);
}

Threads next_fair(const Model& model, const Threads& fair, int thread, const History& after) {
  if (const auto* set = std::get_if<SetForm>(&model.form)) return (*set)(after);
  const auto& events = std::get<EventForm>(model.form);
  const bool terminates = after.terminated.count(thread) > 0;
  History stepped = after;
  stepped.terminated.erase(thread);
  const Threads result = events.on_step(fair, thread, stepped);
  return terminates ? events.on_terminate(result, thread, after) : result;
}

State initial_state(const Behaviour& program, const Model& model) {
  State state;
  state.pcs = program.pcs;
  state.memory = program.memory;
  state.history.threads = program.threads;
  state.fair = initial_fair(model, state.history);
  return state;
}

State step(const Behaviour& program, const Model& model, const State& state, int thread) {
  State next = state;
  const bool terminates = program.step(next.pcs, next.memory, thread);
  next.history.started.insert(thread);
  if (terminates) next.history.terminated.insert(thread);
  next.fair = next_fair(model, state.fair, thread, next.history);
  return next;
}

}  // namespace

Behaviour behaviour(const lang::Test& test) {
  Behaviour program;
  program.threads = static_cast<int>(test.threads.size());
  program.pcs.assign(test.threads.size(), 0);
  for (const lang::Location& location : test.locations) program.memory.push_back(location.initial);
  program.step = [&test](std::vector<int>& pcs, std::vector<int>& memory, int thread) {
    const auto& instructions = test.threads[thread].instructions;
    int& pc = pcs[thread];
    const lang::Instruction& axb = instructions[pc];
    const int old = memory[axb.location];
    if (axb.exchanges) memory[axb.location] = axb.exchange_value;
    pc = old == axb.check_value ? axb.jump : pc + 1;
    return pc == static_cast<int>(instructions.size());
  };
  return program;
}

std::optional<Lts> explore(const lang::Test& test, const Model& model, std::size_t max_states) {
  return explore(behaviour(test), model, max_states);
}

std::optional<Lts> explore(const Behaviour& program, const Model& model, std::size_t max_states) {
  Lts lts;
  lts.threads = program.threads;
  std::map<State, int> numbers;
  const auto number = [&](const State& state) {
    const auto [entry, is_new] = numbers.emplace(state, static_cast<int>(numbers.size()));
    if (is_new) {
      for (int t : state.fair) {
        if (state.history.terminated.count(t) > 0) {
          throw std::logic_error(model.name + " guarantees a terminated thread");
        }
      }
      lts.states.push_back(state);
    }
    return entry->second;
  };
  number(initial_state(program, model));
  for (std::size_t from = 0; from < lts.states.size(); ++from) {
    if (lts.states.size() > max_states) return std::nullopt;
    const State source = lts.states[from];
    for (int t : source.history.alive()) {
      const int to = number(step(program, model, source, t));
      lts.transitions.push_back({static_cast<int>(from), t, to});
    }
  }
  return lts;
}

// By transitive closure --------------------------------------------------------------------------

namespace {

using States = boost::dynamic_bitset<std::uint64_t>;

class Reachability {
 public:
  // Paths of one transition or more that visit only `kept` states.
  Reachability(const Lts& lts, const States& kept)
      : reach_(lts.states.size(), States(lts.states.size())) {
    for (const Transition& t : lts.transitions) {
      if (kept[t.from] && kept[t.to]) reach_[t.from].set(t.to);
    }
    for (std::size_t via = 0; via < reach_.size(); ++via) {  // Warshall's algorithm
      for (States& row : reach_) {
        if (row[via]) row |= reach_[via];
      }
    }
  }

  bool on_cycle(int state) const { return reach_[state][state]; }
  bool connected(int a, int b) const { return reach_[a][b] && reach_[b][a]; }

 private:
  std::vector<States> reach_;
};

States all_states(const Lts& lts) {
  States all(lts.states.size());
  return all.set();
}

bool guaranteed(const Lts& lts, const Transition& t) {
  return lts.states[t.from].fair.count(t.thread) > 0;
}

// "every thread t steps inside C, or t is absent from F in at least one state of C"
template <class Contains>
bool is_weakly_fair(const Lts& lts, const Contains& contains) {
  for (int thread = 0; thread < lts.threads; ++thread) {
    bool steps = false;
    for (const Transition& t : lts.transitions) {
      if (t.thread == thread && contains(t.from) && contains(t.to)) steps = true;
    }
    bool absent = false;
    for (std::size_t s = 0; s < lts.states.size(); ++s) {
      if (contains(static_cast<int>(s)) && lts.states[s].fair.count(thread) == 0) absent = true;
    }
    if (!steps && !absent) return false;
  }
  return true;
}

bool has_weakly_fair_cycle(const Lts& lts) {
  const Reachability paths(lts, all_states(lts));
  std::set<int> done;
  for (int s = 0; s < static_cast<int>(lts.states.size()); ++s) {
    if (!paths.on_cycle(s) || done.count(s) > 0) continue;
    for (int other = s; other < static_cast<int>(lts.states.size()); ++other) {
      if (paths.connected(s, other)) done.insert(other);
    }
    if (is_weakly_fair(lts, [&](int other) { return paths.connected(s, other); })) return true;
  }
  return false;
}

// Drops states that are on no cycle of the rest, or whose guaranteed transition leaves for a state
// from which the rest has no way back, until nothing changes. What then remains is a union of sets
// as the definition wants them; and a state of such a set is never dropped.
bool has_strongly_fair_cycle(const Lts& lts) {
  States kept = all_states(lts);
  for (;;) {
    const Reachability paths(lts, kept);
    States next = kept;
    for (int s = 0; s < static_cast<int>(lts.states.size()); ++s) {
      if (!paths.on_cycle(s)) next.reset(s);
    }
    for (const Transition& t : lts.transitions) {
      if (guaranteed(lts, t) && !paths.connected(t.from, t.to)) next.reset(t.from);
    }
    if (next == kept) return kept.any();
    kept = next;
  }
}

}  // namespace

bool passes(const Lts& lts, Fairness fairness) {
  if (lts.states.size() > kMaxStates) throw std::length_error("too many states for the oracle");
  return fairness == Fairness::weak ? !has_weakly_fair_cycle(lts) : !has_strongly_fair_cycle(lts);
}

// By trying everything ---------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxTried = 14;

// Sets of states, and of transitions, as the bits of a number.
using Mask = std::uint64_t;

bool in(Mask mask, std::size_t index) { return (mask >> index & 1) != 0; }

// Whether each of `states` reaches each of them, itself included, and nothing else, by the
// `transitions` of `lts`.
bool strongly_connected(const Lts& lts, Mask states, Mask transitions) {
  for (std::size_t start = 0; start < lts.states.size(); ++start) {
    if (!in(states, start)) continue;
    Mask reached = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
        const Transition& t = lts.transitions[i];
        const bool starts = t.from == static_cast<int>(start) || in(reached, t.from);
        if (!in(transitions, i) || !starts || in(reached, t.to)) continue;
        reached |= Mask{1} << t.to;
        changed = true;
      }
    }
    if (reached != states) return false;
  }
  return true;
}

}  // namespace

bool passes_by_state_sets(const Lts& lts, Fairness fairness) {
  if (lts.states.size() > kMaxTried) throw std::length_error("too many states to try all sets");
  for (Mask states = 1; states < Mask{1} << lts.states.size(); ++states) {
    Mask inside = 0;
    bool leaves = false;  // by a guaranteed transition
    for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
      const Transition& t = lts.transitions[i];
      if (!in(states, t.from)) continue;
      if (in(states, t.to)) {
        inside |= Mask{1} << i;
      } else if (guaranteed(lts, t)) {
        leaves = true;
      }
    }
    if (!strongly_connected(lts, states, inside)) continue;
    const bool fair = fairness == Fairness::strong
                          ? !leaves
                          : is_weakly_fair(lts, [&](int state) { return in(states, state); });
    if (fair) return false;
  }
  return true;
}

bool passes_by_transition_sets(const Lts& lts, Fairness fairness) {
  if (lts.transitions.size() > kMaxTried) {
    throw std::length_error("too many transitions to try all sets");
  }
  for (Mask taken = 1; taken < Mask{1} << lts.transitions.size(); ++taken) {
    Mask visited = 0;  // infinitely often
    Threads stepping;  // infinitely often
    for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
      const Transition& t = lts.transitions[i];
      if (!in(taken, i)) continue;
      visited |= Mask{1} << t.from | Mask{1} << t.to;
      stepping.insert(t.thread);
    }
    if (!strongly_connected(lts, visited, taken)) continue;
    bool fair = true;
    if (fairness == Fairness::weak) {
      for (int thread = 0; thread < lts.threads; ++thread) {
        bool continuously = true;  // in F, from some point on
        for (std::size_t s = 0; s < lts.states.size(); ++s) {
          if (in(visited, s) && lts.states[s].fair.count(thread) == 0) continuously = false;
        }
        if (continuously && stepping.count(thread) == 0) fair = false;
      }
    } else {
      for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
        const Transition& t = lts.transitions[i];
        if (guaranteed(lts, t) && in(visited, t.from) && !in(taken, i)) fair = false;
      }
    }
    if (fair) return false;
  }
  return true;
}

}  // namespace headway::oracle
