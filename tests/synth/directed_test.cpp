// The search for tests with given verdicts against enumeration and, for what it rests on, against
// every program of small spaces.
#include "synth/sat/directed.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "checker/check.hpp"
#include "lang/axb_program.hpp"
#include "models/library.hpp"
#include "support/files.hpp"
#include "synth/distinguish.hpp"
#include "synth/explicit/explicit_engine.hpp"
#include "synth/sat/shape_search.hpp"

using namespace headway;
using namespace headway::synth;
using lang::Fairness;
using sat::BoxProgram;
using sat::BoxVerdict;
using sat::ShapeSearch;
using sat::Space;

namespace {

const std::atomic<bool> kNever{false};

std::vector<models::ModelPtr> all_models() { return models::Library().standard(); }

bool satisfies(const Bounds& bounds, const Shape& shape, const Code& code,
               const std::vector<Filter>& filters) {
  checker::Checker checker;
  std::vector<models::ModelPtr> models;
  for (const Filter& filter : filters) models.push_back(filter.model);
  const lang::Test test = to_test(bounds, shape, code);
  const auto verdicts = checker.check(lang::AxbProgram(test), models).verdicts;
  for (std::size_t f = 0; f < filters.size(); ++f) {
    const auto wanted = filters[f].passes ? checker::Verdict::pass : checker::Verdict::fail;
    if (verdicts[f].of(filters[f].fairness) != wanted) return false;
  }
  return true;
}

std::vector<Code> litmus_tests(const Bounds& bounds, const Shape& shape) {
  std::vector<Code> result;
  ExplicitEngine engine(bounds, {});
  for (const Cube& cube : cubes(bounds)) {
    if (cube.shape != shape) continue;
    engine.enumerate(
        cube, [&](const Code& code) { return result.push_back(code), true; }, kNever);
  }
  return result;
}

using Words = std::vector<std::uint64_t>;

Words words(const Code& code) {
  Words result;
  for (const lang::Instruction& i : code) {
    result.push_back(i.location | i.check_value << 8 | i.jump << 16 | (i.exchanges ? 1 : 0) << 24 |
                     std::uint64_t{i.exchange_value} << 32);
  }
  return result;
}

// Some filters, with at least one of each kind.
std::vector<Filter> some_filters(std::mt19937& random,
                                 const std::vector<models::ModelPtr>& models) {
  std::vector<Filter> filters;
  const std::size_t count = 2 + random() % 3;
  for (std::size_t f = 0; f < count; ++f) {
    const auto fairness = random() % 2 == 0 ? Fairness::weak : Fairness::strong;
    filters.push_back(
        {models[random() % models.size()], fairness, f == 0 || (f > 1 && random() % 2 == 0)});
  }
  return filters;
}

}  // namespace

TEST_CASE("synth/directed: finds the tests that enumeration finds, and no others") {
  std::mt19937 random(1);
  models::Library library;
  std::vector<models::ModelPtr> models = all_models();
  for (const char* name : {"obe.yaml", "lobe.yaml"}) {  // with F as a memory
    models.push_back(library.find((testing::source_dir() / "models/events" / name).string()));
  }
  std::size_t found_any = 0, found_none = 0;
  for (const Bounds& bounds : {Bounds{2, 3, 2, 2}, Bounds{3, 3, 2, 2}, Bounds{2, 4, 2, 2}}) {
    for (const Shape& shape : shapes(bounds)) {
      const std::vector<Code> tests = litmus_tests(bounds, shape);
      for (int round = 0; round < 6; ++round) {
        const std::vector<Filter> filters = some_filters(random, models);
        std::set<Words> expected, found;
        for (const Code& code : tests) {
          if (satisfies(bounds, shape, code, filters)) expected.insert(words(code));
        }
        if (expected.size() > 100) continue;  // long to list one by one
        ShapeSearch search(bounds, shape, {}, filters);
        const Found note = [&](const Code& code) {
          CHECK(found.insert(words(code)).second);
          return true;
        };
        REQUIRE(search.advance(1'000'000, note, kNever));
        CHECK(found == expected);
        (expected.empty() ? found_none : found_any) += 1;
      }
    }
  }
  CHECK(found_any > 2);
  CHECK(found_none > 5);
}

TEST_CASE("synth/directed: a box is refuted only if none of its programs is wanted") {
  std::mt19937 random(2);
  const auto models = all_models();
  std::size_t refuted_boxes = 0;
  for (const Bounds& bounds : {Bounds{2, 2, 2, 2}, Bounds{2, 3, 1, 2}, Bounds{3, 3, 1, 2}}) {
    for (const Shape& shape : shapes(bounds)) {
      const Space space(bounds, shape);
      for (int round = 0; round < 60; ++round) {
        const std::vector<Filter> filters = some_filters(random, models);
        BoxProgram program(space);
        std::vector<std::uint16_t> first;
        for (const sat::Position& at : space.positions) {
          first.push_back(static_cast<std::uint16_t>(random() % at.choices.size()));
        }
        program.reset(first);
        for (int position = 0; position < space.size(); ++position) {
          for (int extra = static_cast<int>(random() % 3); extra > 0; --extra) {
            const int choice =
                static_cast<int>(random() % space.positions[position].choices.size());
            program.allow(position, {&choice, 1});
          }
        }
        bool refuted = false;
        for (std::size_t f = 0; f < filters.size(); ++f) {
          BoxVerdict verdict(program, filters, f);
          refuted = refuted || verdict.refutes();
          // No cycle of any allowed set of threads is as good a refutation.
          bool none = !verdict.cycles().empty();
          for (const ThreadSet steps : verdict.cycles()) none = none && verdict.refutes(steps);
          refuted = refuted || none;
        }
        refuted_boxes += refuted;
        if (!refuted) continue;
        Code code(static_cast<std::size_t>(space.size()));
        const std::function<void(int)> check_all = [&](int position) {
          if (position == space.size()) {
            CHECK_FALSE(satisfies(bounds, shape, code, filters));
            return;
          }
          const sat::ChoiceSet& choices = program.box()[position];
          for (std::size_t choice = 0; choice < choices.size(); ++choice) {
            if (!choices[choice]) continue;
            code[position] = space.positions[position].choices[choice];
            check_all(position + 1);
          }
        };
        check_all(0);
      }
    }
  }
  CHECK(refuted_boxes > 50);
}

TEST_CASE(
    "synth/directed: a box of one program is refuted exactly when its verdict is not wanted") {
  std::mt19937 random(3);
  models::Library library;
  std::vector<models::ModelPtr> models = all_models();
  models.push_back(library.find((testing::source_dir() / "models/events/lobe.yaml").string()));
  for (const Bounds& bounds : {Bounds{2, 4, 2, 2}, Bounds{3, 4, 2, 3}, Bounds{2, 5, 2, 2}}) {
    for (const Shape& shape : shapes(bounds)) {
      const Space space(bounds, shape);
      BoxProgram program(space);
      for (const models::ModelPtr& model : models) {
        for (const Fairness fairness : {Fairness::weak, Fairness::strong}) {
          for (const bool passes : {true, false}) {
            const std::vector<Filter> filter = {{model, fairness, passes}};
            BoxVerdict verdict(program, filter, 0);
            for (int round = 0; round < 20; ++round) {
              std::vector<std::uint16_t> choices;
              Code code;
              for (const sat::Position& at : space.positions) {
                choices.push_back(static_cast<std::uint16_t>(random() % at.choices.size()));
                code.push_back(at.choices[choices.back()]);
              }
              program.reset(choices);
              CHECK(verdict.refutes() != satisfies(bounds, shape, code, filter));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("synth/filter: what fairness alone rules out has no test") {
  std::mt19937 random(4);
  const auto models = all_models();
  std::size_t ruled_out = 0;
  for (const Bounds& bounds : {Bounds{2, 4, 2, 2}, Bounds{3, 4, 2, 2}}) {
    // One test for each combination of verdicts that there is.
    std::map<std::vector<bool>, std::pair<Shape, Code>> examples;
    checker::Checker checker;
    for (const Shape& shape : shapes(bounds)) {
      for (const Code& code : litmus_tests(bounds, shape)) {
        const lang::Test test = to_test(bounds, shape, code);
        std::vector<bool> passes;
        for (const auto& v : checker.check(lang::AxbProgram(test), models).verdicts) {
          passes.push_back(v.weak == checker::Verdict::pass);
          passes.push_back(v.strong == checker::Verdict::pass);
        }
        examples.emplace(passes, std::pair(shape, code));
      }
    }
    for (int round = 0; round < 400; ++round) {
      const std::vector<Filter> filters = some_filters(random, models);
      if (!contradictory(filters, bounds.threads)) continue;
      ++ruled_out;
      for (const auto& [verdicts, example] : examples) {
        CHECK_FALSE(satisfies(bounds, example.first, example.second, filters));
      }
    }
  }
  CHECK(ruled_out > 100);
}

TEST_CASE(
    "synth/filter: two threads have exactly ten combinations of verdicts, whatever their size") {
  const auto models = all_models();
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

TEST_CASE("synth/directed: the answer does not depend on the number of cores") {
  models::Library library;
  const std::vector<Filter> filters = {{library.find("OBE"), Fairness::strong, true},
                                       {library.find("HSA"), Fairness::strong, false},
                                       {library.find("fair"), Fairness::weak, false}};
  RunOptions options;
  options.engine = EngineKind::sat;
  const Maxima maxima{2, 6, 2, 2};
  const Distinguished one = distinguish(filters, maxima, options, true);
  options.jobs = 2;
  const Distinguished two = distinguish(filters, maxima, options, true);
  REQUIRE(one.test);
  REQUIRE(two.test);
  CHECK(*one.test == *two.test);
}

TEST_CASE("synth/distinguish: both engines agree on the smallest size") {
  std::mt19937 random(5);
  const auto models = all_models();
  RunOptions searched, enumerated;
  searched.engine = EngineKind::sat;
  enumerated.engine = EngineKind::explicit_search;
  for (int round = 0; round < 8; ++round) {
    const std::vector<Filter> filters = some_filters(random, models);
    const Distinguished a = distinguish(filters, {3, 4, 2, 2}, searched);
    const Distinguished b = distinguish(filters, {3, 4, 2, 2}, enumerated);
    REQUIRE(a.test.has_value() == b.test.has_value());
    if (a.test) CHECK(a.bounds == b.bounds);
  }
}

TEST_CASE("synth/distinguish: finds tests of eight instructions where nobody can enumerate") {
  models::Library library;
  const std::vector<Filter> filters = {{library.find("OBE"), Fairness::strong, true},
                                       {library.find("HSA"), Fairness::strong, false},
                                       {library.find("fair"), Fairness::weak, false}};
  for (const int threads : {2, 4}) {
    const Bounds bounds{threads, 8, 2, 2};
    std::vector<sat::Place> places;
    for (const Shape& shape : shapes(bounds)) places.push_back({bounds, shape});
    const sat::Directed found = sat::search(places, filters);
    REQUIRE(found.match);
    CHECK(satisfies(bounds, places[found.match->place].shape, found.match->code, filters));
  }
}
