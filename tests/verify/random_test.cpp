// No random kernel is called verified that races or diverges when it is run.
// HEADWAY_VERIFY_RANDOM=5000 looks at so many of each kind, from HEADWAY_VERIFY_SEED on.
#include <doctest/doctest.h>

#include <cstdlib>

#include "kernel/ir/well_formed.hpp"
#include "support/budget.hpp"
#include "support/random_kernels.hpp"
#include "verify/trial.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

// Of so many threads and workgroups, in a row or not.
tests::SmallLaunch small_launch(std::mt19937& random) {
  constexpr std::array<std::uint32_t, 2> blocks[] = {{3, 1}, {4, 1}, {2, 2}, {4, 2}};
  constexpr std::array<std::uint32_t, 2> grids[] = {{2, 1}, {2, 1}, {1, 1}, {2, 2}};
  tests::SmallLaunch launch;
  launch.block = blocks[random() % 4];
  launch.grid = grids[random() % 4];
  return launch;
}

struct Tally {
  int wrong = 0, verified = 0, bad = 0, clean = 0, proved_clean = 0;
};

Tally hold_against_runs(unsigned seed, int count, const tests::RandomKernelOptions& shape) {
  std::mt19937 random(seed);
  Tally tally;
  for (int k = 0; k < count; ++k) {
    const kernel::Module module = tests::random_kernel(random, shape);
    REQUIRE(!kernel::objection(module, module.functions[0]));
    tests::SmallLaunch launch = small_launch(random);
    verify::Options options;
    options.launch.block = {launch.block[0], launch.block[1], 1};
    options.launch.grid = {launch.grid[0], launch.grid[1], 1};
    options.trials = false;  // proofs by themselves
    options.query_limit = std::chrono::milliseconds(400);
    options.kernel_limit = std::chrono::milliseconds(2000);
    bool race = false, divergence = false, ended = true;
    std::string what;
    for (const std::uint64_t n : {0U, 1U, 2U, 3U, 4U, 5U, 8U, 9U, 100U}) {
      launch.argument = n;
      launch.data = static_cast<unsigned>(n);
      const tests::Enumerated one = tests::enumerate(module, launch);
      if (!one.ended) {
        ended = false;
        continue;
      }
      race = race || one.race;
      divergence = divergence || one.divergence;
      if (one.race || one.divergence) what = one.what + " with n = " + std::to_string(n);
    }
    const verify::Report report = verify::verify(module, module.functions[0], options);
    const bool proved = report.worst() == verify::Verdict::verified;
    const bool no_race = report.findings[0].verdict == verify::Verdict::verified;
    const bool no_divergence = report.findings[1].verdict == verify::Verdict::verified;
    if (race || divergence) ++tally.bad;
    if (!race && !divergence && ended) {
      ++tally.clean;
      if (proved) ++tally.proved_clean;
    }
    if (proved) ++tally.verified;
    INFO("kernel ", k, ": ", what, "\n", kernel::print(module, module.functions[0]));
    CHECK_FALSE((race && no_race));
    CHECK_FALSE((divergence && no_divergence));
  }
  return tally;
}

// Runs are executions: what they find, enumeration finds.
void hold_trials_against_runs(unsigned seed, int count, const tests::RandomKernelOptions& shape) {
  std::mt19937 random(seed);
  int races = 0, found = 0;
  for (int k = 0; k < count; ++k) {
    const kernel::Module module = tests::random_kernel(random, shape);
    const tests::SmallLaunch small{{3, 1}, {2, 1}, 5, 1};
    const tests::Enumerated truth = tests::enumerate(module, small);
    if (!truth.ended) continue;
    verify::TrialLaunch launch;
    launch.block = {3, 1, 1};
    launch.grid = {2, 1, 1};
    launch.groups = {0, 1};
    for (const kernel::Parameter& p : module.functions[0].parameters) {
      launch.arguments.push_back(p.type.is_pointer() ? 0U : 5U);
    }
    launch.content = [](int, std::uint64_t at) { return tests::byte_of_data(1, at); };
    launch.unknown = [](std::uint32_t) { return std::uint64_t{0}; };
    const verify::TrialResult result =
        verify::try_launch(module, module.functions[0], launch,
                           std::chrono::steady_clock::now() + std::chrono::seconds(5));
    INFO("kernel ", k, ": ", truth.what, "\n", kernel::print(module, module.functions[0]));
    for (const verify::TrialFault& fault : result.faults) {
      // An enumeration that finds divergence looks no further.
      if (fault.property == verify::Property::race) CHECK((truth.race || truth.divergence));
      if (fault.property == verify::Property::divergence) CHECK(truth.divergence);
      ++found;
    }
    if (truth.race || truth.divergence) ++races;
  }
  MESSAGE(found, " faults found in runs of ", races, " kernels that have one");
  CHECK(found > races / 2);
}

TEST_CASE("verify/random: what a trial finds is there") {
  hold_trials_against_runs(3, testing::budget(100), {false, 4});
  hold_trials_against_runs(4, testing::budget(100), {true, 3});
}

TEST_CASE("verify/random: no kernel without loops is verified that goes wrong in a run") {
  const Tally tally =
      hold_against_runs(static_cast<unsigned>(testing::wished("HEADWAY_VERIFY_SEED", 1)),
                        testing::wished("HEADWAY_VERIFY_RANDOM", testing::budget(25)), {false, 4});
  CHECK(tally.bad > 5);
  CHECK(tally.verified > 2);
  MESSAGE("verified ", tally.verified, ", bad ", tally.bad, ", clean ", tally.clean, " of which ",
          tally.proved_clean, " proved");
}

TEST_CASE("verify/random: no kernel with loops is verified that goes wrong in a run") {
  const Tally tally =
      hold_against_runs(static_cast<unsigned>(testing::wished("HEADWAY_VERIFY_SEED", 2)),
                        testing::wished("HEADWAY_VERIFY_RANDOM", testing::budget(16)), {true, 3});
  CHECK(tally.bad > 3);
  CHECK(tally.verified > 1);
  MESSAGE("verified ", tally.verified, ", bad ", tally.bad, ", clean ", tally.clean, " of which ",
          tally.proved_clean, " proved");
}

}  // namespace
}  // namespace headway
