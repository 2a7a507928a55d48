// A second checker, for tests only: slow, and as close to the words of docs/semantics.md as code
// can be. States are plain structs in a map, fair sets are std::set<int>, and fair cycles are found
// by transitive closure, or by trying all sets there are. It shares nothing with src/ but the
// tests it reads.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "lang/test.hpp"

namespace headway::oracle {

using Threads = std::set<int>;

Threads unite(Threads a, const Threads& b);
Threads intersect(const Threads& a, const Threads& b);
Threads without(const Threads& a, const Threads& b);
Threads lowest(const Threads& set);  // {min}, {} of {}
Threads upto(const Threads& set);    // {0, ..., max}, {} of {}

// What models may look at. A thread that has terminated has also started.
struct History {
  int threads = 0;
  Threads started;
  Threads terminated;

  Threads all() const;
  Threads alive() const;
  friend bool operator<(const History& a, const History& b) {
    return std::tie(a.threads, a.started, a.terminated) <
           std::tie(b.threads, b.started, b.terminated);
  }
};

// F as a function of the history.
using SetForm = std::function<Threads(const History&)>;

// F by its updates. Both see the history that holds once the event has happened. A thread's last
// step is two events: a step, which still sees it alive, then its termination.
struct EventForm {
  using Update = std::function<Threads(const Threads& fair, int tid, const History&)>;
  std::function<Threads(const History&)> initial;
  Update on_step;
  Update on_terminate;
};

struct Model {
  std::string name;
  std::variant<SetForm, EventForm> form;
};

// The six models of section 3: unfair, HSA, OBE, HSA+OBE, LOBE, fair; as sets and as events.
std::vector<Model> set_models();
std::vector<Model> event_models();

struct State {
  std::vector<int> pcs;
  std::vector<int> memory;
  History history;
  Threads fair;

  friend bool operator<(const State& a, const State& b) {
    return std::tie(a.pcs, a.memory, a.history, a.fair) <
           std::tie(b.pcs, b.memory, b.history, b.fair);
  }
};

struct Transition {
  int from;
  int thread;
  int to;
};

// The states that can be reached, each with its F.
struct Lts {
  int threads = 0;
  std::vector<State> states;
  std::vector<Transition> transitions;
};

inline constexpr std::size_t kMaxStates = 2048;  // passes() takes no more; its time grows cubically

// A program in whatever language: where its threads stand at first, what memory holds, and a step,
// which changes both and returns whether the thread has terminated.
struct Behaviour {
  int threads = 0;
  std::vector<int> pcs;
  std::vector<int> memory;
  std::function<bool(std::vector<int>& pcs, std::vector<int>& memory, int thread)> step;
};

// The behaviour of an AXB test, which must outlive it.
Behaviour behaviour(const lang::Test& test);

// Nothing when there are more than `max_states` states.
std::optional<Lts> explore(const Behaviour& program, const Model& model,
                           std::size_t max_states = kMaxStates);
std::optional<Lts> explore(const lang::Test& test, const Model& model,
                           std::size_t max_states = kMaxStates);

// Whether every fair execution terminates.
bool passes(const Lts& lts, lang::Fairness fairness);

// The same, by trying every strongly connected set of states; for 14 states or fewer.
bool passes_by_state_sets(const Lts& lts, lang::Fairness fairness);

// The same, by trying every set of transitions that some execution takes infinitely often while it
// takes all others finitely often; for 14 transitions or fewer. Here fairness is read off its
// definition for executions, without any theorem about components.
bool passes_by_transition_sets(const Lts& lts, lang::Fairness fairness);

}  // namespace headway::oracle
