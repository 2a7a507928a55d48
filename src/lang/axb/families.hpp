// Idioms for any number of threads, with the verdicts they have: litmus tests that grow.
#pragma once

#include <string>
#include <vector>

#include "lang/test.hpp"

namespace headway::lang::axb {

struct FamilyOptions {
  int threads = 2;
  int groups = 2;  // of two-level-mutex; others ignore it
};

struct Family {
  std::string name;
  std::string summary;
  int fewest_threads = 2;  // the most are kMaxThreads
  // The member with these options, named after both, with what is expected of it.
  Test (*make)(const FamilyOptions& options) = nullptr;
};

// spin-mutex, two-level-mutex, increasing-chain, decreasing-chain, token-ring, philosophers,
// greedy-philosophers, flag-barrier.
const std::vector<Family>& families();

// The member of the family `name`. Throws headway::Error for a name that is none, and for options
// that the family does not have.
Test make_family(const std::string& name, const FamilyOptions& options);

}  // namespace headway::lang::axb
