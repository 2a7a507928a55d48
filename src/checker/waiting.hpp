// Who waits for whom in an execution that never ends, for people.
#pragma once

#include <optional>
#include <vector>

#include "checker/explain.hpp"
#include "lang/program.hpp"

namespace headway::checker {

struct Waiting {
  int thread = 0;  // one that loops
  int line = 0;    // of a step of its loop; 0 when unknown
  // Groups of `level`, each of which can end the loop if it and the workgroup of the thread go on
  // and no others do. None where none can, or where there is nobody else to go on.
  Level level = Level::workgroup;
  std::vector<int> groups;
  bool starved = false;  // whether there are threads that could go on and do not
  bool started = false;  // whether one of these has taken a step
};

// Of the witness of a test that fails; nothing where that ends in a stuck state.
std::optional<Waiting> who_waits(const lang::Program& program, const Explanation& explanation);

}  // namespace headway::checker
