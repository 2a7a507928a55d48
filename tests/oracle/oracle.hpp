// A second checker, for tests only: slow, and as close to the words of docs/reference/semantics.md
// as code can be. States are plain structs in a map, sets are std::set, groups of threads are paths
// from the grid, and fair cycles are found by transitive closure, or by trying all sets there are.
// It shares nothing with src/ but the tests it reads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "lang/test.hpp"

namespace headway::oracle {

// Threads of the launch, or children of one of its groups, by their ids.
using Threads = std::set<int>;

Threads unite(Threads a, const Threads& b);
Threads intersect(const Threads& a, const Threads& b);
Threads without(const Threads& a, const Threads& b);
Threads lowest(const Threads& set);  // {min}, {} of {}
Threads upto(const Threads& set);    // {0, ..., max}, {} of {}

// Launches and their groups -----------------------------------------------------------------------

enum class Level { workgroup, subgroup, thread };
inline constexpr Level kLevels[] = {Level::workgroup, Level::subgroup, Level::thread};

struct Launch {
  int workgroups = 0;        // of the grid
  int subgroups = 1;         // of a workgroup
  int subgroup_threads = 1;  // of a subgroup
  // The threads of each subgroup of each workgroup, where these are not all alike; then the numbers
  // above are the most there are.
  std::vector<std::vector<int>> sizes = {};

  Launch() = default;
  // So many workgroups of one thread each. NOLINTNEXTLINE(google-explicit-constructor)
  Launch(int threads) : workgroups(threads) {}
  Launch(int in_grid, int in_workgroup, int in_subgroup)
      : workgroups(in_grid), subgroups(in_workgroup), subgroup_threads(in_subgroup) {}

  // So many threads in each subgroup of each workgroup.
  explicit Launch(const std::vector<std::vector<int>>& each);

  int threads() const;
  // How many children every group above a level has there, at most.
  int children(Level level) const;
  // The levels at which models are consulted: those at which a group has several children.
  std::vector<Level> consulted() const;
};

// A group as the path to it from the grid, which is {}: one id for each consulted level. In a
// launch of 2 workgroups of 1 subgroup of 3 threads, {1} is a workgroup and {1, 2} a thread.
using Group = std::vector<int>;
using Groups = std::set<Group>;

// The group that holds only this thread. Threads are numbered through the whole launch.
Group group_of_thread(const Launch& launch, int thread);
// The grid, its children, their children, ..., threads last.
Groups all_groups(const Launch& launch);
bool holds(const Group& group, const Launch& launch, int thread);

// Models ------------------------------------------------------------------------------------------

// What a model may look at: the children of one group. In a flat launch those of the grid are the
// threads. Who has terminated has also started, and is not blocked.
struct History {
  int threads = 0;  // how many children
  Threads started;
  Threads terminated;
  Threads blocked;  // alive, and no thread of it is running

  Threads all() const;
  Threads alive() const;
  Threads ready() const;  // alive and not blocked
  friend bool operator<(const History& a, const History& b) {
    return std::tie(a.threads, a.started, a.terminated, a.blocked) <
           std::tie(b.threads, b.started, b.terminated, b.blocked);
  }
};

// F as a function of the history.
using SetForm = std::function<Threads(const History&)>;

// What a model may see of an AXB instruction, as its definition has it:
//   old = mem[x]; if (writes) mem[x] = v; pc = old == c ? jump : pc + 1
struct Instruction {
  bool writes = false;
  bool goes_on = false;  // to the next instruction whatever it has read: jump = pc + 1
  bool back = false;     // jump <= pc
};

// F by its updates. Both see the history that holds once the event has happened. A child's last
// step is two events: a step, which still sees it alive and ready, then its termination. Where a
// model belongs to several groups, each has an F of its own, and the events of a group are the
// steps of its threads.
struct EventForm {
  using Update = std::function<Threads(const Threads& fair, int tid, const History&)>;
  std::function<Threads(const History&)> initial;
  Update on_step;
  Update on_terminate;
  // Stands in for `on_step` in models that look at the instruction of the step.
  std::function<Threads(const Threads& fair, int tid, const History&, const Instruction&)>
      on_instruction = {};
};

using Form = std::variant<SetForm, EventForm>;

// A model of the children of one group.
struct Model {
  std::string name;
  Form form;
};

// A model for each level. A level without one is fair.
struct ScopedModel {
  std::string name;
  std::optional<Form> workgroup;
  std::optional<Form> subgroup;
  std::optional<Form> thread;

  ScopedModel() = default;
  // A plain model is one of workgroups. NOLINTNEXTLINE(google-explicit-constructor)
  ScopedModel(const Model& model) : name(model.name), workgroup(model.form) {}

  std::optional<Form>& at(Level level);
  const std::optional<Form>& at(Level level) const;
};

// "workgroup=OBE,subgroup=fair,thread=unfair"
ScopedModel scoped(const Model& workgroup, const Model& subgroup, const Model& thread);

// The six built-in models: unfair, HSA, OBE, HSA+OBE, LOBE, fair; as sets and as events. The two
// forms of HSA and HSA+OBE select the same in a group whose events are all steps there are, such as
// the grid. Elsewhere a thread may become ready, or blocked, by the step of another group, which is
// no event of its own: the form by events then selects who was ready after the last one.
std::vector<Model> set_models();
std::vector<Model> event_models();

// Programs ----------------------------------------------------------------------------------------

// What a thread can do in a state.
enum class Status { running, blocked, ended, failed };

// A program in whatever language: how it is launched, where its threads stand at first, what memory
// holds, and what the threads can do. No thread has ended or failed at first, and only its own
// steps end it or make it fail. `pcs` and `memory` are for the functions alone.
struct Behaviour {
  using Numbers = std::vector<int>;
  Launch launch;
  Numbers pcs;
  Numbers memory;
  std::function<Status(const Numbers& pcs, const Numbers& memory, int thread)> status;
  // How many transitions a running thread has: one or more.
  std::function<int(const Numbers& pcs, const Numbers& memory, int thread)> choices;
  // Whether the choice among them is a fair one. Without it none is.
  std::function<bool(const Numbers& pcs, const Numbers& memory, int thread)> fair_choice;
  // Takes one of them: 0 <= choice < choices(pcs, memory, thread).
  std::function<void(Numbers& pcs, Numbers& memory, int thread, int choice)> step;
  // The instruction of a running thread. Only AXB tests have any.
  std::function<Instruction(const Numbers& pcs, int thread)> instruction = {};
};

// A program whose threads never wait and have one transition each while they run. `status` is never
// blocked.
Behaviour one_step_behaviour(
    const Launch& launch, std::vector<int> pcs, std::vector<int> memory,
    std::function<Status(const std::vector<int>& pcs, int thread)> status,
    std::function<void(std::vector<int>& pcs, std::vector<int>& memory, int thread)> step);

// The behaviour of an AXB test, which must outlive it.
Behaviour behaviour(const lang::Test& test);

// The transition system ---------------------------------------------------------------------------

struct State {
  std::vector<int> pcs;
  std::vector<int> memory;
  History history;  // of the threads of the launch
  // F of each group with several children: those of its children that its model selects.
  std::map<Group, Threads> selected;
  // What follows from the above. Those that have ended are in the history.
  Threads running;  // those that have a transition, so none where a thread has failed
  Threads blocked;  // those that wait, also where a thread has failed
  Threads failed;
  Groups guaranteed;
  Groups owed;  // the obligations: the groups that are guaranteed and ready

  friend bool operator<(const State& a, const State& b) {
    return std::tie(a.pcs, a.memory, a.history, a.selected) <
           std::tie(b.pcs, b.memory, b.history, b.selected);
  }
};

struct Transition {
  int from;
  int thread;
  int choice;  // among the transitions of the thread from there
  int to;
  bool fair_choice;
};

// The states that can be reached, each with its obligations.
struct Lts {
  Launch launch;
  Groups groups;  // of the launch, all of them
  std::vector<State> states;
  std::vector<Transition> transitions;
};

inline constexpr std::size_t kMaxStates = 2048;  // passes() takes no more; its time grows cubically

// Nothing when there are more than `max_states` states.
std::optional<Lts> explore(const Behaviour& program, const ScopedModel& model,
                           std::size_t max_states = kMaxStates);
std::optional<Lts> explore(const lang::Test& test, const ScopedModel& model,
                           std::size_t max_states = kMaxStates);

// Whether a thread fails in some execution. The verdict is error then, whatever passes() says.
bool goes_wrong(const Lts& lts);

// Whether some execution ends in a stuck state: none runs, some are blocked and none has failed.
bool gets_stuck(const Lts& lts);

// Whether no execution gets stuck and no fair one is infinite.
bool passes(const Lts& lts, models::Fairness fairness);

// How many states reach each other at most, and how many transitions there are between them.
struct LargestComponent {
  std::size_t states = 0;
  std::size_t transitions = 0;
};
LargestComponent largest_component(const Lts& lts);

// The same as passes(), by trying every strongly connected set of states; for components of 14
// states or fewer.
bool passes_by_state_sets(const Lts& lts, models::Fairness fairness);

// The same, by trying every set of transitions that some execution takes infinitely often while it
// takes all others finitely often; for components of 14 transitions or fewer. Here fairness is read
// off its definition for executions, without any theorem but that what is taken infinitely often
// lies in one component.
bool passes_by_transition_sets(const Lts& lts, models::Fairness fairness);

}  // namespace headway::oracle
