// The two ways in which every model is read (docs/reference/semantics.md).
#pragma once

#include <string>

namespace headway::models {

enum class Fairness { weak, strong };
inline constexpr Fairness kFairnesses[] = {Fairness::weak, Fairness::strong};

inline std::string to_string(Fairness fairness) {
  return fairness == Fairness::weak ? "weak" : "strong";
}

}  // namespace headway::models
