// The minimal points of sets that are closed upwards, held against trying every point.
#include "consistency/repair/minimal_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "consistency/repair/points.hpp"

using namespace headway::consistency;
using headway::testing::all_points;
using litmus::Choice;

namespace {

Choice chain(int length) {
  Choice choice;
  for (int o = 0; o < length; ++o) choice.options.push_back({std::to_string(o), {o}});
  return choice;
}

// Nothing, one of two things that exclude each other, both.
Choice diamond() {
  Choice choice;
  choice.options = {{"", {0, 0}}, {"a", {1, 0}}, {"b", {0, 1}}, {"ab", {1, 1}}};
  return choice;
}

bool never() { return false; }

}  // namespace

TEST_CASE("consistency/repair/minimal_points: are those that trying every point finds") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Choice> choices;
    const int count = 1 + static_cast<int>(random() % 4);
    for (int c = 0; c < count; ++c) {
      choices.push_back(random() % 2 == 0 ? diamond() : chain(1 + static_cast<int>(random() % 4)));
    }
    const std::vector<Point> points = all_points(choices);
    // Everything above some random points.
    std::vector<Point> seeds;
    for (std::size_t s = random() % 4; s > 0; --s)
      seeds.push_back(points[random() % points.size()]);
    const auto holds = [&](const Point& point) {
      return std::any_of(seeds.begin(), seeds.end(),
                         [&](const Point& seed) { return at_most(choices, seed, point); });
    };
    std::set<Point> expected;
    for (const Point& point : points) {
      const bool is_minimal =
          holds(point) && std::none_of(points.begin(), points.end(), [&](const Point& other) {
            return other != point && holds(other) && at_most(choices, other, point);
          });
      if (is_minimal) expected.insert(point);
    }
    std::set<Point> asked;
    const MinimalPoints found = minimal_points(
        choices,
        [&](const Point& point) {
          CHECK(asked.insert(point).second);
          return holds(point) ? Answer::holds : Answer::breaks;
        },
        never);
    CHECK(found.complete);
    CHECK(std::set<Point>(found.points.begin(), found.points.end()) == expected);
    CHECK(found.points.size() == expected.size());
  }
}

TEST_CASE("consistency/repair/minimal_points: what is not decided makes them incomplete") {
  const std::vector<Choice> choices = {chain(3)};
  const auto ask = [](const Point& point) {
    return point[0] == 2 ? Answer::holds : point[0] == 1 ? Answer::unknown : Answer::breaks;
  };
  const MinimalPoints found = minimal_points(choices, ask, never);
  CHECK(found.points == std::vector<Point>{{2}});
  CHECK_FALSE(found.complete);
}

TEST_CASE("consistency/repair/minimal_points: end when somebody wishes it") {
  const std::vector<Choice> choices = {chain(3), diamond()};
  int asked = 0;
  const MinimalPoints found = minimal_points(
      choices,
      [&](const Point&) {
        ++asked;
        return Answer::holds;
      },
      [&] { return asked > 0; });
  CHECK(asked <= 1);
  CHECK_FALSE(found.complete);
}

TEST_CASE("consistency/repair/minimal_points: nothing to choose is one point or none") {
  const auto ask = [](Answer answer) {
    return minimal_points(
               {}, [=](const Point&) { return answer; }, never)
        .points.size();
  };
  CHECK(ask(Answer::holds) == 1);
  CHECK(ask(Answer::breaks) == 0);
}
