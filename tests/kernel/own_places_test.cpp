// Threads that access a place each have one way to do so; those that may meet have all.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckTwo;

TEST_CASE("kernel/own_places: threads that store to a place each, once, have one way to do so") {
  // As a histogram clears its bins, where these are accessed atomically alone.
  const char* own = R"(
    __global__ void count(int* out) {
      __shared__ int bins[16];
      int t = threadIdx.x;
      atomicExch(&bins[t], t);
      __syncthreads();
      atomicAdd(&bins[15 - t], 1);
      __syncthreads();
      out[t] = atomicAdd(&bins[t], 0);
    })";
  // Who is last shows where they share one, and whoever goes round meets the others.
  const char* shared = R"(
    #include <assert.h>
    __global__ void k(int* out) {
      __shared__ int word[2];
      atomicExch(&word[0], threadIdx.x);
      __syncthreads();
      assert(atomicAdd(&word[0], 0) != 1);
    })";
  const char* again = R"(
    #include <assert.h>
    __global__ void k(int* out) {
      __shared__ int word[2];
      for (int i = 0; i < 2; ++i) atomicExch(&word[(threadIdx.x + i) % 2], threadIdx.x);
      __syncthreads();
      assert(atomicAdd(&word[0], 0) != 1 || atomicAdd(&word[1], 0) != 1);
    })";
  const char* few = "check FILE --grid 1 --block 16 -m fair --max-states 1000";
  check_rows({{"a.cu", own, few, ",pass"},
              {"a.cu", shared, kCheckTwo, "assertion: line"},
              {"a.cu", again, kCheckTwo, "assertion: line"}});
}
