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

// What a thread can do in a state.
enum class Status { running, blocked, ended, failed };

// A program in whatever language: where its threads stand at first, what memory holds, and what the
// threads can do. No thread has ended or failed at first, and only its own steps end it or make it
// fail.
struct Behaviour {
  using Numbers = std::vector<int>;
  int threads = 0;
  Numbers pcs;
  Numbers memory;
  std::function<Status(const Numbers& pcs, const Numbers& memory, int thread)> status;
  // How many transitions a running thread has: one or more.
  std::function<int(const Numbers& pcs, const Numbers& memory, int thread)> choices;
  // Takes one of them: 0 <= choice < choices(pcs, memory, thread).
  std::function<void(Numbers& pcs, Numbers& memory, int thread, int choice)> step;
};

// A program whose threads never wait and have one transition each while they run. `status` is never
// blocked.
Behaviour one_step_behaviour(
    int threads, std::vector<int> pcs, std::vector<int> memory,
    std::function<Status(const std::vector<int>& pcs, int thread)> status,
    std::function<void(std::vector<int>& pcs, std::vector<int>& memory, int thread)> step);

// The behaviour of an AXB test, which must outlive it.
Behaviour behaviour(const lang::Test& test);

struct State {
  std::vector<int> pcs;
  std::vector<int> memory;
  History history;
  Threads fair;
  // What follows from the above. Those that have ended are in the history.
  Threads running;  // those that have a transition, so none where a thread has failed
  Threads blocked;
  Threads failed;
  Threads owed;  // the obligations: the threads of F that are running

  friend bool operator<(const State& a, const State& b) {
    return std::tie(a.pcs, a.memory, a.history, a.fair) <
           std::tie(b.pcs, b.memory, b.history, b.fair);
  }
};

struct Transition {
  int from;
  int thread;
  int choice;  // among the transitions of the thread from there
  int to;
};

// The states that can be reached, each with its F.
struct Lts {
  int threads = 0;
  std::vector<State> states;
  std::vector<Transition> transitions;
};

inline constexpr std::size_t kMaxStates = 2048;  // passes() takes no more; its time grows cubically

// Nothing when there are more than `max_states` states.
std::optional<Lts> explore(const Behaviour& program, const Model& model,
                           std::size_t max_states = kMaxStates);
std::optional<Lts> explore(const lang::Test& test, const Model& model,
                           std::size_t max_states = kMaxStates);

// Whether a thread fails in some execution. The verdict is error then, whatever passes() says.
bool goes_wrong(const Lts& lts);

// Whether some execution ends in a stuck state: none runs, some are blocked and none has failed.
bool gets_stuck(const Lts& lts);

// Whether no execution gets stuck and no fair one is infinite.
bool passes(const Lts& lts, models::Fairness fairness);

// The same, by trying every strongly connected set of states; for 14 states or fewer.
bool passes_by_state_sets(const Lts& lts, models::Fairness fairness);

// The same, by trying every set of transitions that some execution takes infinitely often while it
// takes all others finitely often; for 14 transitions or fewer. Here fairness is read off its
// definition for executions, without any theorem about components.
bool passes_by_transition_sets(const Lts& lts, models::Fairness fairness);

}  // namespace headway::oracle
