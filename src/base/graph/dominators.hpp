// Closest dominators of a directed graph, by rounds over a reverse postorder: Cooper, Harvey and
// Kennedy, "A simple, fast dominance algorithm" (2001). Quadratic at worst, linear for the graphs
// of most programs.
#pragma once

#include <cstdint>
#include <vector>

namespace headway {

inline constexpr std::uint32_t kNotReached = 0xffffffff;

// Nodes that can be reached from `first`, each behind all that it leads to for the first time.
std::vector<std::uint32_t> postorder(std::uint32_t first,
                                     const std::vector<std::vector<std::uint32_t>>& after);

// Of each node the closest other one that every way from `first` to it leads through; `first` has
// itself, and nodes without such a way have kNotReached. `after`: where the edges of a node lead.
std::vector<std::uint32_t> closest_dominators(std::uint32_t first,
                                              const std::vector<std::vector<std::uint32_t>>& after);

// Whether every way to `b` leads through `a`, by these closest dominators.
bool dominates(const std::vector<std::uint32_t>& closest, std::uint32_t a, std::uint32_t b);

}  // namespace headway
