// Small concurrent programs as tables, with all that the definitions know: launches of groups,
// threads that wait, alone or at barriers, that choose, fairly or not, that end and that fail.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/oracle.hpp"
#include "support/random_tests.hpp"

namespace headway::testing {

inline constexpr int kKeep = -1;

// What a step does: the new value of its variable, or kKeep, and the local state that follows.
struct Outcome {
  int value = kKeep;
  int next = 0;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct LocalState {
  enum class Kind {
    await,    // blocked unless `accepts` the value of the variable; then it has the only outcome
    modify,   // one step, whose outcome is that of the value it reads
    choose,   // an outcome a choice
    barrier,  // a step to arrive, and a step to pass, which has the only outcome
    end,
    fail,
  };
  Kind kind = Kind::end;
  int variable = 0;               // of await, modify and choose
  std::vector<bool> accepts;      // of await, by value
  std::vector<Outcome> outcomes;  // of await, modify, choose and barrier
  bool fair = false;              // of choose: the choice is a fair one
  int barrier = 0;                // of barrier: its index

  friend bool operator==(const LocalState&, const LocalState&) = default;
};

// A thread is a list of local states. It starts at index 0, which is neither end nor fail.
using LocalStates = std::vector<LocalState>;

// All threads of a group wait at a barrier before any of them passes it. Each group at the level
// has its own.
struct Barrier {
  std::optional<oracle::Level> level;  // workgroup or subgroup; none: the grid
  bool counts_ended = false;           // threads that have ended count as waiting
};

struct Automata {
  int values = 2;            // of each variable: 0 .. values-1
  std::vector<int> initial;  // by variable
  std::vector<LocalStates> threads;
  std::vector<Barrier> barriers = {};
  std::optional<oracle::Launch> launch = {};  // none: each thread is a workgroup
};

oracle::Launch launch_of(const Automata& automata);

// How far a thread is with the barrier that its local state is.
enum class BarrierStage { arriving, waiting, passing };

struct Standing {
  int state = 0;  // the index of its local state
  BarrierStage stage = BarrierStage::arriving;
};

// The threads for which a barrier opens: all those of a group that has come together there. As
// threads stand after a step, by thread.
std::vector<int> let_pass(const Automata& automata, const std::vector<Standing>& threads);

// `pcs` holds the indexes of the local states, by thread, and then the stages.
oracle::Behaviour behaviour_of(const Automata& automata);

// A line a local state.
std::string to_string(const Automata& automata);

struct AutomataShape {
  int threads = 2;
  int states = 3;     // of a thread, at most, besides its end and its failure
  int variables = 1;  // at most
  int values = 2;     // at most; at least 2
  bool awaits = true;
  bool choices = true;
  bool failures = false;                      // now and then
  std::optional<oracle::Launch> launch = {};  // in the place of `threads`
  bool fair_choices = false;                  // among the choices
  bool barriers = false;
};

// The same program for the same shape and state of `random`. Some threads share their tables, and
// many where there are barriers, as the others hardly ever meet there.
Automata random_automata(Random& random, const AutomataShape& shape);

// m0, of three values, is 0 and 1 in turn, until it is 2.
LocalStates toggler();

// The same with a thread among them that toggles a variable of three values, so that what the
// others look at is now so and now otherwise. That is where the readings of fairness differ.
Automata beside_toggler(Random& random, AutomataShape shape);

}  // namespace headway::testing
