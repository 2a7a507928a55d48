// What a solver says may go wrong, for the concrete engine to try.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "smt/solver.hpp"
#include "verify/encoding/conditions.hpp"

namespace headway::verify {

struct Encoding;
struct Options;

// One of the two threads of a counterexample.
struct Side {
  std::string thread;  // its ids
  int line = 0;
  std::string act;  // "a write"
};

// A candidate execution: what a solver made of a check that could not be shown.
struct Suspect {
  Property property = Property::race;
  std::uint32_t thread[2][3] = {}, group[2][3] = {}, block[3] = {1, 1, 1}, grid[3] = {1, 1, 1};
  std::vector<std::pair<std::string, std::uint64_t>> arguments;
  // What memory that the kernel does not write holds, where it matters: region, place, value.
  struct Content {
    int region = 0;
    std::uint64_t at = 0, value = 0;
    int bytes = 0;
  };
  std::vector<Content> memory;
  int line = 0, other_line = 0;
};

Suspect suspect_of(const smt::Context& context, const Encoding& encoding, const Check& check,
                   const smt::Model& model, const Options& options);
std::vector<Side> sides_of(const Suspect& s);
std::string threads_text(const Suspect& s);

}  // namespace headway::verify
