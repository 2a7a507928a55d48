#include "synth/space/filter.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "models/library.hpp"
#include "support/filters.hpp"
#include "support/placed.hpp"

using namespace headway;
using namespace headway::synth;
using models::Fairness;
using testing::litmus_tests;
using testing::satisfies;
using testing::some_filters;

TEST_CASE("synth/space/filter: what fairness alone rules out has no test") {
  std::mt19937 random(4);
  const models::Library library;
  std::size_t ruled_out = 0;
  for (const Bounds& bounds : {Bounds{2, 4, 2, 2}, Bounds{3, 4, 2, 2}, testing::placed({{2}}, 3),
                               testing::placed({{2}, {1}}, 3), testing::placed({{1}, {2}}, 3)}) {
    const auto models = library.standard(bounds.topology());
    // One test for each combination of verdicts that there is.
    std::map<std::vector<bool>, std::pair<Shape, Instructions>> examples;
    checker::Checker checker;
    for (const Shape& shape : shapes(bounds)) {
      for (const Instructions& code : litmus_tests(bounds, shape)) {
        const lang::axb::Code program = to_code(bounds, shape, code);
        std::vector<bool> passes;
        for (const auto& v : checker.check(lang::axb::AxbProgram(program), models).verdicts) {
          passes.push_back(v.weak == checker::Verdict::pass);
          passes.push_back(v.strong == checker::Verdict::pass);
        }
        examples.emplace(passes, std::pair(shape, code));
      }
    }
    for (int round = 0; round < 400; ++round) {
      const std::vector<Filter> filters = some_filters(random, models);
      if (!contradictory(filters, bounds.topology())) continue;
      ++ruled_out;
      for (const auto& [verdicts, example] : examples) {
        CHECK_FALSE(satisfies(bounds, example.first, example.second, filters));
      }
    }
  }
  CHECK(ruled_out > 100);
}

TEST_CASE(
    "synth/space/filter: two threads have exactly ten combinations of verdicts, whatever their "
    "size") {
  const auto models = models::Library().standard();
  std::size_t possible = 0;
  for (std::uint32_t bits = 0; bits < 1U << 12; ++bits) {
    std::vector<Filter> filters;
    for (std::size_t reading = 0; reading < 12; ++reading) {
      filters.push_back({models[reading / 2], reading % 2 == 0 ? Fairness::weak : Fairness::strong,
                         (bits >> reading & 1) != 0});
    }
    // A litmus test has a cycle, and can terminate from everywhere.
    const bool well_formed = !filters[0].passes && filters[11].passes;
    if (well_formed && !contradictory(filters, 2)) ++possible;
  }
  CHECK(possible == 10);
}
