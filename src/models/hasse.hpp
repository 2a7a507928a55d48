// The order between the readings of models as a Hasse diagram: equal readings share a node, and
// an edge leads from a node to each one directly above it.
#pragma once

#include <utility>
#include <vector>

#include "models/order.hpp"

namespace headway::models {

struct Hasse {
  std::vector<std::vector<Reading>> nodes;                 // lower ones first
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // lower node, upper node
};

Hasse hasse_diagram(const ModelOrder& order);

}  // namespace headway::models
