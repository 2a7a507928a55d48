// All that can happen in a launch, as far as errors go: every order of the accesses whose order
// makes a difference, breadth first, so that what is found is found by a shortest way. Of steps
// that nobody else's can affect one is enough (ample sets: Peled, FMSD 1996); where such a step
// leads to a state that is known already, all others are taken, too, so that none is put off for
// ever.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "kernel/machine/machine.hpp"

namespace headway::kernel {

struct ExploreOptions {
  std::size_t max_states = 5'000'000;
  std::size_t max_memory = std::size_t{4} << 30;  // bytes
  StopSigns stop;
  bool reduce = true;       // ample sets
  bool keep_ends = false;   // of the states in which all threads have ended
  bool all_faults = false;  // go on behind the first one, for faults of other kinds
  bool coverage = false;    // note which blocks threads come to; nobody else watches the machine
};

// One step of a trace, for people to follow and for Machine to take again.
struct TraceStep {
  int thread = 0;
  std::uint32_t instruction = 0;
  Script script;
};

struct FoundFault {
  Fault fault;
  std::vector<TraceStep> trace;  // before the step that fails, which comes last
  Script start;                  // of Machine::initial()
};

// A state in which threads wait in loops, by steps that change nothing, and whoever else may go on
// is of the subgroup of one of them.
struct Standoff {
  std::vector<TraceStep> trace;  // to the state
  Script start;
  std::vector<int> waiting;
};

// A way to a state from which no execution ends, whatever is scheduled.
struct Trap {
  std::vector<TraceStep> trace;
  Script start;
};

struct Exploration {
  std::vector<FoundFault> faults;  // one of a kind, the shortest
  std::size_t states = 0;
  std::size_t steps = 0;  // taken, to new states and known ones
  Limit limit = Limit::none;
  // Why it is not complete, where that is no limit; then nothing is known of what was not seen.
  std::optional<Fault> obstacle;
  bool complete = false;   // all has been seen
  bool has_cycle = false;  // a thread may wait for ever, as far as this tells
  // An execution is excluded by what is assumed, and nothing comes of any other one.
  bool all_excluded = false;
  std::optional<Trap> trap;          // where nothing goes wrong
  std::vector<MachineState> ends;    // where they are kept
  std::vector<Standoff> standoffs;   // some, those with the shortest ways first
  std::vector<bool> reached;         // by block, where that is noted
  std::vector<std::uint32_t> spins;  // plain loads in loops that wait; explore again with these
};

Exploration explore(Machine& machine, const ExploreOptions& options);

}  // namespace headway::kernel
