#include "checker/boundary.hpp"

#include <algorithm>

namespace headway::checker {
namespace {

using models::Reading;

// The readings of `from` that none of the others lies before; equal ones grouped.
template <class Before>
std::vector<std::vector<Reading>> extremes(const std::vector<Reading>& from,
                                           const models::ModelOrder& order, Before before) {
  std::vector<std::vector<Reading>> groups;
  for (const Reading& reading : from) {
    const bool extreme = std::none_of(from.begin(), from.end(),
                                      [&](const Reading& other) { return before(other, reading); });
    if (!extreme) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& other) {
      return order.equal(other.front(), reading);
    });
    if (group == groups.end()) {
      groups.push_back({reading});
    } else {
      group->push_back(reading);
    }
  }
  return groups;
}

}  // namespace

Boundary find_boundary(const std::vector<ModelVerdict>& verdicts, const models::ModelOrder& order,
                       std::span<const Fairness> fairnesses) {
  std::vector<Reading> passing, failing;
  for (std::size_t m = 0; m < verdicts.size(); ++m) {
    for (const Fairness fairness : fairnesses) {
      const Verdict verdict = verdicts[m].of(fairness);
      if (verdict == Verdict::pass) passing.push_back({m, fairness});
      if (verdict == Verdict::fail) failing.push_back({m, fairness});
    }
  }
  return {extremes(passing, order,
                   [&](const Reading& a, const Reading& b) { return order.below(a, b); }),
          extremes(failing, order,
                   [&](const Reading& a, const Reading& b) { return order.below(b, a); })};
}

}  // namespace headway::checker
