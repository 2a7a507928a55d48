// Directed synthesis: looks for one litmus test with given verdicts, in many shapes by turns, and
// ends with a test or with the solvers' word that there is none.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "synth/space/engine.hpp"
#include "synth/space/filter.hpp"

namespace headway::synth::sat {

// Where a test may be.
struct Place {
  Bounds bounds;
  Shape shape;
};

struct Directed {
  struct Match {
    std::size_t place;  // index
    Instructions code;
  };
  std::optional<Match> match;
  bool complete = true;  // false: stopped before an answer
};

struct DirectedOptions {
  const std::atomic<bool>* stop = nullptr;
  // Called after each turn of a place with the number of those that are known to hold no test;
  // never twice at a time.
  std::function<void(std::size_t empty)> report;
};

// A test that satisfies all of `filters`, from any of `places`. All of them are searched in rounds
// of growing effort, because a test is found quickly where there are many and emptiness may take
// long to see; of the matches of a round the one in the first place is taken, so the answer does
// not depend on the number of cores. Memory grows with the effort, some hundred bytes a program
// that was looked at. Throws headway::Error for a place with more states than this engine is for.
Directed search(const std::vector<Place>& places, const std::vector<Filter>& filters,
                const DirectedOptions& options = {});

}  // namespace headway::synth::sat
