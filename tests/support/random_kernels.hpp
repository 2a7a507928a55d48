// Random small kernels, and what happens when every thread of a small launch runs by itself: the
// accesses between barriers, and races and divergence among them by the definitions. Indices and
// decisions depend on ids, sizes, one argument and a buffer that is never written alone, so a run
// of a thread needs no memory.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "kernel/ir/ir.hpp"

namespace headway::tests {

struct RandomKernelOptions {
  bool loops = true;
  int statements = 4;
};

// A kernel `k(a, b, c, n)` with accesses of 1 to 8 bytes of two buffers and a workgroup array; `c`
// is read alone. Loops count, stride, double and halve, with ways out in the middle; threads return
// early; half of the indices are of the kind that people write.
kernel::Module random_kernel(std::mt19937& random, const RandomKernelOptions& options);

// Width and height of workgroups, and of the grid in workgroups; the argument, and which data.
struct SmallLaunch {
  std::array<std::uint32_t, 2> block{3, 1}, grid{2, 1};
  std::uint64_t argument = 0;
  unsigned data = 0;
};
// A byte of `c`.
std::uint8_t byte_of_data(unsigned data, std::uint64_t at);

struct Enumerated {
  bool race = false, divergence = false;
  bool ended = true;  // every thread within its steps
  std::string what;
};
Enumerated enumerate(const kernel::Module& module, const SmallLaunch& launch);

}  // namespace headway::tests
