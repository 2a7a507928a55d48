// All minimal points of a set that is closed upwards: points are an option of each of some choices,
// and what holds at one holds where options are stronger.
#pragma once

#include <functional>
#include <vector>

#include "consistency/litmus/choice.hpp"

namespace headway::consistency {

// By choice, one of its options.
using Point = std::vector<std::size_t>;

enum class Answer { holds, breaks, unknown };

struct MinimalPoints {
  std::vector<Point> points;
  // Whether every point was decided that had to be; otherwise there may be more, and weaker ones.
  bool complete = true;
  // Whether something held where options are weaker than where it broke: then the set is not closed
  // upwards, and there may be other minimal points.
  bool closed = true;
};

// Points that nothing is known of are found by a solver; each that holds goes down to a minimal
// one, each that breaks up to a maximal one, and what is above or below is known then (the way of
// MARCO, Liffiton, Previti, Malik, Marques-Silva, "Fast, flexible MUS enumeration", 2016). What is
// unknown counts as breaking. `ask` is asked at most once for a point; stops early where `over`
// says so.
MinimalPoints minimal_points(const std::vector<litmus::Choice>& choices,
                             const std::function<Answer(const Point&)>& ask,
                             const std::function<bool()>& over);

// Whether no choice has a stronger option in one point than in the other.
bool at_most(const std::vector<litmus::Choice>& choices, const Point& weak, const Point& strong);

// The options next below one, or above it: nothing lies between.
std::vector<std::size_t> next_below(const litmus::Choice& choice, std::size_t option);
std::vector<std::size_t> next_above(const litmus::Choice& choice, std::size_t option);

}  // namespace headway::consistency
