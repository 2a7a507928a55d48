// Random kernels in CUDA as tiled code is written: subscripts, bounds and guards from ids, counters
// and an argument, with quotients and remainders, in two dimensions, between barriers.
#pragma once

#include <random>
#include <string>

namespace headway::testing {

// Of a kernel `name(a, b, c, n)` with an array of the workgroup.
std::string random_affine_kernel(std::mt19937& random, const std::string& name);

}  // namespace headway::testing
