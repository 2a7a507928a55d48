// A kernel whose tile of 128 elements smaller workgroups do not fill, and read all the same.
#pragma once

#include <string>

namespace headway::testing {

// `between` stands between what threads write and what others read: with a barrier it is right in
// workgroups of 128.
inline std::string mirrored(const std::string& between) {
  return "__global__ void k(const int* a, int* o, int rounds) {\n"
         "  __shared__ int t[128];\n"
         "  int x = threadIdx.x, sum = 0;\n"
         "  for (int r = 0; r < rounds; ++r) {\n"
         "    t[x] = a[128 * r + x];\n" +
         between + "    sum += t[127 - x];\n" + between +
         "  }\n"
         "  o[128 * blockIdx.x + x] = sum;\n}\n";
}

}  // namespace headway::testing
