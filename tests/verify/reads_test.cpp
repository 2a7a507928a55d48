// Threads that read one place read the same, where nothing races: what one thread hands to all.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"
#include "support/shaders.hpp"

using headway::testing::check_rows;

namespace {

// Of more launches than could be looked at one by one.
constexpr const char* kOneBlock = "verify FILE --grid 1 --block any";

// Thread 0 draws a number for its block; `middle` stands between that and its use.
std::string draws(const std::string& middle, const std::string& use) {
  return "__global__ void k(int* total, int* out) {\n"
         "  __shared__ int base, a[32];\n"
         "  if (threadIdx.x == 0) base = atomicAdd(total, 32);\n  " +
         middle + "\n  " + use + "\n}\n";
}

const std::string kPlaces = "out[base + threadIdx.x] = 1;";
const std::string kLeaves =
    "if (base == 0) return;\n  a[threadIdx.x] = 1; __syncthreads();\n"
    "  out[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x];";

}  // namespace

TEST_CASE("verify/reads: what one thread hands to its block is the same for all of them") {
  const std::string places = draws("__syncthreads();", kPlaces);
  const std::string leaves = draws("__syncthreads();", kLeaves);
  check_rows({{"a.cu", places.c_str(), kOneBlock, ",race,verified"},
              {"a.cu", leaves.c_str(), kOneBlock, ",race,verified"},
              {"a.cu", leaves.c_str(), kOneBlock, ",divergence,verified"},
              {"a.cu", leaves.c_str(), "verify FILE --grid 1 --block any --no-rule reads",
               ",divergence,possible"}});
}

TEST_CASE("verify/reads: nothing is the same where it races, or differs") {
  const std::string open = draws("", kLeaves), open_places = draws("", kPlaces);
  const std::string own = draws("__syncthreads(); base = threadIdx.x;", kLeaves);
  const std::string differs =
      draws("__syncthreads(); if (a[threadIdx.x] == 1) return;", "__syncthreads();");
  const std::string again = draws(
      "__syncthreads(); int was = base; __syncthreads(); if (threadIdx.x == 0) base = 7;\n"
      "  __syncthreads(); if (threadIdx.x < 16) was = base;",
      "if (was == 7) return; __syncthreads();");
  for (const std::string* text : {&open, &own, &differs, &again}) {
    check_rows({{"a.cu", text->c_str(), kOneBlock, ",divergence,", ",divergence,verified"}});
  }
  check_rows({{"a.cu", open.c_str(), kOneBlock, ",race,", ",race,verified"},
              {"a.cu", open_places.c_str(), kOneBlock, ",race,", ",race,verified"},
              {"a.cu", own.c_str(), kOneBlock, ",race,", ",race,verified"}});
}

// The argument for equal reads knows no order but barriers of whole workgroups: lanes 0 to 7 read
// before they meet, and the others behind that.
TEST_CASE("verify/reads: threads that meet apart from their block read what they like") {
  const std::string apart =
      "__global__ void k(int* out) {\n  __shared__ int s;\n"
      "  if (threadIdx.x == 31) s = 0;\n  __syncwarp();\n"
      "  int v = 0;\n  for (int i = 0; i < 2; ++i) {\n"
      "    if ((threadIdx.x < 8) == (i == 0)) v = s;\n"
      "    __syncwarp();\n    if (i == 0 && threadIdx.x == 31) s = 1;\n    __syncwarp();\n  }\n"
      "  if (v == 1) return;\n  __syncthreads();\n  *out = 1;\n}\n";
  check_rows({{"a.cu", apart.c_str(), "verify FILE --grid 1 --block 32", ",divergence,",
               ",divergence,verified"}});
}

TEST_CASE("verify/reads: workgroupUniformLoad is uniform") {
  if (!headway::testing::compiles_wgsl()) return;
  const auto with = [](const char* load) {
    return std::string(
               "@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;\n"
               "@group(0) @binding(1) var<storage, read_write> c: array<u32>;\n"
               "var<workgroup> s: u32;\nvar<workgroup> a: array<u32, 32>;\n"
               "@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) l: u32) {\n"
               "  if (l == 0u) { s = atomicAdd(&n, 1u); }\n  let v = ") +
           load +
           ";\n  if (v == 0u) { return; }\n  a[l] = l; workgroupBarrier(); c[l] = a[l ^ 1u];\n}\n";
  };
  const std::string uniform = with("workgroupUniformLoad(&s)");
  check_rows({{"a.wgsl", uniform.c_str(), "verify FILE --grid 1", ",divergence,verified"},
              {"a.wgsl", uniform.c_str(), "verify FILE --grid 1", ",race,verified"}});
}
