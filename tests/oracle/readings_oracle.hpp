// What small programs do under readings of subgroups, by the words of docs/reference/machines.md:
// for tests only, slow, and apart from the idiom language. Branches, labels, accesses and votes are
// steps of their own here, rounds of loops are counted from 0 on, and nothing is done to have equal
// behaviour in equal states.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "oracle/lockstep_oracle.hpp"

namespace headway::oracle::readings {

enum class Reading { cm, sm, scf, sso, spec, mr };

struct Results {
  std::set<std::string> memories;  // at the end of executions, "x0=1 x1=0"
  bool stuck = false;              // whether all that have not ended may come to wait
  bool all = false;                // whether these are all there are
};

// Of the executions within so many states; of programs without awaits, barriers, assertions and
// operations that ask a lane.
Results results_of(const lockstep::Program& program, Reading reading, std::size_t most_states);

}  // namespace headway::oracle::readings
