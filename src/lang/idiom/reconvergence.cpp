#include "lang/idiom/reconvergence.hpp"

#include <algorithm>

#include "lang/idiom/interchangeable.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

// Conditions are not looked at, what a loop tests may always end it, but for constants where the
// control flow is taken as it is.
std::vector<int> ways_on(const ThreadCode& thread, int at, bool as_it_is) {
  const Instruction& in = thread.instructions[at];
  if (in.kind == InstructionKind::end) return {};
  if (in.kind == InstructionKind::jump) return {in.target};
  if (in.kind == InstructionKind::branch && in.fixed && as_it_is) {
    return {constant(thread, in.value).value_or(1) != 0 ? at + 1 : in.target};
  }
  if (in.kind == InstructionKind::branch) return {at + 1, in.target};
  return {at + 1};
}

// The instructions in the order in which a search backwards from the end is done with them, the end
// last. Those from which the end cannot be reached are not among them.
std::vector<int> backwards(const ThreadCode& thread, bool as_it_is) {
  const std::size_t size = thread.instructions.size();
  std::vector<std::vector<int>> ways_here(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (const int next : ways_on(thread, static_cast<int>(i), as_it_is)) {
      ways_here[next].push_back(static_cast<int>(i));
    }
  }
  std::vector<int> order;
  std::vector<std::size_t> next(size, 0);  // of ways_here
  std::vector<bool> seen(size, false);
  std::vector<int> path = {static_cast<int>(size) - 1};
  seen[path.back()] = true;
  while (!path.empty()) {
    const int at = path.back();
    if (next[at] == ways_here[at].size()) {
      order.push_back(at);
      path.pop_back();
      continue;
    }
    const int before = ways_here[at][next[at]++];
    if (seen[before]) continue;
    seen[before] = true;
    path.push_back(before);
  }
  return order;
}

}  // namespace

// The algorithm of Cooper, Harvey and Kennedy on the reversed graph. A way that never comes to the
// end leads past everything, so it counts as one to the end.
std::vector<int> reconvergence_points(const ThreadCode& thread, bool as_it_is) {
  const int end = static_cast<int>(thread.instructions.size()) - 1;
  const std::vector<int> order = backwards(thread, as_it_is);
  std::vector<int> rank(thread.instructions.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<int>(i);
  constexpr int unknown = -2;
  std::vector<int> dominator(thread.instructions.size(), unknown);
  dominator[end] = end;
  const auto meet = [&](int a, int b) {
    while (a != b) {
      int& lower = rank[a] < rank[b] ? a : b;
      lower = dominator[lower];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot read the reversed views of GCC 12
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      if (*at == end) continue;
      int found = unknown;
      for (const int way : ways_on(thread, *at, as_it_is)) {
        const int next = rank[way] < 0 ? end : way;
        if (dominator[next] == unknown) continue;
        found = found == unknown ? next : meet(found, next);
      }
      changed = changed || dominator[*at] != found;
      dominator[*at] = found;
    }
  }
  for (int& point : dominator) {
    if (point == unknown || point == end) point = kNowhere;
  }
  return dominator;
}

int behind_jumps(const ThreadCode& thread, int place, int point) {
  while (place != point && thread.instructions[place].kind == InstructionKind::jump) {
    place = thread.instructions[place].target;
  }
  return place;
}

}  // namespace headway::lang::idiom
