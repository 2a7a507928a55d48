#include "oracle/oracle.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "lang/axb/source.hpp"

namespace headway::oracle {

using models::Fairness;

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

// Fills in what each thread can do. The history knows who has ended before.
void classify(const Behaviour& program, State& state, int stepped) {
  for (int t = 0; t < program.threads; ++t) {
    const Status status = program.status(state.pcs, state.memory, t);
    if (status == Status::running) state.running.insert(t);
    if (status == Status::blocked) state.blocked.insert(t);
    if (status == Status::failed) state.failed.insert(t);
    const bool was_ended = state.history.terminated.count(t) > 0;
    const bool is_over = status == Status::ended || status == Status::failed;
    if (was_ended ? status != Status::ended : is_over && t != stepped) {
      throw std::logic_error("a thread ends or fails, or ends no more, without a step of its own");
    }
    if (status == Status::ended) state.history.terminated.insert(t);
  }
  if (!state.failed.empty()) state.running.clear();
}

void add_fair(State& state, const Model& model, Threads fair) {
  if (!intersect(fair, state.history.terminated).empty()) {
    throw std::logic_error(model.name + " guarantees a terminated thread");
  }
  state.fair = std::move(fair);
  state.owed = intersect(state.fair, state.running);
}

State initial_state(const Behaviour& program, const Model& model) {
  State state;
  state.pcs = program.pcs;
  state.memory = program.memory;
  state.history.threads = program.threads;
  classify(program, state, /*stepped=*/-1);
  add_fair(state, model, initial_fair(model, state.history));
  return state;
}

State step(const Behaviour& program, const Model& model, const State& state, int thread,
           int choice) {
  State next;
  next.pcs = state.pcs;
  next.memory = state.memory;
  next.history = state.history;
  program.step(next.pcs, next.memory, thread, choice);
  next.history.started.insert(thread);
  classify(program, next, thread);
  add_fair(next, model, next_fair(model, state.fair, thread, next.history));
  return next;
}

}  // namespace

Behaviour one_step_behaviour(
    int threads, std::vector<int> pcs, std::vector<int> memory,
    std::function<Status(const std::vector<int>& pcs, int thread)> status,
    std::function<void(std::vector<int>& pcs, std::vector<int>& memory, int thread)> step) {
  using Numbers = Behaviour::Numbers;
  Behaviour program;
  program.threads = threads;
  program.pcs = std::move(pcs);
  program.memory = std::move(memory);
  program.status = [status = std::move(status)](const Numbers& places, const Numbers&, int thread) {
    return status(places, thread);
  };
  program.choices = [](const Numbers&, const Numbers&, int) { return 1; };
  program.step = [step = std::move(step)](Numbers& places, Numbers& cells, int thread, int) {
    step(places, cells, thread);
  };
  return program;
}

Behaviour behaviour(const lang::Test& test) {
  const lang::axb::Code& code = lang::axb::code_of(test, "this oracle is");
  std::vector<int> initial;
  for (const lang::axb::Location& location : code.locations) initial.push_back(location.initial);
  const auto status = [&code](const std::vector<int>& pcs, int thread) {
    const auto length = static_cast<int>(code.threads[thread].instructions.size());
    return pcs[thread] == length ? Status::ended : Status::running;
  };
  const auto step = [&code](std::vector<int>& pcs, std::vector<int>& memory, int thread) {
    int& pc = pcs[thread];
    const lang::axb::Instruction& axb = code.threads[thread].instructions[pc];
    const int old = memory[axb.location];
    if (axb.exchanges) memory[axb.location] = axb.exchange_value;
    pc = old == axb.check_value ? axb.jump : pc + 1;
  };
  const std::size_t threads = code.threads.size();
  return one_step_behaviour(static_cast<int>(threads), std::vector<int>(threads, 0), initial,
                            status, step);
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
    if (is_new) lts.states.push_back(state);
    return entry->second;
  };
  number(initial_state(program, model));
  for (std::size_t from = 0; from < lts.states.size(); ++from) {
    if (lts.states.size() > max_states) return std::nullopt;
    const State source = lts.states[from];
    for (int t : source.running) {
      const int choices = program.choices(source.pcs, source.memory, t);
      if (choices < 1) throw std::logic_error("a running thread has no transition");
      for (int choice = 0; choice < choices; ++choice) {
        const int to = number(step(program, model, source, t, choice));
        lts.transitions.push_back({static_cast<int>(from), t, choice, to});
      }
    }
  }
  return lts;
}

bool goes_wrong(const Lts& lts) {
  return std::any_of(lts.states.begin(), lts.states.end(),
                     [](const State& state) { return !state.failed.empty(); });
}

bool gets_stuck(const Lts& lts) {
  return std::any_of(lts.states.begin(), lts.states.end(), [](const State& state) {
    return state.running.empty() && !state.blocked.empty() && state.failed.empty();
  });
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

// "every thread t steps inside C, or t is absent from O in at least one state of C"
template <class Contains>
bool is_weakly_fair(const Lts& lts, const Contains& contains) {
  for (int thread = 0; thread < lts.threads; ++thread) {
    bool steps = false;
    for (const Transition& t : lts.transitions) {
      if (t.thread == thread && contains(t.from) && contains(t.to)) steps = true;
    }
    bool absent = false;
    for (std::size_t s = 0; s < lts.states.size(); ++s) {
      if (contains(static_cast<int>(s)) && lts.states[s].owed.count(thread) == 0) absent = true;
    }
    if (!steps && !absent) return false;
  }
  return true;
}

// "for every state s of C and every thread t in O(s), some transition of t from s stays in C"
template <class Contains>
bool is_strongly_fair(const Lts& lts, const Contains& contains) {
  std::vector<Threads> staying(lts.states.size());
  for (const Transition& t : lts.transitions) {
    if (contains(t.from) && contains(t.to)) staying[t.from].insert(t.thread);
  }
  for (std::size_t s = 0; s < lts.states.size(); ++s) {
    if (!contains(static_cast<int>(s))) continue;
    if (!without(lts.states[s].owed, staying[s]).empty()) return false;
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

// Drops states that are on no cycle of the rest, or where a thread is owed a step and all its
// transitions leave for states from which the rest has no way back, until nothing changes. What
// then remains is a union of sets as the definition wants them; and a state of such a set is never
// dropped.
bool has_strongly_fair_cycle(const Lts& lts) {
  States kept = all_states(lts);
  for (;;) {
    const Reachability paths(lts, kept);
    std::vector<Threads> staying(lts.states.size());
    for (const Transition& t : lts.transitions) {
      if (paths.connected(t.from, t.to)) staying[t.from].insert(t.thread);
    }
    States next = kept;
    for (int s = 0; s < static_cast<int>(lts.states.size()); ++s) {
      if (!paths.on_cycle(s) || !without(lts.states[s].owed, staying[s]).empty()) next.reset(s);
    }
    if (next == kept) return kept.any();
    kept = next;
  }
}

}  // namespace

bool passes(const Lts& lts, Fairness fairness) {
  if (lts.states.size() > kMaxStates) throw std::length_error("too many states for the oracle");
  if (gets_stuck(lts)) return false;
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
  if (gets_stuck(lts)) return false;
  for (Mask states = 1; states < Mask{1} << lts.states.size(); ++states) {
    const auto contains = [&](int state) { return in(states, state); };
    Mask inside = 0;
    for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
      const Transition& t = lts.transitions[i];
      if (contains(t.from) && contains(t.to)) inside |= Mask{1} << i;
    }
    if (!strongly_connected(lts, states, inside)) continue;
    const bool fair = fairness == Fairness::weak ? is_weakly_fair(lts, contains)
                                                 : is_strongly_fair(lts, contains);
    if (fair) return false;
  }
  return true;
}

bool passes_by_transition_sets(const Lts& lts, Fairness fairness) {
  if (lts.transitions.size() > kMaxTried) {
    throw std::length_error("too many transitions to try all sets");
  }
  if (gets_stuck(lts)) return false;
  for (Mask taken = 1; taken < Mask{1} << lts.transitions.size(); ++taken) {
    Mask visited = 0;                            // infinitely often
    Threads stepping;                            // infinitely often
    std::map<int, Threads> stepping_from_state;  // infinitely often
    for (std::size_t i = 0; i < lts.transitions.size(); ++i) {
      const Transition& t = lts.transitions[i];
      if (!in(taken, i)) continue;
      visited |= Mask{1} << t.from | Mask{1} << t.to;
      stepping.insert(t.thread);
      stepping_from_state[t.from].insert(t.thread);
    }
    if (!strongly_connected(lts, visited, taken)) continue;
    bool fair = true;
    if (fairness == Fairness::weak) {
      for (int thread = 0; thread < lts.threads; ++thread) {
        bool continuously = true;  // in O, from some point on
        for (std::size_t s = 0; s < lts.states.size(); ++s) {
          if (in(visited, s) && lts.states[s].owed.count(thread) == 0) continuously = false;
        }
        if (continuously && stepping.count(thread) == 0) fair = false;
      }
    } else {
      for (std::size_t s = 0; s < lts.states.size(); ++s) {
        if (!in(visited, s)) continue;
        const Threads& from_here = stepping_from_state[static_cast<int>(s)];
        if (!without(lts.states[s].owed, from_here).empty()) fair = false;
      }
    }
    if (fair) return false;
  }
  return true;
}

}  // namespace headway::oracle
