// The fewest of some sets that together hold every element.
#pragma once

#include <atomic>
#include <vector>

namespace headway::suite {

struct SetCover {
  // No fewer sets hold every element. Among the choices of so many the one that prefers the sets
  // that come first.
  std::vector<std::size_t> chosen;
  bool complete = true;  // false: interrupted; `chosen` is empty
};

// `sets` say of each of so many elements whether it is in them. Every element is in some set.
SetCover fewest_sets(const std::vector<std::vector<bool>>& sets, std::size_t elements,
                     const std::atomic<bool>* stop = nullptr);

}  // namespace headway::suite
