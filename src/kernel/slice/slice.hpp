// The synchronization of a launch as a program of the idiom language: what decides whether it
// ends, and nothing else, with the loops and names of the source (docs/reference/kernels.md). It is
// for a launch without errors, whose sizes and data are those of the machine. Explores the launch
// whole.
#pragma once

#include <string>

#include "kernel/machine/explore.hpp"

namespace headway::kernel::slice {

struct Options {
  std::string name;     // of the idiom
  std::string comment;  // a line
  bool waits = true;    // whether some execution may go on for ever
  ExploreOptions explore;
};

// Without expectations. `machine` looks for no races. Throws lang::Undecided for what the idiom
// language cannot say, with its place.
std::string make_slice(Machine& machine, const Options& options);

}  // namespace headway::kernel::slice
