// How the executions of a program end that has states which are no ends of one.
#pragma once

#include <optional>

#include "checker/lts/explore.hpp"

namespace headway::checker {

struct Endings {
  bool real = false;     // whether an execution ends
  bool dropped = false;  // whether one is left out
  bool beyond = false;   // whether there is more that has not been looked at
};

// Of lang::Program::ending. Nothing where a limit was reached.
std::optional<Endings> endings_of(const lang::Program& program, ExploreOptions options);

}  // namespace headway::checker
