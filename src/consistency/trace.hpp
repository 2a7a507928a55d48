// What one thread of a program can do when its reads return values that some write may have
// written: all its ways through its code.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "consistency/cat/relation.hpp"
#include "consistency/program.hpp"

namespace headway::consistency {

struct LocalEvent {
  const Instruction* of = nullptr;
  bool reads = false, writes = false;  // neither: a fence or a barrier
  int location = -1;                   // of a read or a write
  Number read = 0, written = 0;
  Number barrier_id = 0;
  bool second = false;  // the write that belongs to the read before it
  bool failed = false;  // a comparison that failed, and wrote nothing
  // Earlier events of this thread, bit by bit, that what it writes, where, and whether it is at all
  // depend on.
  EventSet data = 0, address = 0, control = 0;
};

struct Trace {
  std::vector<LocalEvent> events;
  std::vector<Number> registers;
  // Of a thread that waits: the first event of the last round of its loop, which failed.
  std::size_t round = 0;
  const Instruction* error = nullptr;  // of one that goes wrong
};

// Of each location, the values that it may ever hold.
using Values = std::vector<std::set<Number>>;

struct Traces {
  std::vector<Trace> traces;  // to the end of the thread
  // To the end of a round of a loop that only read, and after which the registers that matter are
  // as they were before it: so it can go on for ever.
  std::vector<Trace> waiting;
  // To where the program goes wrong.
  std::vector<Trace> wrong;
  // What the thread writes on any way, whether that comes to an end or not, by location, and the
  // most writes on one.
  Values written;
  std::size_t most_writes = 0;
  // Why there may be more: a loop that writes was left after so many rounds, or there are too many
  // ways. Empty: these are all.
  std::string cut;
};

struct TraceLimits {
  int rounds = 3;               // of a loop that writes
  std::size_t traces = 20'000;  // of a thread
  std::size_t passes = 2'000;   // through heads of loops, of a way of a thread
};

// Rounds of a loop that only read and change no register that is asked about later are left out but
// for one: whoever waits in such a way can as well have waited less.
// An update of a location in `left` that leaves its value is taken for a read there (spinning.hpp).
Traces traces_of(const Thread& thread, const Program& program, const Values& values,
                 const std::set<int>& left, const TraceLimits& limits);

// The value of a term where registers are known.
Number value_of(const Term& term, const std::vector<Number>& registers);

}  // namespace headway::consistency
