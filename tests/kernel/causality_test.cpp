// PTX's causality order: an atomic write comes before what follows a read that observes it, and
// with it nothing else of its thread.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;

namespace {

constexpr const char* kBlocks = "check FILE --grid 2 --block 1 -m fair";
constexpr const char* kVerify = "verify FILE --grid 2 --block 1";

}  // namespace

TEST_CASE("kernel/causality: the last of several sets back what all have counted") {
  const char* last =
      "__device__ unsigned count;\n"
      "__global__ void k() { if (atomicAdd(&count, 1) == gridDim.x - 1) count = 0; }";
  // Who is the last one, and not where all have counted.
  const char* first =
      "__device__ unsigned count;\n"
      "__global__ void k() { if (atomicAdd(&count, 1) == 0) count = 0; }";
  const char* waits =
      "__global__ void k(volatile int* f) {\n"
      "  if (blockIdx.x == 0) *f = 1; else { while (*f == 0) {} *(int*)f = 0; } }";
  const char* by_another_thread =
      "__device__ unsigned count;\n"
      "__global__ void k() {\n"
      "  __shared__ bool last;\n"
      "  if (threadIdx.x == 0) last = atomicAdd(&count, 1) == gridDim.x - 1;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 1 && last) count = 0; }";
  // Without the barrier the other thread observes nobody.
  const char* too_soon =
      "__device__ unsigned count;\n"
      "__global__ void k() {\n"
      "  if (threadIdx.x == 0) atomicAdd(&count, 1);\n"
      "  if (threadIdx.x == 1) count = 0; }";
  check_rows(
      {{"a.cu", last, kBlocks, "pass", "race"},
       {"a.cu", last, kVerify, "race,verified"},
       {"a.cu", first, kBlocks, "race"},
       {"a.cu", first, kVerify, "race,violated"},
       {"a.cu", waits, "check FILE --grid 2 --block 1 -m fair --buffer f=1:zero", "pass", "race"},
       {"a.cu", by_another_thread, "check FILE --grid 2 --block 2 -m fair", "pass", "race"},
       {"a.cu", by_another_thread, "verify FILE --grid 2 --block 2", "race,verified"},
       {"a.cu", too_soon, "check FILE --grid 1 --block 2 -m fair", "race"},
       {"a.cu", too_soon, "verify FILE --grid 1 --block 2", "race,violated"}});
}

TEST_CASE("kernel/causality: what a thread did before a write that is observed is not ordered") {
  const char* data =
      "__device__ unsigned count; __device__ int data;\n"
      "__global__ void k() {\n"
      "  if (blockIdx.x == 0) data = 1;\n"
      "  if (atomicAdd(&count, 1) == 1 && blockIdx.x == 1) data = 2; }";
  const char* fenced =
      "__device__ unsigned count; __device__ int data;\n"
      "__global__ void k() {\n"
      "  if (blockIdx.x == 0) data = 1;\n"
      "  __threadfence();\n"
      "  const bool last = atomicAdd(&count, 1) == 1;\n"
      "  __threadfence();\n"
      "  if (last && blockIdx.x == 1) data = 2; }";
  // A write whose scope does not reach the reader is not observed.
  const char* narrow =
      "__device__ unsigned count;\n"
      "__global__ void k() { if (atomicAdd_block(&count, 1) == gridDim.x - 1) count = 0; }";
  // In between stands a plain write, which nobody observes.
  const char* covered =
      "#include <cuda/atomic>\n"
      "using R = cuda::atomic_ref<int, cuda::thread_scope_device>;\n"
      "__device__ int flag, data;\n"
      "__global__ void k() {\n"
      "  if (blockIdx.x == 0) { data = 1; R(flag).store(1, cuda::std::memory_order_release); }\n"
      "  if (blockIdx.x == 1 && R(flag).load(cuda::std::memory_order_relaxed) == 1) {\n"
      "    flag = 2; if (R(flag).load(cuda::std::memory_order_acquire) == 2) data = 2; } }";
  check_rows({{"a.cu", data, kBlocks, "race"},
              {"a.cu", fenced, kBlocks, "pass", "race"},
              {"a.cu", narrow, kBlocks, "race"},
              {"a.cu", covered, kBlocks, "'data'"}});
}

TEST_CASE("kernel/causality: it is PTX's, and neither C++'s nor OpenCL's") {
  const char* opencl =
      "kernel void k(global atomic_uint* count) {\n"
      "  if (atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) ==\n"
      "      get_num_groups(0) - 1) *(global uint*)count = 0; }";
  const char* cuda =
      "__device__ unsigned count;\n"
      "__global__ void k() { if (atomicAdd(&count, 1) == gridDim.x - 1) count = 0; }";
  const char* ptx =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 p) {\n"
      " .reg .u64 %a; .reg .u32 %x, %n; .reg .pred %q;\n"
      " ld.param.u64 %a, [p]; cvta.to.global.u64 %a, %a;\n"
      " atom.global.add.u32 %x, [%a], 1;\n"
      " setp.ne.u32 %q, %x, 1; @%q bra done;\n"
      " st.global.u32 [%a], 0;\n"
      "done: ret; }\n";
  check_rows(
      {{"a.cl", opencl, "check FILE --grid 2 --block 1 -m fair --buffer count=1:zero", "race"},
       {"a.cu", cuda, "check FILE --grid 2 --block 1 -m fair --fences c++", "race"},
       {"a.ptx", ptx, "check FILE --grid 2 --block 1 -m fair --buffer p=1:zero", "pass", "race"}});
}
