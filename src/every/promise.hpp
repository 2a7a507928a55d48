// The models that are decided for every N, which are those of Sorensen et al., and what they
// promise to the threads of a uniform family.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "models/fairness.hpp"

namespace headway::every {

enum class Promise { unfair, hsa, obe, hsa_obe, lobe, fair };

inline constexpr std::array<Promise, 6> kPromises = {
    Promise::unfair, Promise::hsa, Promise::obe, Promise::hsa_obe, Promise::lobe, Promise::fair};

inline std::string to_string(Promise promise) {
  constexpr std::array<std::string_view, 6> names = {"unfair",  "HSA",  "OBE",
                                                     "HSA+OBE", "LOBE", "fair"};
  return std::string(names[static_cast<std::size_t>(promise)]);
}

inline std::optional<Promise> promise_named(std::string_view name) {
  for (const Promise promise : kPromises) {
    if (to_string(promise) == name) return promise;
  }
  return std::nullopt;
}

// Whether every thread that has started is promised to go on.
inline bool keeps_started(Promise promise) {
  return promise != Promise::unfair && promise != Promise::hsa;
}

using models::Fairness;

struct Reading {
  Promise promise = Promise::unfair;
  Fairness fairness = Fairness::weak;

  std::string to_string() const {
    return every::to_string(promise) + ":" + models::to_string(fairness);
  }
};

}  // namespace headway::every
