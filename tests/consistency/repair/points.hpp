// Every point of some choices, for tests that try them all.
#pragma once

#include <utility>
#include <vector>

#include "consistency/repair/minimal_points.hpp"

namespace headway::testing {

inline std::vector<consistency::Point> all_points(
    const std::vector<consistency::litmus::Choice>& choices) {
  std::vector<consistency::Point> points = {{}};
  for (const consistency::litmus::Choice& choice : choices) {
    std::vector<consistency::Point> longer;
    for (const consistency::Point& point : points) {
      for (std::size_t o = 0; o < choice.options.size(); ++o) {
        longer.push_back(point);
        longer.back().push_back(o);
      }
    }
    points = std::move(longer);
  }
  return points;
}

}  // namespace headway::testing
