#include "lang/idiom/subgroup_operation.hpp"

#include <algorithm>

namespace headway::lang::idiom {

std::vector<int> operate(SubgroupOperation operation, std::span<const Contribution> all,
                         Failure& failure) {
  const auto holds = [](const Contribution& one) { return one.operand != 0; };
  std::vector<int> results;
  for (const Contribution& one : all) {
    int result = 0;
    switch (operation) {
      case SubgroupOperation::all:
        result = std::all_of(all.begin(), all.end(), holds);
        break;
      case SubgroupOperation::any:
        result = std::any_of(all.begin(), all.end(), holds);
        break;
      case SubgroupOperation::ballot:
        for (const Contribution& other : all) result |= holds(other) ? 1 << other.lane : 0;
        break;
      case SubgroupOperation::elect:
        result = one.lane == all.front().lane;
        break;
      case SubgroupOperation::broadcast:
      case SubgroupOperation::shuffle: {
        const auto asked = std::find_if(all.begin(), all.end(), [&](const Contribution& other) {
          return other.lane == one.from;
        });
        if (asked != all.end()) {
          result = asked->operand;
        } else if (failure.kind == Failure::Kind::none) {
          failure = {Failure::Kind::absent, one.from};
        }
        break;
      }
    }
    results.push_back(result);
  }
  return results;
}

}  // namespace headway::lang::idiom
