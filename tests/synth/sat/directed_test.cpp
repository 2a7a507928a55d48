// The search for tests with given verdicts against enumeration and, for what it rests on, against
// every program of small spaces.
#include "synth/sat/directed.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "models/library.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"
#include "support/filters.hpp"
#include "support/models.hpp"
#include "support/no_stop.hpp"
#include "support/placed.hpp"
#include "synth/distinguish.hpp"
#include "synth/sat/shape_search.hpp"

using namespace headway;
using namespace headway::synth;
using models::Fairness;
using sat::BoxProgram;
using sat::BoxVerdict;
using sat::ShapeSearch;
using sat::Space;
using testing::kNoStop;
using testing::litmus_tests;
using testing::satisfies;
using testing::some_filters;
using testing::standard_models;

namespace {

using Words = std::vector<std::uint64_t>;

// One workgroup of two threads; two of which one has two; one of two subgroups of which one has
// two; three levels.
const std::vector<std::vector<std::vector<int>>> kPlacements = {
    {{2}}, {{2}, {1}}, {{1}, {2}}, {{1, 2}}, {{1, 1}, {1}}};

// Spaces whose threads meet at barriers; with so few locations that many tests do.
std::vector<Bounds> meeting(int instructions, int locations) {
  Bounds::Barriers workgroup, ended, both;
  workgroup.workgroup = ended.workgroup = both.workgroup = both.subgroup = true;
  ended.ended_count = true;
  return {testing::placed({{2}}, instructions, workgroup, locations),
          testing::placed({{2}}, instructions, ended, locations),
          testing::placed({{2}, {1}}, instructions, workgroup, locations),
          testing::placed({{1, 2}}, instructions, both, locations)};
}

// Models that say something else at each level, some with F as a memory.
const std::vector<models::ModelPtr>& scoped_models() {
  static const std::vector<models::ModelPtr> models = [] {
    models::Library library;
    std::vector<models::ModelPtr> result;
    for (const char* name :
         {"workgroup=OBE", "workgroup=OBE,thread=HSA", "workgroup=HSA,thread=unfair",
          "workgroup=unfair,thread=OBE", "workgroup=LOBE,subgroup=OBE,thread=OBE",
          "workgroup=HSA+OBE,subgroup=HSA,thread=LOBE", "workgroup=fair,subgroup=unfair",
          "workgroup=unfair,subgroup=LOBE", "thread=HSA"}) {
      result.push_back(library.find(name));
    }
    const std::string remembers = (testing::source_dir() / "models/events/lobe.yaml").string();
    result.push_back(library.find("workgroup=" + remembers + ",thread=OBE"));
    result.push_back(library.find("workgroup=OBE,thread=" + remembers));
    return result;
  }();
  return models;
}

Words words(const Instructions& code) {
  Words result;
  for (const lang::axb::Instruction& i : code) {
    result.push_back(i.location | i.check_value << 8 | i.jump << 16 | (i.exchanges ? 1 : 0) << 24 |
                     std::uint64_t{i.exchange_value} << 32 |
                     static_cast<std::uint64_t>(i.barrier) << 40);
  }
  return result;
}

}  // namespace

TEST_CASE("synth/sat/directed: finds the tests that enumeration finds, and no others") {
  std::mt19937 random(1);
  models::Library library;
  std::vector<models::ModelPtr> of_threads = standard_models();
  for (const char* name : {"obe.yaml", "lobe.yaml"}) {  // with F as a memory
    of_threads.push_back(library.find((testing::source_dir() / "models/events" / name).string()));
  }
  std::size_t found_any = 0, found_none = 0;
  std::vector<Bounds> spaces = {Bounds{2, 3, 2, 2}, Bounds{3, 3, 2, 2}, Bounds{2, 4, 2, 2}};
  for (const auto& sizes : kPlacements) spaces.push_back(testing::placed(sizes, 3));
  for (const Bounds& bounds : meeting(4, 1)) spaces.push_back(bounds);
  for (const Bounds& bounds : spaces) {
    const auto& models = bounds.placement ? scoped_models() : of_threads;
    for (const Shape& shape : shapes(bounds)) {
      const std::vector<Instructions> tests = litmus_tests(bounds, shape);
      for (int round = 0; round < testing::budget(6); ++round) {
        const std::vector<Filter> filters = some_filters(random, models);
        std::set<Words> expected, found;
        for (const Instructions& code : tests) {
          if (satisfies(bounds, shape, code, filters)) expected.insert(words(code));
        }
        if (expected.size() > 100) continue;  // long to list one by one
        ShapeSearch search(bounds, shape, {}, filters);
        const Found note = [&](const Instructions& code) {
          CHECK(found.insert(words(code)).second);
          return true;
        };
        REQUIRE(search.advance(1'000'000, note, kNoStop));
        CHECK(found == expected);
        (expected.empty() ? found_none : found_any) += 1;
      }
    }
  }
  CHECK(found_any > 2);
  CHECK(found_none > 5);
}

TEST_CASE("synth/sat/directed: a box is refuted only if none of its programs is wanted") {
  std::mt19937 random(2);
  std::size_t refuted_boxes = 0;
  std::vector<Bounds> spaces = {Bounds{2, 2, 2, 2}, Bounds{2, 3, 1, 2}, Bounds{3, 3, 1, 2}};
  for (const auto& sizes : kPlacements) spaces.push_back(testing::placed(sizes, 3, {}, 1));
  for (const Bounds& bounds : meeting(3, 1)) spaces.push_back(bounds);
  for (const Bounds& bounds : spaces) {
    const auto& models = bounds.placement ? scoped_models() : standard_models();
    for (const Shape& shape : shapes(bounds)) {
      const Space space(bounds, shape);
      for (int round = 0; round < testing::budget(60); ++round) {
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
        Instructions code(static_cast<std::size_t>(space.size()));
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
    "synth/sat/directed: a box of one program is refuted exactly when its verdict is not wanted") {
  std::mt19937 random(3);
  models::Library library;
  std::vector<models::ModelPtr> of_threads = standard_models();
  of_threads.push_back(library.find((testing::source_dir() / "models/events/lobe.yaml").string()));
  std::vector<Bounds> spaces = {Bounds{2, 4, 2, 2}, Bounds{3, 4, 2, 3}, Bounds{2, 5, 2, 2}};
  for (const auto& sizes : kPlacements) spaces.push_back(testing::placed(sizes, 4));
  for (const Bounds& bounds : meeting(4, 2)) spaces.push_back(bounds);
  for (const Bounds& bounds : spaces) {
    const auto& models = bounds.placement ? scoped_models() : of_threads;
    for (const Shape& shape : shapes(bounds)) {
      const Space space(bounds, shape);
      BoxProgram program(space);
      for (const models::ModelPtr& model : models) {
        for (const Fairness fairness : {Fairness::weak, Fairness::strong}) {
          for (const bool passes : {true, false}) {
            const std::vector<Filter> filter = {{model, fairness, passes}};
            BoxVerdict verdict(program, filter, 0);
            for (int round = 0; round < testing::budget(20); ++round) {
              std::vector<std::uint16_t> choices;
              Instructions code;
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

TEST_CASE("synth/sat/directed: the answer does not depend on the number of cores") {
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

TEST_CASE("synth/sat/directed: finds tests of eight instructions where nobody can enumerate") {
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
