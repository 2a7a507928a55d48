// One execution of a launch, by a schedule: where there are too many orders of steps to look at
// all, an error often shows in one of the first, as races are found by what orders accesses and not
// by luck. What is found is an execution that exists; that nothing is found says nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "base/limits.hpp"
#include "kernel/machine/machine.hpp"

namespace headway::kernel {

// Which thread goes on, and how far.
struct Schedule {
  enum class Kind : std::uint8_t {
    in_turn,    // each thread by one step
    forward,    // each as far as it gets, the first ones first
    backward,   // the last ones first
    by_chance,  // some threads by some steps
  };
  Kind kind = Kind::in_turn;
  std::uint32_t seed = 0;  // of by_chance
};

struct Walk {
  std::optional<Fault> fault;
  bool ended = false;  // all threads that have started have
};

// Until `stop`, an error, the end, or nothing changes any more. Where unknown data decide, the walk
// goes the first way. Launch::started may be part of the grid: then nobody passes its barriers.
Walk walk(Machine& machine, const Schedule& schedule, const StopSigns& stop);

// Of a state in which nobody can go on, if threads wait there for each other for good.
std::optional<Fault> standstill(const Machine& machine, const MachineState& state);

}  // namespace headway::kernel
