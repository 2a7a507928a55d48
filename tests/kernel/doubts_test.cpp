// What hangs on functions of unknown data, of which the solver knows nothing, is an error where
// there are data for it, and a possible one otherwise.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"

using headway::testing::check_rows;

namespace {

constexpr const char* kSome = "check FILE --grid 1 --block 2 -m fair --arg n=unknown(0..8)";

}  // namespace

TEST_CASE("kernel/doubts: shifts, barriers and variables that hang on counted bits and reals") {
  const char* at_most =
      "__global__ void k(unsigned n) { if (1u << __popc(n) == 1u << 30) "
      "__trap(); }";
  const char* all_wait =
      "__global__ void k(unsigned n) { if (__popc(n) <= 32 + (int)threadIdx.x) "
      "__syncthreads(); }";
  const char* all_lanes =
      "__global__ void k(int n) { float f = n; if (f * f >= "
      "-(float)threadIdx.x) __syncthreads(); }";
  const char* set =
      "__global__ void k(int n, int* o) { int x; float f = n; if (f >= 0) x = 3; "
      "o[threadIdx.x] = x; }";
  check_rows({{"a.cu", at_most, kSome, "possible uninitialized", ",error"},
              {"a.cu", all_wait, kSome, "possible divergence", ",error"},
              {"a.cu", all_lanes, kSome, "possible divergence", ",error"},
              {"a.cu", set, kSome, "", ",error"}});
}

TEST_CASE("kernel/doubts: what __builtin_assume says holds, and is named") {
  const char* kernel =
      "#include <assert.h>\n__global__ void k(int n, int* o) { __builtin_assume(n > 2); assert(n "
      "!= "
      "2); o[threadIdx.x] = 100 / n; }";
  const char* wrong =
      "#include <assert.h>\n__global__ void k(int n) { __builtin_assume(n > 2); "
      "assert(n != 3); }";
  const char* premise = "what __builtin_assume says holds";
  check_rows({{"a.cu", kernel, kSome, ",pass"},
              {"a.cu", kernel, kSome, premise},
              {"a.cu", kernel, "verify FILE", ",assertion,verified", "violated"},
              {"a.cu", wrong, kSome, ",error"}});
}

TEST_CASE("kernel/doubts: data that make an error sure are found") {
  const char* shift =
      "__global__ void k(unsigned n) { if (1u << (__popc(n) + 30) == 7) __trap(); }";
  const char* some_wait =
      "__global__ void k(unsigned n) { if (__popc(n) <= 2 + "
      "(int)threadIdx.x) __syncthreads(); }";
  const char* unset =
      "__global__ void k(int n, int* o) { int x; if (__popc(n) == 3) x = 1; "
      "o[threadIdx.x] = x; }";
  const char* sum =
      "__global__ void k(const float* a, float* o) { float s; for (int i = 0; i < 3; "
      "++i) s += a[i]; o[threadIdx.x] = s; }";
  const char* beyond =
      "__global__ void k(unsigned n, int* o) { int q[3]; q[0] = q[1] = q[2] = 1; "
      "o[threadIdx.x] = q[__popc(n)]; }";
  check_rows({{"a.cu", shift, kSome, ",error"},
              {"a.cu", some_wait, kSome, ",error"},
              {"a.cu", unset, kSome, ",error"},
              {"a.cu", sum, "check FILE --grid 1 --block 2 -m fair", ",error"},
              {"a.cu", beyond, kSome, ",error"}});
}
