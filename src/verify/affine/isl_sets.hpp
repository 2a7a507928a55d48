// Sets of integers by isl, the library for them in GCC and in LLVM's polyhedral compilers: exact,
// with parameters, remainders and alternatives. The library is loaded at the first question. A
// context belongs to one thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/watchdog.hpp"

struct isl_ctx;

namespace headway::verify::affine {

// Whether isl is there. Where it is not, nobody is asked.
bool has_isl();

class IslSets {
 public:
  // Nothing is answered after `until`.
  explicit IslSets(std::chrono::steady_clock::time_point until);
  ~IslSets();
  IslSets(const IslSets&) = delete;
  IslSets& operator=(const IslSets&) = delete;

  // Whether a set in isl's notation, as "{ [x, y] : 0 <= x < y }", is empty. Nothing where that
  // takes more than a fixed number of isl's operations, so that most answers are the same on all
  // machines. What one operation takes grows with the numbers.
  std::optional<bool> is_empty(const std::string& set);

 private:
  std::optional<bool> decided(const std::string& set);

  isl_ctx* context_;
  std::chrono::steady_clock::time_point until_;
  std::optional<Watchdog> watchdog_;  // gone before the context
};

}  // namespace headway::verify::affine
