// Sets of integers by isl, the library for them in GCC and in LLVM's polyhedral compilers: exact,
// with parameters, remainders and alternatives. The library is loaded at the first question. A
// context belongs to one thread.
#pragma once

#include <optional>
#include <string>

struct isl_ctx;

namespace headway::verify::affine {

// Whether isl is there. Where it is not, nobody is asked.
bool has_isl();

class IslSets {
 public:
  IslSets();
  ~IslSets();
  IslSets(const IslSets&) = delete;
  IslSets& operator=(const IslSets&) = delete;

  // Whether a set in isl's notation, as "{ [x, y] : 0 <= x < y }", is empty. Nothing where that
  // takes more than a fixed number of isl's operations, so the answer is the same on all machines.
  std::optional<bool> is_empty(const std::string& set);

 private:
  isl_ctx* context_;
};

}  // namespace headway::verify::affine
