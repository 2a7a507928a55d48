#include "synth/explicit/explicit_engine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "lang/axb/source.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "support/placed.hpp"
#include "synth/space/well_formed.hpp"

using namespace headway;
using synth::Bounds;
using synth::Constraint;
using synth::Instructions;
using synth::Requirements;
using synth::Shape;
using testing::placed;

namespace {

using Program = std::pair<Shape, std::vector<std::vector<int>>>;

Program program_of(const Shape& shape, const Instructions& code) {
  Program program{shape, {}};
  for (const lang::axb::Instruction& i : code) {
    program.second.push_back({i.location, i.check_value, i.jump, static_cast<int>(i.exchanges),
                              i.exchange_value, static_cast<int>(i.barrier)});
  }
  return program;
}

std::multiset<Program> explicit_tests(const Bounds& bounds, const Requirements& requirements,
                                      double cube_programs = synth::kCubePrograms) {
  std::multiset<Program> result;
  synth::ExplicitEngine engine(bounds, requirements);
  const std::atomic<bool> stop{false};
  for (const synth::Cube& cube : synth::cubes(bounds, cube_programs)) {
    CHECK(engine.enumerate(
        cube,
        [&](const Instructions& code) {
          result.insert(program_of(cube.shape, code));
          return true;
        },
        stop));
  }
  return result;
}

bool well_formed(const lang::axb::Code& test, const Requirements& requirements) {
  const auto violated = synth::violated_constraints(test);
  return std::all_of(violated.begin(), violated.end(), [&](Constraint constraint) {
    return constraint == Constraint::effective_stores && !requirements.effective_stores;
  });
}

// Every program within the bounds, one after another, judged on its own.
std::multiset<Program> all_tests(const Bounds& bounds, const Requirements& requirements) {
  std::multiset<Program> result;
  for (const Shape& shape : synth::shapes(bounds)) {
    std::vector<std::vector<lang::axb::Instruction>> choices;
    for (std::size_t t = 0; t < shape.size(); ++t) {
      for (int i = 0; i < shape[t]; ++i) {
        choices.push_back(synth::instruction_choices(bounds, static_cast<int>(t), shape[t], i));
      }
    }
    std::vector<std::size_t> at(choices.size(), 0);
    for (bool more = true; more;) {
      Instructions code;
      for (std::size_t i = 0; i < at.size(); ++i) code.push_back(choices[i][at[i]]);
      if (synth::is_canonical(code) && well_formed(to_code(bounds, shape, code), requirements)) {
        result.insert(program_of(shape, code));
      }
      more = false;
      for (std::size_t i = at.size(); i-- > 0;) {
        if (++at[i] < choices[i].size()) {
          more = true;
          break;
        }
        at[i] = 0;
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE(
    "synth/explicit/explicit_engine: finds exactly the well-formed programs that trying all "
    "finds") {
  for (const Bounds& bounds :
       {Bounds{1, 2, 2, 2}, Bounds{2, 2, 2, 2}, Bounds{2, 3, 2, 2}, Bounds{2, 3, 1, 3},
        Bounds{3, 3, 2, 2}, Bounds{2, 2, 3, 3}, Bounds{3, 3, 3, 2}, Bounds{2, 4, 1, 2}}) {
    for (const bool effective : {false, true}) {
      CAPTURE(bounds.threads);
      CAPTURE(bounds.instructions);
      CAPTURE(bounds.locations);
      CAPTURE(bounds.values);
      CHECK(explicit_tests(bounds, {effective}) == all_tests(bounds, {effective}));
    }
  }
}

TEST_CASE("synth/explicit/explicit_engine: finds exactly the programs with barriers, too") {
  const Bounds::Barriers workgroup{.workgroup = true};
  const Bounds::Barriers ended{.workgroup = true, .ended_count = true};
  const Bounds::Barriers both{.workgroup = true, .subgroup = true};
  std::vector<Bounds> all = {
      placed({{2}}, 3, workgroup, 2),      placed({{2}}, 3, ended, 2),
      placed({{2}}, 4, workgroup, 1),      placed({{2}}, 4, ended, 1),
      placed({{2}, {1}}, 3, workgroup, 2), placed({{2}, {1}}, 4, ended, 1),
      placed({{1}, {2}}, 4, workgroup, 1), placed({{3}}, 4, workgroup, 1),
      placed({{2, 1}}, 4, both, 1),        placed({{2, 2}}, 4, both, 1),
      placed({{2}, {2}}, 4, workgroup, 1), placed({{1, 2}}, 4, {.subgroup = true}, 1),
      placed({{4}}, 4, workgroup, 1)};
  if (std::getenv("HEADWAY_PLACED") != nullptr) {
    for (const Bounds& bounds : std::vector<Bounds>(all)) {
      all.push_back(bounds);
      all.back().locations = 2;
    }
    all.push_back(placed({{2}}, 5, ended, 1));
    all.push_back(placed({{2, 1}}, 5, both, 1));
  }
  std::size_t number = 0, with_barriers = 0;
  for (const Bounds& bounds : all) {
    if (number++ % testing::kShare != 0) continue;
    CAPTURE(bounds.placement->placement());
    CAPTURE(bounds.instructions);
    CAPTURE(bounds.barriers.ended_count);
    const auto tests = explicit_tests(bounds, {});
    CHECK(tests == all_tests(bounds, {}));
    for (const Program& program : tests) {
      for (const auto& fields : program.second) with_barriers += fields.back() != 0 ? 1 : 0;
    }
    if (bounds.locations == 1) CHECK(explicit_tests(bounds, {}, 100.0) == tests);
  }
  CHECK(with_barriers > 100 / testing::kShare);
}

TEST_CASE("synth/explicit/explicit_engine: structured programs are those of all that are") {
  for (const bool subgroup : {false, true}) {
    Bounds bounds = subgroup ? placed({{2, 1}}, 4, {.workgroup = true, .subgroup = true}, 1)
                             : placed({{2}}, 4, {.workgroup = true, .ended_count = true}, 1);
    std::multiset<Program> expected;
    const std::atomic<bool> stop{false};
    synth::ExplicitEngine engine(bounds, {});
    std::size_t others = 0;
    for (const synth::Cube& cube : synth::cubes(bounds)) {
      engine.enumerate(
          cube,
          [&](const Instructions& code) {
            if (is_structured(to_code(bounds, cube.shape, code))) {
              expected.insert(program_of(cube.shape, code));
            } else {
              ++others;
            }
            return true;
          },
          stop);
    }
    bounds.barriers.structured = true;
    CHECK(explicit_tests(bounds, {}) == expected);
    CHECK(!expected.empty());
    if (!subgroup) CHECK(others > 0);
  }
}

TEST_CASE("synth/explicit/explicit_engine: the published bounds have the published counts") {
  CHECK(explicit_tests({2, 2, 2, 2}, {}).size() == 8);
  CHECK(explicit_tests({2, 3, 2, 2}, {}).size() == 176);
  CHECK(explicit_tests({2, 2, 2, 2}, {true}).size() == 8);
  CHECK(explicit_tests({2, 3, 2, 2}, {true}).size() == 162);
}

TEST_CASE("synth/explicit/explicit_engine: finer cubes have the same tests") {
  for (const Bounds& bounds : {Bounds{2, 4, 2, 2}, Bounds{3, 4, 2, 2}, Bounds{2, 3, 3, 3}}) {
    for (const bool effective : {false, true}) {
      const auto expected = explicit_tests(bounds, {effective});
      for (const double programs : {5000.0, 100.0, 1.0}) {
        if (programs == 1 && bounds.values == 3) continue;  // a second or more
        CHECK(explicit_tests(bounds, {effective}, programs) == expected);
      }
    }
  }
}

TEST_CASE("synth/explicit/explicit_engine: no test comes twice") {
  for (const Bounds& bounds : {Bounds{2, 4, 2, 2}, Bounds{3, 4, 2, 2}, Bounds{2, 3, 3, 3}}) {
    const auto tests = explicit_tests(bounds, {});
    CHECK(std::set<Program>(tests.begin(), tests.end()).size() == tests.size());
  }
}

TEST_CASE("synth/explicit/explicit_engine: every published test is found up to location names") {
  std::set<std::uint64_t> found;
  for (const int instructions : {2, 3}) {
    const Bounds bounds{2, instructions, 2, 2};
    synth::ExplicitEngine engine(bounds, {});
    const std::atomic<bool> stop{false};
    for (const synth::Cube& cube : synth::cubes(bounds)) {
      engine.enumerate(
          cube,
          [&](const Instructions& code) {
            found.insert(lang::identity(lang::axb::make_test(to_code(bounds, cube.shape, code))));
            return true;
          },
          stop);
    }
  }
  CHECK(testing::published_tests().size() == 184);
  for (const lang::Test& test : testing::published_tests()) {
    CAPTURE(test.name);
    CHECK(found.contains(lang::identity(test)));
  }
}

TEST_CASE("synth/explicit/explicit_engine: ends early when it is told to") {
  const Bounds bounds{2, 3, 2, 2};
  synth::ExplicitEngine engine(bounds, {});
  std::size_t calls = 0;
  std::atomic<bool> stop{false};
  const auto cubes = synth::cubes(bounds);
  const auto take_one = [&](const Instructions&) { return ++calls == 0; };
  std::size_t ended = 0;
  for (const synth::Cube& cube : cubes) ended += engine.enumerate(cube, take_one, stop) ? 0 : 1;
  CHECK(ended == calls);
  CHECK(calls > 0);
  stop = true;
  CHECK_FALSE(engine.enumerate(cubes.front(), take_one, stop));
}

TEST_CASE("synth/explicit/explicit_engine: bounds with too many states are refused") {
  CHECK_THROWS_AS(synth::ExplicitEngine({2, 4, 8, 8}, {}), Error);
}
