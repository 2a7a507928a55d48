// The SAT engine against the definition, applied to every program there is.
#include "synth/sat/sat_engine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "support/budget.hpp"
#include "support/errors.hpp"
#include "support/no_stop.hpp"
#include "support/placed.hpp"
#include "synth/explicit/explicit_engine.hpp"
#include "synth/sat/shape_search.hpp"
#include "synth/space/well_formed.hpp"

using namespace headway;
using namespace headway::synth;
using sat::SatEngine;
using testing::kNoStop;
using testing::placed;

namespace {

using Fields = std::vector<std::tuple<int, int, int, bool, int, int>>;

Fields fields(const Instructions& code) {
  Fields result;
  for (const lang::axb::Instruction& i : code) {
    result.emplace_back(i.location, i.check_value, i.jump, i.exchanges, i.exchange_value,
                        static_cast<int>(i.barrier));
  }
  return result;
}

using Tests = std::multiset<std::pair<Shape, Fields>>;

// Calls `visit` with every program of a shape, canonical or not.
void for_all_programs(const Bounds& bounds, const Shape& shape,
                      const std::function<void(const Instructions&)>& visit) {
  std::vector<std::vector<lang::axb::Instruction>> choices;
  for (int thread = 0; thread < bounds.threads; ++thread) {
    for (int index = 0; index < shape[thread]; ++index) {
      choices.push_back(instruction_choices(bounds, thread, shape[thread], index));
    }
  }
  Instructions code;
  const std::function<void()> extend = [&] {
    if (code.size() == choices.size()) return visit(code);
    for (const lang::axb::Instruction& choice : choices[code.size()]) {
      code.push_back(choice);
      extend();
      code.pop_back();
    }
  };
  extend();
}

std::vector<Constraint> violations(const Bounds& bounds, const Requirements& requirements,
                                   const Shape& shape, const Instructions& code) {
  auto violated = violated_constraints(to_code(bounds, shape, code));
  if (!requirements.effective_stores) std::erase(violated, Constraint::effective_stores);
  return violated;
}

Tests by_definition(const Bounds& bounds, const Requirements& requirements) {
  Tests tests;
  for (const Shape& shape : shapes(bounds)) {
    for_all_programs(bounds, shape, [&](const Instructions& code) {
      if (!is_canonical(code)) return;
      if (!violations(bounds, requirements, shape, code).empty()) return;
      tests.emplace(shape, fields(code));
    });
  }
  return tests;
}

Tests by_engine(SatEngine& engine, std::vector<Cube> parts) {
  Tests tests;
  for (const Cube& cube : parts) {
    CHECK(engine.enumerate(
        cube,
        [&](const Instructions& code) {
          CHECK(std::equal(cube.first.begin(), cube.first.end(), code.begin()));
          tests.emplace(cube.shape, fields(code));
          return true;
        },
        kNoStop));
  }
  return tests;
}

Tests by_engine(const Bounds& bounds, const Requirements& requirements = {}) {
  SatEngine engine(bounds, requirements);
  return by_engine(engine, cubes(bounds));
}

}  // namespace

TEST_CASE("synth/sat/sat_engine: finds exactly the litmus tests of small bounds") {
  const Bounds all_bounds[] = {{1, 1, 1, 2}, {1, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 1, 2},
                               {2, 2, 3, 3}, {2, 2, 2, 4}, {2, 3, 2, 2}, {2, 3, 1, 2},
                               {2, 3, 3, 2}, {2, 3, 2, 3}, {3, 3, 2, 2}, {3, 3, 3, 2}};
  for (const Bounds& bounds : all_bounds) {
    CAPTURE(bounds.threads);
    CAPTURE(bounds.instructions);
    CAPTURE(bounds.locations);
    CAPTURE(bounds.values);
    for (const bool effective : {false, true}) {
      const Requirements requirements{effective};
      CHECK(by_engine(bounds, requirements) == by_definition(bounds, requirements));
    }
  }
}

TEST_CASE("synth/sat/sat_engine: finds what the explicit engine finds where threads meet") {
  const Bounds::Barriers workgroup{.workgroup = true};
  const Bounds::Barriers ended{.workgroup = true, .ended_count = true};
  const Bounds::Barriers both{.workgroup = true, .subgroup = true};
  std::vector<Bounds> all = {placed({{2}}, 3, workgroup, 2),
                             placed({{2}}, 3, ended, 2),
                             placed({{2}}, 4, workgroup, 1),
                             placed({{2}}, 4, ended, 1),
                             placed({{2}, {1}}, 3, workgroup, 2),
                             placed({{2}, {1}}, 4, ended, 1),
                             placed({{3}}, 4, workgroup, 1),
                             placed({{2, 1}}, 4, both, 1),
                             placed({{2, 2}}, 4, both, 1),
                             placed({{2}, {2}}, 4, workgroup, 2),
                             placed({{2}}, 4, {.workgroup = true, .structured = true}, 1)};
  if (std::getenv("HEADWAY_PLACED") != nullptr) {
    for (const Bounds& bounds : std::vector<Bounds>(all)) {
      all.push_back(bounds);
      all.back().locations = 2;
    }
  }
  std::size_t with_barriers = 0;
  for (const Bounds& bounds : all) {
    CAPTURE(bounds.placement->placement());
    CAPTURE(bounds.instructions);
    Tests expected;
    ExplicitEngine engine(bounds, {});
    for (const Cube& cube : cubes(bounds)) {
      engine.enumerate(
          cube,
          [&](const Instructions& code) {
            expected.emplace(cube.shape, fields(code));
            return true;
          },
          kNoStop);
    }
    CHECK(by_engine(bounds) == expected);
    for (const auto& [shape, code] : expected) {
      for (const auto& instruction : code) with_barriers += std::get<5>(instruction) != 0 ? 1 : 0;
    }
  }
  CHECK(with_barriers > 100);
}

TEST_CASE("synth/sat/sat_engine: the published counts, with and without effective stores") {
  CHECK(by_engine({2, 2, 2, 2}).size() == 8);
  CHECK(by_engine({2, 3, 2, 2}).size() == 176);
  CHECK(by_engine({2, 2, 2, 2}, {true}).size() == 8);
  CHECK(by_engine({2, 3, 2, 2}, {true}).size() == 162);
}

TEST_CASE("synth/sat/sat_engine: complete at four instructions") {
  CHECK(by_engine({2, 4, 2, 2}).size() == 6946);
  CHECK(by_engine({3, 4, 2, 2}).size() == 4260);
}

TEST_CASE("synth/sat/sat_engine: finer cubes have the same tests") {
  for (const Bounds& bounds : {Bounds{2, 3, 2, 2}, Bounds{3, 3, 3, 2}}) {
    for (const double programs : {100.0, 1.0}) {
      std::vector<Cube> parts = cubes(bounds, programs);
      SatEngine engine(bounds, {});
      CHECK(by_engine(engine, parts) == by_engine(bounds));
      std::reverse(parts.begin(), parts.end());
      CHECK(by_engine(engine, parts) == by_engine(bounds));
    }
  }
}

TEST_CASE("synth/sat/sat_engine: the order of cubes does not matter") {
  const Bounds bounds{2, 3, 2, 2};
  std::vector<Cube> parts = cubes(bounds);
  const Tests expected = by_engine(bounds);
  std::reverse(parts.begin(), parts.end());
  SatEngine engine(bounds, {});
  CHECK(by_engine(engine, parts) == expected);
  CHECK(engine.statistics().found == expected.size());
  CHECK(engine.statistics().proposals < 2 * expected.size());
}

TEST_CASE("synth/sat/sat_engine: a cube that was stopped is complete when it is asked for again") {
  const Bounds bounds{2, 3, 2, 2};
  SatEngine engine(bounds, {});
  for (const Cube& cube : cubes(bounds)) {
    int calls = 0;
    const auto one = [&](const Instructions&) { return ++calls < 2; };
    const bool complete = engine.enumerate(cube, one, kNoStop);
    CHECK(complete == (calls < 2));
    CHECK(calls <= 2);
  }
  const std::atomic<bool> now{true};
  CHECK_FALSE(engine.enumerate(
      cubes(bounds)[0], [](const Instructions&) { return true; }, now));
  CHECK(by_engine(engine, cubes(bounds)) == by_engine(bounds));
  CHECK(by_engine(engine, cubes(bounds)) == by_engine(bounds));
}

// Every clause of the formula against every program: what it excludes must violate just what its
// ground says.
TEST_CASE("synth/sat/sat_engine: every clause excludes only programs that its ground speaks of") {
  Bounds bounds{2, 3, 2, 2};
  const Requirements requirements{true};
  Shape shape{1, 2};
  SUBCASE("of flat programs") {}
  SUBCASE("of programs with barriers") {
    bounds = placed({{2}}, 4, {.workgroup = true}, 1);
    shape = {2, 2};
  }
  SUBCASE("of programs with barriers that threads which have ended pass") {
    bounds = placed({{2}}, 4, {.workgroup = true, .ended_count = true}, 1);
    shape = {1, 3};
  }
  sat::ShapeSearch search(bounds, shape, requirements);
  search.keep_rejections();
  CHECK(search.enumerate([](const Instructions&) { return true; }, kNoStop));
  const sat::Space& space = search.space();
  const sat::Encoding& encoding = search.encoding();
  CHECK(search.rejections().size() == search.statistics().rejections);

  std::vector<sat::Premise> premises = encoding.premises();
  premises.insert(premises.end(), search.rejections().begin(), search.rejections().end());
  std::map<sat::Ground, int> excluded;
  bool right = true;
  std::size_t number = 0;
  std::vector<bool> value(encoding.variables() + 1);
  for_all_programs(bounds, shape, [&](const Instructions& code) {
    // Campaigns ask for all of them.
    if (number++ % (testing::is_campaign() ? 1 : 8 * testing::kShare) != 0) return;
    std::fill(value.begin(), value.end(), false);
    std::vector<int> choices;
    for (int position = 0; position < space.size(); ++position) {
      choices.push_back(space.choice_of(position, code[position]));
      value[encoding.variable(position, choices.back())] = true;
    }
    for (const sat::Term& term : encoding.terms()) {
      value[term.variable] = term.choices[choices[term.position]] != 0;
    }
    std::vector<Constraint> violated;
    bool known = false;
    for (const sat::Premise& premise : premises) {
      const auto& clause = premise.clause;
      if (std::any_of(clause.begin(), clause.end(),
                      [&](int literal) { return value[std::abs(literal)] == (literal > 0); })) {
        continue;
      }
      ++excluded[premise.ground];
      if (!known) {
        // Not canonical: to_code would drop no location that is used, so this is still right.
        violated = violations(bounds, requirements, shape, code);
        known = true;
      }
      const auto violates = [&](Constraint constraint) {
        return std::find(violated.begin(), violated.end(), constraint) != violated.end();
      };
      switch (premise.ground) {
        case sat::Ground::choice:
          right = false;
          break;
        case sat::Ground::numbering:
          right = right && !is_canonical(code);
          break;
        case sat::Ground::influence:
          right = right && violates(Constraint::inter_thread_influence);
          break;
        case sat::Ground::reason:
          right = right && violates(premise.reason.constraint);
          break;
      }
    }
  });
  CHECK(right);
  if (bounds.locations > 1) CHECK(excluded[sat::Ground::numbering] > 0);
  CHECK(excluded[sat::Ground::influence] > 0);
  CHECK(excluded[sat::Ground::reason] > 0);
}

TEST_CASE("synth/sat/sat_engine: bounds that are too large are an error") {
  for (const Bounds& bounds : {Bounds{8, 16, 8, 8}, Bounds{16, 16, 8, 8}}) {
    SatEngine engine(bounds, {});
    const auto error = testing::error_of([&] {
      engine.enumerate(
          cubes(bounds).front(), [](const Instructions&) { return true; }, kNoStop);
    });
    REQUIRE(error);
    CHECK(testing::contains(error->what(), "too large"));
  }
  CHECK(testing::error_of([] { SatEngine({3, 2, 2, 2}, {}); }));
}
