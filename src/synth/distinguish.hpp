// Searches for smallest tests that tell models apart: by size, fewest instructions first and then
// fewest threads, so that the first test found is a smallest one. Small sizes are enumerated, or
// searched by the SAT engine with the verdicts among its constraints; large ones always so.
#pragma once

#include <optional>

#include "lang/axb/code.hpp"
#include "models/order.hpp"
#include "synth/synthesize.hpp"

namespace headway::synth {

namespace axb = lang::axb;

struct Maxima {
  int threads = 3;
  int instructions = 4;
  int locations = 2;
  int values = 2;
  // Launches to place threads in, instead of so many threads, and the barriers there.
  std::vector<Topology> placements = {};
  Bounds::Barriers barriers = {};
  bool lockstep = false;  // whether threads of a subgroup of a placement are lanes
};

// Sizes to search, smallest first: all with 2 .. maxima.threads threads, or those of each
// placement, and at most maxima.instructions instructions.
std::vector<Bounds> sizes(const Maxima& maxima);

// The launches that are searched: those of the placements, else of 2 .. maxima.threads threads.
std::vector<Topology> launches(const Maxima& maxima);

struct Distinguished {
  std::optional<axb::Code> test;
  Bounds bounds;             // of the test
  bool complete = true;      // false: interrupted before an answer
  std::size_t searched = 0;  // sizes searched in full, or ruled out by fairness alone
};

// A smallest test that satisfies all of `filters` (with `any`, not always a smallest one, but found
// sooner), or the certainty that there is none within `maxima`. Throws headway::Error.
Distinguished distinguish(const std::vector<Filter>& filters, const Maxima& maxima,
                          const RunOptions& options, bool any = false);

// The same for all ordered pairs of readings at once.
struct PairTable {
  std::vector<models::ModelPtr> models;
  struct Entry {
    models::Reading passes;
    models::Reading fails;
    std::optional<axb::Code> test;  // smallest; absent: none within the maxima
    bool ruled_out = false;         // by the order of the models, for every size
  };
  // Every ordered pair of different readings; the two of a model that are always equal are one.
  std::vector<Entry> entries;
  bool complete = true;
};

PairTable distinguish_all(const std::vector<models::ModelPtr>& models, const Maxima& maxima,
                          const RunOptions& options);

}  // namespace headway::synth
