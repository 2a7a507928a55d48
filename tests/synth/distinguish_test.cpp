#include "synth/distinguish.hpp"

#include <doctest/doctest.h>

#include <random>

#include "models/library.hpp"
#include "support/filters.hpp"

using namespace headway;
using synth::distinguish;
using synth::Distinguished;
using synth::EngineKind;
using synth::Filter;
using synth::RunOptions;

namespace {

// Random filters of models for workgroups and threads, some of which no test satisfies.
void compare_engines_in_groups(unsigned seed, std::size_t rounds, const synth::Maxima& maxima) {
  std::mt19937 random(seed);
  models::Library library;
  const auto models = library.find_all("workgroup=*,thread=*");
  RunOptions searched, enumerated;
  searched.engine = EngineKind::sat;
  enumerated.engine = EngineKind::explicit_search;
  std::size_t none = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<Filter> filters = testing::some_filters(random, models);
    const Distinguished a = distinguish(filters, maxima, searched);
    const Distinguished b = distinguish(filters, maxima, enumerated);
    REQUIRE(a.test.has_value() == b.test.has_value());
    if (a.test) CHECK(a.bounds == b.bounds);
    none += a.test ? 0 : 1;
  }
  CHECK(none > 0);
  CHECK(none < rounds);
}

}  // namespace

TEST_CASE("synth/distinguish: a smallest test for strong OBE has four instructions") {
  models::Library library;
  const std::vector<synth::Filter> filters = {
      {library.find("OBE"), models::Fairness::strong, true},
      {library.find("HSA"), models::Fairness::strong, false},
      {library.find("fair"), models::Fairness::weak, false}};
  const auto result = synth::distinguish(filters, {3, 4, 2, 2}, {});
  REQUIRE(result.test.has_value());
  CHECK(result.bounds == synth::Bounds{2, 4, 2, 2});
  const auto verdicts = synth::Minimality(library.standard()).verdicts(*result.test);
  CHECK(verdicts[2].strong == checker::Verdict::pass);
  CHECK(verdicts[1].strong == checker::Verdict::fail);
  CHECK(verdicts[5].weak == checker::Verdict::fail);
  CHECK_FALSE(synth::distinguish(filters, {3, 3, 2, 2}, {}).test.has_value());
}

TEST_CASE("synth/distinguish: what the order of the models rules out is not searched for") {
  models::Library library;
  const std::vector<synth::Filter> filters = {
      {library.find("HSA"), models::Fairness::weak, true},
      {library.find("LOBE"), models::Fairness::weak, false}};
  CHECK(synth::contradictory(filters, 3));
  CHECK_FALSE(synth::distinguish(filters, {3, 16, 2, 2}, {}).test.has_value());
}

TEST_CASE("synth/distinguish: every pair of readings that differ is told apart by a small test") {
  const auto models = models::Library().standard();
  const auto table = synth::distinguish_all(models, {3, 4, 2, 2}, {});
  CHECK(table.complete);
  CHECK(table.entries.size() == 11 * 10);
  synth::Minimality verdicts_of(models);
  for (const auto& entry : table.entries) {
    CHECK(entry.ruled_out != entry.test.has_value());
    if (!entry.test) continue;
    const auto& verdicts = verdicts_of.verdicts(*entry.test);
    CHECK(verdicts[entry.passes.model].of(entry.passes.fairness) == checker::Verdict::pass);
    CHECK(verdicts[entry.fails.model].of(entry.fails.fairness) == checker::Verdict::fail);
  }
}

TEST_CASE("synth/distinguish: both engines agree on the smallest size") {
  std::mt19937 random(5);
  const auto models = models::Library().standard();
  RunOptions searched, enumerated;
  searched.engine = EngineKind::sat;
  enumerated.engine = EngineKind::explicit_search;
  for (int round = 0; round < 8; ++round) {
    const std::vector<Filter> filters = testing::some_filters(random, models);
    const Distinguished a = distinguish(filters, {3, 4, 2, 2}, searched);
    const Distinguished b = distinguish(filters, {3, 4, 2, 2}, enumerated);
    REQUIRE(a.test.has_value() == b.test.has_value());
    if (a.test) CHECK(a.bounds == b.bounds);
  }
}

TEST_CASE(
    "synth/distinguish: both engines agree on the smallest size where threads are in groups") {
  synth::Maxima maxima;
  maxima.instructions = 4;
  maxima.placements = {Topology::placed({{2}}), Topology::placed({{1}, {2}}),
                       Topology::placed({{2}, {1}})};
  compare_engines_in_groups(6, 24, maxima);
}

TEST_CASE("synth/distinguish: both engines agree on the smallest size where threads meet") {
  synth::Maxima maxima;
  maxima.instructions = 4;
  maxima.placements = {Topology::placed({{2}}), Topology::placed({{2}, {1}})};
  maxima.barriers.workgroup = true;
  compare_engines_in_groups(7, 16, maxima);
}
