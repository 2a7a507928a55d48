// Two writes of the same value do not race, whether they take place on unknown data or not.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;

namespace {

constexpr const char* kFour = "check FILE --grid 1 --block 4 -m fair";
constexpr const char* kFourBits =
    "check FILE --grid 1 --block 4 -m fair --buffer d=4:unknown(0..1)";

}  // namespace

TEST_CASE("kernel/same_writes: of several threads that unknown data let write") {
  const char* flag =
      "__global__ void k(const int* d, int* ch) { if (d[threadIdx.x] > 0) *ch = 1; }";
  const char* again =
      "__global__ void k(const int* d, int* s) {\n"
      "  int t = threadIdx.x; s[t] = 0; if (d[t / 2] == 1) { s[t] = 0; s[t + 1] = 0; } }";
  const char* in_turn =
      "__global__ void k(const int* d, int* ch) {\n"
      "  for (int r = 0; r < 2; ++r) {\n"
      "    if (d[threadIdx.x] > r) *ch = 1;\n"
      "    __syncthreads(); } }";
  const char* opencl =
      "kernel void k(global const int* d, global int* ch) { if (d[get_global_id(0)] > 0) *ch = 1; "
      "}";
  check_rows({{"a.cu", flag, kFour, "pass", "race"},
              {"a.cu", flag, kFourBits, "pass", "race"},
              {"a.cu", again, "check FILE --grid 1 --block 2 -m fair", "pass", "race"},
              {"a.cu", again, kFour, "pass", "race"},
              {"a.cu", in_turn, kFour, "pass", "race"},
              {"a.cl", opencl, kFour, "pass", "race"},
              {"a.cu", flag, "check FILE --grid 1 --block 4 -m fair --count-benign", "race"}});
}

TEST_CASE("kernel/same_writes: values that differ for some data race") {
  const char* own =
      "__global__ void k(const int* d, int* ch) { if (d[threadIdx.x] > 0) *ch = threadIdx.x; }";
  const char* last =
      "__global__ void k(const int* d, int* ch) {\n"
      "  if (d[threadIdx.x] > 0) *ch = threadIdx.x == 3 ? 2 : 1; }";
  const char* of_data =
      "__global__ void k(const int* d, int* ch) { if (d[threadIdx.x] > 0) *ch = d[threadIdx.x]; }";
  const char* read =
      "__global__ void k(const int* d, int* ch, int* o) {\n"
      "  if (d[threadIdx.x] > 0) *ch = 1;\n"
      "  if (threadIdx.x == 3) *o = *ch; }";
  check_rows({{"a.cu", own, kFour, "race"},
              {"a.cu", last, kFour, "race"},
              {"a.cu", of_data, kFour, "race"},
              {"a.cu", of_data, kFourBits, "pass", "race"},  // of those above 0 all are 1
              {"a.cu", read, kFour, "race"}});
}

TEST_CASE("kernel/same_writes: atomic accesses of two scopes are atomic to nobody in OpenCL") {
  const char* two =
      "kernel void k(global atomic_int* f, global int* o) {\n"
      "  if (get_global_id(0) == 0)\n"
      "    atomic_store_explicit(f, 1, memory_order_relaxed, memory_scope_all_svm_devices);\n"
      "  else o[0] = atomic_load_explicit(f, memory_order_relaxed, memory_scope_device); }";
  const char* one =
      "kernel void k(global atomic_int* f, global int* o) {\n"
      "  if (get_global_id(0) == 0)\n"
      "    atomic_store_explicit(f, 1, memory_order_relaxed, memory_scope_device);\n"
      "  else o[0] = atomic_load_explicit(f, memory_order_relaxed, memory_scope_device); }";
  check_rows({{"a.cl", two, "check FILE --grid 2 --block 1 -m fair", "race"},
              {"a.cl", two, "verify FILE --grid 2 --block 1", "race,violated"},
              {"a.cl", one, "check FILE --grid 2 --block 1 -m fair", "pass", "race"}});
}
