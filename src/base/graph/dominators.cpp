#include "base/graph/dominators.hpp"

#include <algorithm>
#include <utility>

namespace headway {
namespace {

// Of nodes numbered by their positions in a reverse postorder: `before` are those that lead here.
std::vector<int> by_position(const std::vector<std::vector<int>>& before) {
  std::vector<int> up(before.size(), -1);
  up[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t at = 1; at < before.size(); ++at) {
      int now = -1;
      for (int p : before[at]) {
        if (up[static_cast<std::size_t>(p)] < 0) continue;
        for (int q = now; now >= 0 && p != q;) {
          while (p > q) p = up[static_cast<std::size_t>(p)];
          while (q > p) q = up[static_cast<std::size_t>(q)];
        }
        now = p;
      }
      if (up[at] != now) {
        up[at] = now;
        changed = true;
      }
    }
  }
  return up;
}

}  // namespace

std::vector<std::uint32_t> postorder(std::uint32_t first,
                                     const std::vector<std::vector<std::uint32_t>>& after) {
  const std::size_t count = after.size();
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(count, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{first, 0}};
  seen[first] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < after[node].size()) {
      const std::uint32_t to = after[node][next++];
      if (!seen[to]) {
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
    } else {
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

std::vector<std::uint32_t> closest_dominators(
    std::uint32_t first, const std::vector<std::vector<std::uint32_t>>& after) {
  const std::size_t count = after.size();
  std::vector<std::uint32_t> order = postorder(first, after);
  std::reverse(order.begin(), order.end());
  std::vector<int> position(count, -1);
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<int>(i);
  std::vector<std::vector<int>> before(order.size());
  for (const std::uint32_t b : order) {
    for (const std::uint32_t to : after[b]) {
      before[static_cast<std::size_t>(position[to])].push_back(position[b]);
    }
  }
  const std::vector<int> up = by_position(before);
  std::vector<std::uint32_t> result(count, kNotReached);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (up[i] >= 0) result[order[i]] = order[static_cast<std::size_t>(up[i])];
  }
  return result;
}

bool dominates(const std::vector<std::uint32_t>& closest, std::uint32_t a, std::uint32_t b) {
  while (b != a) {
    const std::uint32_t up = closest[b];
    if (up == b || up == kNotReached) return false;
    b = up;
  }
  return true;
}

}  // namespace headway
