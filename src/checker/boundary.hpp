// Where the guarantee of a test begins: the weakest readings of models under which it passes and
// the strongest under which it fails, in the order that decides verdicts (models/order.hpp).
#pragma once

#include <vector>

#include "checker/check.hpp"
#include "models/order.hpp"

namespace headway::checker {

struct Boundary {
  // Groups of readings that are equal in the order.
  std::vector<std::vector<models::Reading>> weakest_sufficient;
  std::vector<std::vector<models::Reading>> strongest_insufficient;
};

// `verdicts` are those of order.models(), for a test with the threads of `order`; only readings
// of `fairnesses` take part.
Boundary find_boundary(const std::vector<ModelVerdict>& verdicts, const models::ModelOrder& order,
                       std::span<const Fairness> fairnesses = models::kFairnesses);

}  // namespace headway::checker
