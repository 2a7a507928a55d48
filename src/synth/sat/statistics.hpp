// What a search by SAT counts of its own work.
#pragma once

#include <cstdint>

namespace headway::synth::sat {

struct Statistics {
  std::uint64_t proposals = 0;   // programs that the solver came up with
  std::uint64_t found = 0;       // of these, litmus tests
  std::uint64_t rejections = 0;  // clauses that rejected others
  double solving_seconds = 0;
  double explaining_seconds = 0;
};

}  // namespace headway::synth::sat
