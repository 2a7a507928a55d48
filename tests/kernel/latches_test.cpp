// Latches and semaphores of libcu++, across workgroups.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"

using headway::testing::check_rows;

namespace {

constexpr const char* kTwoGroups = "check FILE --grid 2 --block 1 -m fair";

std::string latched(const char* first, const char* scope = "device") {
  return std::string("#include <cuda/latch>\n__device__ cuda::latch<cuda::thread_scope_") + scope +
         "> ready{1};\n__device__ int data;\n__global__ void k(int* o) {\n"
         "  if (blockIdx.x == 0) { " +
         first + " } else { ready.wait(); o[0] = data; }\n}\n";
}

std::string guarded(const char* end, const char* scope = "device") {
  return std::string(
             "#include <cuda/semaphore>\n__device__ cuda::binary_semaphore<cuda::thread_scope_") +
         scope + "> one{1};\n__global__ void k(int* c) { one.acquire(); *c += 1; " + end + " }\n";
}

}  // namespace

TEST_CASE("kernel/latches: who waits at a latch sees what came before it was counted down") {
  check_rows(
      {{"a.cu", latched("data = 1; ready.count_down();").c_str(), kTwoGroups, ",pass"},
       {"a.cu", latched("data = 1; ready.arrive_and_wait();").c_str(), kTwoGroups, ",pass"},
       {"a.cu", latched("ready.count_down(); data = 1;").c_str(), kTwoGroups, "race: line"},
       {"a.cu", latched("data = 1; ready.count_down();", "block").c_str(), kTwoGroups,
        "race: line"},
       {"a.cu", latched("data = 1;").c_str(), kTwoGroups, ",fail"},
       {"a.cu", latched("data = 1; ready.count_down(2);").c_str(), kTwoGroups, "assertion: line"}});
  const char* host =
      "#include <cuda/std/latch>\n__global__ void k(int* o) {\n"
      "  __shared__ cuda::std::latch* l; (void)l; o[0] = cuda::std::latch::max() > 0; }";
  check_rows({{"a.cu", host, "check FILE --grid 1 --block 1", ",pass"}});
}

TEST_CASE("kernel/latches: a semaphore of one is a lock") {
  check_rows({{"a.cu", guarded("one.release();").c_str(), kTwoGroups, ",pass"},
              {"a.cu", guarded("").c_str(), kTwoGroups, ",fail"},
              {"a.cu", guarded("one.release();", "block").c_str(), kTwoGroups, "race: line"},
              {"a.cu", guarded("one.release(2);").c_str(), kTwoGroups, "assertion: line"}});
  const char* items =
      "#include <cuda/semaphore>\n"
      "__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> items{0};\n"
      "__device__ int data[2];\n__global__ void k(int* o) {\n"
      "  if (blockIdx.x == 0) { data[0] = 1; data[1] = 2; items.release(2); }\n"
      "  else { items.acquire(); items.acquire(); o[0] = data[0] + data[1]; }\n}\n";
  check_rows({{"a.cu", items, kTwoGroups, ",pass"}});
}
