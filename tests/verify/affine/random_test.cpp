// Sets of integers hold no accesses apart that meet when every thread runs by itself.
// HEADWAY_AFFINE=20000 looks at so many random kernels, HEADWAY_AFFINE_SEED at others.
#include <doctest/doctest.h>

#include "kernel/test/kernel_tests.hpp"
#include "support/apart.hpp"
#include "support/budget.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "support/random_affine.hpp"
#include "support/random_kernels.hpp"

namespace headway {
namespace {

struct Tally {
  int races = 0, clean = 0, shown = 0;
};

// One kernel with a launch of small sizes; `any`: what is shown is for all sizes.
void hold(const kernel::Module& module, std::mt19937& random, bool any, Tally& tally) {
  constexpr std::array<std::uint32_t, 2> blocks[] = {{3, 1}, {4, 2}, {2, 2}, {2, 3}};
  constexpr std::array<std::uint32_t, 2> grids[] = {{2, 1}, {1, 1}, {2, 2}, {1, 2}};
  tests::SmallLaunch launch;
  launch.block = blocks[random() % 4];
  launch.grid = grids[random() % 4];
  verify::Options options;
  options.launch.block = {launch.block[0], launch.block[1], 1};
  options.launch.grid = {launch.grid[0], launch.grid[1], 1};
  if (any) {
    options.launch.block = options.launch.grid = {std::nullopt, std::nullopt, 1};
  }
  const bool apart = testing::all_apart(module, module.functions[0], options);
  bool race = false, divergence = false, ended = true;
  std::string what;
  for (const std::uint64_t n : {0U, 1U, 2U, 3U, 5U, 8U, 40U, 0xffffffffU, 0x7ffffff0U}) {
    launch.argument = n;
    const tests::Enumerated one = tests::enumerate(module, launch);
    ended = ended && one.ended;
    race = race || one.race;
    divergence = divergence || one.divergence;
    if (one.race) what = one.what + " with n = " + std::to_string(n);
  }
  INFO(what, "\n", kernel::print(module, module.functions[0]));
  CHECK_FALSE((race && !divergence && apart));
  if (race) ++tally.races;
  if (race || divergence || !ended) return;
  ++tally.clean;
  if (apart) ++tally.shown;
}

Tally hold_all(unsigned seed, int count, bool any) {
  std::mt19937 random(seed);
  Tally tally;
  constexpr int most = 200;  // in one file
  for (int first = 0; first < count; first += most) {
    std::string text;
    for (int k = first; k < std::min(count, first + most); ++k) {
      text += testing::random_affine_kernel(random, "k" + std::to_string(k));
    }
    kernel::Compiler& compiler = headway::testing::shared_compiler();
    const testing::TemporaryFolder folder;
    const kernel::ReadKernels read =
        kernel::read_kernels(folder.write("affine.cu", text), kernel::Side::device, {}, compiler);
    for (const kernel::Function& function : read.module->functions) {
      REQUIRE(function.unsupported.empty());
      kernel::Module alone = *read.module;
      alone.functions = {function};
      hold(alone, random, any, tally);
    }
  }
  MESSAGE("races ", tally.races, ", right ", tally.clean, ", of which shown ", tally.shown);
  return tally;
}

unsigned seed() { return static_cast<unsigned>(testing::wished("HEADWAY_AFFINE_SEED", 1)); }
int count(int usual) { return testing::wished("HEADWAY_AFFINE", testing::budget(usual)); }

}  // namespace

TEST_CASE("verify/affine: no accesses are held apart that meet in a run") {
  const Tally tally = hold_all(seed(), count(80), false);
  CHECK(tally.races > 5);
  CHECK(tally.shown > 5);
}

TEST_CASE("verify/affine: no accesses are held apart for all sizes that meet in a run of some") {
  const Tally tally = hold_all(seed() + 1, count(40), true);
  CHECK(tally.races > 3);
  CHECK(tally.shown > 1);
}

}  // namespace headway
