// Random small kernels, and what happens when every thread of a small launch runs by itself: the
// accesses between barriers, and races and divergence among them by the definitions. Indices and
// decisions depend on ids, sizes and one argument alone, so a run of a thread needs no memory.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "kernel/ir/ir.hpp"

namespace headway::tests {

struct RandomKernelOptions {
  bool loops = true;
  int statements = 4;
};

// A kernel `k(a, n)` with a buffer of 4-byte numbers, and a workgroup array of them.
kernel::Module random_kernel(std::mt19937& random, const RandomKernelOptions& options);

struct Enumerated {
  bool race = false, divergence = false;
  bool ended = true;  // every thread within its steps
  std::string what;
};
// In `groups` workgroups of `threads` threads.
Enumerated enumerate(const kernel::Module& module, std::uint32_t threads, std::uint32_t groups,
                     std::uint64_t argument);

}  // namespace headway::tests
