// What a suite finds out: the mutants of a claim that its tests kill, the fewest tests that kill as
// many, and the tests that it lacks.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "suite/mutants.hpp"

namespace headway::suite {

struct Power {
  std::vector<Mutant> mutants;
  std::vector<std::vector<std::size_t>> killers;   // tests, by mutant
  std::vector<std::optional<lang::Test>> missing;  // a smallest one that was found, by mutant
  std::vector<std::size_t> fewest;                 // tests that together kill what all kill
  // Of each machine, by mutant: the strongest claims among the standard models that no test
  // refutes, none of which implies another.
  std::vector<std::vector<std::string>> surviving;
  std::size_t passing = 0;  // tests that pass under the claim
  bool complete = true;     // false: interrupted

  std::size_t killed() const;
  // Those that some test kills, of the suite or found.
  std::size_t killable() const;
};

struct PowerOptions {
  // Look for tests that kill what no test of the suite kills, with at most so many instructions, in
  // small placements with barriers of workgroups; 0: do not.
  int search = 3;
  const std::atomic<bool>* stop = nullptr;
  Progress* progress = nullptr;  // advanced by one a test
};

// Throws headway::Error as Mutants does.
Power power(const models::Library& library, const models::ModelPtr& claim,
            models::Fairness fairness, std::span<const lang::Test> tests,
            const PowerOptions& options);

}  // namespace headway::suite
