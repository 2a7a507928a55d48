#include "models/hasse.hpp"

#include <algorithm>

namespace headway::models {

Hasse hasse_diagram(const ModelOrder& order) {
  Hasse hasse;
  for (std::size_t model = 0; model < order.models().size(); ++model) {
    for (models::Fairness fairness : models::kFairnesses) {
      const Reading reading{model, fairness};
      const auto equal =
          std::find_if(hasse.nodes.begin(), hasse.nodes.end(),
                       [&](const auto& node) { return order.equal(node.front(), reading); });
      if (equal == hasse.nodes.end()) {
        hasse.nodes.push_back({reading});
      } else {
        equal->push_back(reading);
      }
    }
  }
  const auto below = [&](const auto& a, const auto& b) {
    return order.below(a.front(), b.front());
  };
  // What has fewer nodes below it comes first, so that reading down is reading up the order.
  const auto rank = [&](const auto& node) {
    return std::count_if(hasse.nodes.begin(), hasse.nodes.end(),
                         [&](const auto& other) { return below(other, node); });
  };
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> ranks;
  for (std::size_t n = 0; n < hasse.nodes.size(); ++n) ranks.emplace_back(rank(hasse.nodes[n]), n);
  std::sort(ranks.begin(), ranks.end());
  std::vector<std::vector<Reading>> sorted;
  sorted.reserve(ranks.size());
  for (const auto& [unused, n] : ranks) sorted.push_back(std::move(hasse.nodes[n]));
  hasse.nodes = std::move(sorted);

  for (std::size_t a = 0; a < hasse.nodes.size(); ++a) {
    for (std::size_t b = 0; b < hasse.nodes.size(); ++b) {
      if (!below(hasse.nodes[a], hasse.nodes[b])) continue;
      const bool direct =
          std::none_of(hasse.nodes.begin(), hasse.nodes.end(), [&](const auto& between) {
            return below(hasse.nodes[a], between) && below(between, hasse.nodes[b]);
          });
      if (direct) hasse.edges.emplace_back(a, b);
    }
  }
  return hasse;
}

}  // namespace headway::models
