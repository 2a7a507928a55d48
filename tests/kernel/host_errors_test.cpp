// Calls of host programs that may fail, where the program asks whether they did, and what answers
// about host programs take for granted.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckTwo;
using headway::testing::kVerifyTwo;

namespace {

constexpr const char* kRunMain = "check FILE --main";

// A program that copies a buffer back, with a way to look at errors.
std::string program(const char* checks, const char* body) {
  return std::string("#include <cassert>\n#include <cstdio>\n#include <cstdlib>\n") + checks +
         "\n__global__ void k(int* d) { d[threadIdx.x] = threadIdx.x; }\n"
         "int main() { int* d; int h[2] = {7, 7}; cudaMalloc(&d, sizeof h);\n" +
         body + "\n  for (int i = 0; i < 2; ++i) assert(h[i] == i); cudaFree(d); return 0; }";
}

}  // namespace

TEST_CASE(
    "kernel/host_errors: where a program asks whether a call failed, both ways are looked at") {
  const char* leaves = "#define CHECK(x) if ((x) != cudaSuccess) exit(1)";
  const char* goes_on = "#define CHECK(x) if ((x) != cudaSuccess) puts(\"failed\")";
  const char* asserts = "#define CHECK(x) assert((x) == cudaSuccess)";
  const char* nothing = "#define CHECK(x) x";
  const char* copy = "  k<<<1, 2>>>(d); CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));";
  const char* many =
      "  CHECK(cudaSetDevice(0)); CHECK(cudaMemset(d, 0, sizeof h)); k<<<1, 2>>>(d);\n"
      "  CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); cudaStream_t s;\n"
      "  CHECK(cudaStreamCreate(&s)); CHECK(cudaStreamSynchronize(s)); "
      "CHECK(cudaStreamDestroy(s));\n"
      "  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));";
  const char* device =
      "  int n = 0; CHECK(cudaGetDeviceCount(&n)); k<<<1, 2>>>(d);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);";
  const auto rows = [](const std::string& text, const char* says, const char* never = "\x01") {
    check_rows({{"a.cu", text.c_str(), kRunMain, says, never}});
  };
  rows(program(leaves, copy), "main,assertion,verified");
  rows(program(goes_on, copy), "main,assertion,violated", "assertion,verified");
  rows(program(asserts, copy), "main,assertion,violated", "assertion,verified");
  rows(program(nothing, copy), "main,assertion,verified");
  rows(program(leaves, many), "main,assertion,verified");
  rows(program(goes_on, many), "main,assertion,violated");
  rows(program(nothing, many), "main,assertion,verified");
  rows(program(leaves, device), "main,assertion,verified");
  rows(program(asserts, device), "main,assertion,violated");
  rows(program(nothing, device), "main,assertion,verified");
}

// Runs share what a launch does if they make the same choices before it, and only then.
TEST_CASE("kernel/host_errors: a launch does what its own run has made of memory") {
  const char* head =
      "#include <cassert>\n#include <cstdlib>\n"
      "__global__ void add(int* d, int n) { *d += n; }\n"
      "__global__ void draw(int* d) { d[1 + atomicAdd(d, 1)] = 10 + threadIdx.x; }\n"
      "int main() { int* d; int h[3] = {0, 0, 0}; cudaMalloc(&d, sizeof h);\n"
      "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n";
  const char* tail = "\n  cudaFree(d); return 0; }";
  const auto rows = [&](const std::string& body, const char* says) {
    const std::string text = head + body + tail;
    check_rows({{"a.cu", text.c_str(), kRunMain, says}});
  };
  const std::string copy = "cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);";
  // A choice in front of the launches, and between them.
  rows("int n = rand() % 3; int m = n; if (n == 2) m = 7; add<<<1, 1>>>(d, m);" + copy +
           "assert(h[0] == m);",
       "main,assertion,verified");
  rows("if (rand() % 2) add<<<1, 1>>>(d, 1); add<<<1, 1>>>(d, 2);" + copy +
           "assert(h[0] == 2 || h[0] == 3);",
       "main,assertion,verified");
  rows("if (rand() % 2) add<<<1, 1>>>(d, 1); add<<<1, 1>>>(d, 2);" + copy + "assert(h[0] == 2);",
       "main,assertion,violated");
  rows("add<<<1, 1>>>(d, 1); if (rand() % 2) add<<<1, 1>>>(d, 2); add<<<1, 1>>>(d, 4);" + copy +
           "assert(h[0] == 5 || h[0] == 7);",
       "main,assertion,verified");
  rows("add<<<1, 1>>>(d, 1); if (rand() % 2) add<<<1, 1>>>(d, 2); add<<<1, 1>>>(d, 4);" + copy +
           "assert(h[0] == 7);",
       "main,assertion,violated");
  // A launch with two ends, and one behind each.
  rows("draw<<<1, 2>>>(d); add<<<1, 1>>>(d + 1, 5);" + copy +
           "assert(h[0] == 2 && h[1] + h[2] == 26 && (h[1] == 15 || h[1] == 16));",
       "main,assertion,verified");
  rows("draw<<<1, 2>>>(d); add<<<1, 1>>>(d + 1, 5);" + copy + "assert(h[1] == 15);",
       "main,assertion,violated");
}

TEST_CASE("kernel/host_errors: pragmas of OpenMP, which count for nothing, are said") {
  check_rows({{"a.cu",
               "#include <omp.h>\n__global__ void k(int* d) { *d = 1; }\n"
               "int main() { int n = 0;\n#pragma omp parallel for\n"
               "  for (int i = 0; i < 2; ++i) n += i;\n"
               "  int* d; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaFree(d); return n - 1; }",
               kRunMain, "compiled without OpenMP"}});
}

TEST_CASE("kernel/host_errors: calls that nothing is known of leave the kernels beside them") {
  const char* text =
      "__global__ void k(int* d) { d[threadIdx.x] = 1; }\n"
      "int main() { cudaStream_t s; cudaGraph_t g; cudaStreamCreate(&s); int* d;\n"
      "  cudaMalloc(&d, 8); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
      "  k<<<1, 2, 0, s>>>(d); cudaStreamEndCapture(s, &g); cudaGraphDestroy(g); }";
  check_rows({{"a.cu", text, kVerifyTwo, ",race,verified"},
              {"a.cu", text, kRunMain, "a call of 'cudaStreamBeginCapture', of which nothing is"}});
  const char* driver =
      "#include <cuda.h>\n__global__ void k(int* d) { d[threadIdx.x] = 1; }\n"
      "int main() { CUdevice device; cuInit(0); cuDeviceGet(&device, 0); return 0; }";
  check_rows({{"a.cu", driver, kVerifyTwo, ",race,verified"}});
  const char* asks =
      "#include <cassert>\n__global__ void k(int* d) { *d = 1; }\n"
      "int main() { int mode = 7, pools = 7; cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
      "  cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0);\n"
      "  cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0);\n"
      "  assert(mode == 0 && pools == 0 && p.maxBlocksPerMultiProcessor == 1);\n"
      "  int* d; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaFree(d); }";
  check_rows({{"a.cu", asks, kRunMain, "main,assertion,verified"}});
}

TEST_CASE("kernel/host_errors: a call that waits has waited also where it fails") {
  const auto rows = [](const std::string& waits, const char* says) {
    const std::string text =
        "#include <cstdio>\n__global__ void k(int* d) { d[threadIdx.x] = 1; }\n"
        "int main() { int* d; cudaMallocManaged(&d, 64); cudaStream_t s; cudaStreamCreate(&s);\n"
        "  cudaEvent_t e; cudaEventCreate(&e); k<<<1, 2, 0, s>>>(d); cudaEventRecord(e, s);\n"
        "  cudaError_t error = " +
        waits +
        "; if (error != cudaSuccess) printf(\"%s\\n\", cudaGetErrorString(error));\n"
        "  printf(\"%d\\n\", d[0]); return 0; }";
    check_rows({{"a.cu", text.c_str(), kRunMain, says}});
  };
  for (const char* waits :
       {"cudaDeviceSynchronize()", "cudaStreamSynchronize(s)", "cudaEventSynchronize(e)"}) {
    rows(waits, "main,race,verified");
  }
  rows("cudaGetLastError()", "main,race,violated");
  rows("cudaStreamQuery(s)", "main,race,violated");
}

TEST_CASE("kernel/host_errors: several calls may fail in a run") {
  const auto with = [&](const char* claim) {
    return std::string(
               "#include <cassert>\n#include <cstdio>\n"
               "__global__ void k(int* d) { d[threadIdx.x] = threadIdx.x; }\n"
               "int main() { int* d; int h[2] = {7, 7}, g[2] = {7, 7}; cudaMalloc(&d, sizeof h);\n"
               "  k<<<1, 2>>>(d);\n"
               "  bool a = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess;\n"
               "  bool b = cudaMemcpy(g, d, sizeof g, cudaMemcpyDeviceToHost) == cudaSuccess;\n"
               "  bool c = cudaDeviceSynchronize() == cudaSuccess;\n") +
           claim + " cudaFree(d); return 0; }";
  };
  const std::string two = with("  assert(a || b);"), three = with("  assert(a || b || c);"),
                    right = with("  assert(!a || h[1] == 1); assert(!b || g[1] == 1);");
  // Too many that go on where one fails: then it is one, and said.
  std::string body = "  int bad = 0; k<<<1, 2>>>(d);\n";
  for (int i = 0; i < 12; ++i) {
    body += fmt::format("  if (cudaMemset(d + {}, 0, 4) != cudaSuccess) bad += {};\n", i % 2, i);
  }
  body += "  assert(bad < 66); h[0] = 0; h[1] = 1;";
  const std::string many = program("", body.c_str());
  constexpr const char* said = "of the calls that are asked, at most one fails in a run";
  check_rows({{"a.cu", two.c_str(), kRunMain, "main,assertion,violated", "assertion,verified"},
              {"a.cu", three.c_str(), kRunMain, "main,assertion,violated", "assertion,verified"},
              {"a.cu", right.c_str(), kRunMain, "main,assertion,verified", said},
              {"a.cu", many.c_str(), kRunMain, "main,assertion,verified"},
              {"a.cu", many.c_str(), kRunMain, said}});
}

TEST_CASE("kernel/host_errors: answers say what they take for granted, and nothing else") {
  const char* none = "#define CHECK(x) x";
  const char* leaves = "#define CHECK(x) if ((x) != cudaSuccess) exit(1)";
  const char* copy = "  k<<<1, 2>>>(d); CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));";
  const std::string plain = program(none, copy), asked = program(leaves, copy);
  const char* host = "int main() { return 0; }\n__global__ void k() {}";
  const char* properties =
      "#include <cassert>\n__global__ void k(int* d) { d[threadIdx.x] = 1; }\n"
      "int main(int argc, char** argv) { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
      "  int* d; cudaMalloc(&d, 8); k<<<1, p.warpSize / 16>>>(d); cudaFree(d); return argc - 1; }";
  const char* atomics =
      "__global__ void k(int* d) { atomicAdd(d, 1); atomicAdd(d + 1, 1); }\n"
      "int main() { int* d; cudaMalloc(&d, 8); cudaMemset(d, 0, 8); k<<<1, 2>>>(d); cudaFree(d); }";
  check_rows({{"a.cu", plain.c_str(), kRunMain, "calls that nobody asks succeed", "one device"},
              {"a.cu", plain.c_str(), kRunMain, "taken for granted", "atomic accesses"},
              {"a.cu", asked.c_str(), kRunMain, "main,assertion,verified", "taken for granted: of"},
              {"a.cu", asked.c_str(), kRunMain, "main,assertion,verified", "main without"},
              {"a.cu", host, kRunMain, "assertion,", "taken for granted"},
              {"a.cu", properties, kRunMain, "one device, of compute capability 7.0"},
              {"a.cu", properties, kRunMain, "main without arguments"},
              {"a.cu", atomics, kRunMain, "atomic accesses in one order for all threads"}});
}

TEST_CASE("kernel/host_errors: a grid is valid where the launch is cooperative") {
  const char* both =
      "#include <cassert>\n#include <cooperative_groups.h>\n"
      "__global__ void k(int* d) { auto g = cooperative_groups::this_grid();\n"
      "  if (g.is_valid()) { d[blockIdx.x] = 1; g.sync(); d[blockIdx.x ^ 1] = 2; }\n"
      "  else d[blockIdx.x] = 3; }\n"
      "int main() { int* d; int h[2]; cudaMalloc(&d, sizeof h); k<<<2, 1>>>(d);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); assert(h[0] == 3 && h[1] == 3);\n"
      "  void* a[] = {&d}; cudaLaunchCooperativeKernel((void*)k, dim3(2), dim3(1), a, 0, 0);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); assert(h[0] == 2 && h[1] == 2);\n"
      "  cudaFree(d); return 0; }";
  const char* alone =
      "#include <cassert>\n#include <cooperative_groups.h>\n"
      "__global__ void k() { assert(cooperative_groups::this_grid().is_valid()); }";
  check_rows({{"a.cu", both, kRunMain, "main,assertion,verified"},
              {"a.cu", both, kRunMain, "main,divergence,verified", "launches are cooperative"},
              {"a.cu", alone, kCheckTwo, "launches are cooperative"},
              {"a.cu", alone, kVerifyTwo, ",assertion,verified"}});
}

TEST_CASE("kernel/host_errors: which thread of a group is chosen is open") {
  const std::string head =
      "#include <assert.h>\n#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "__global__ void k(int* o) { __shared__ int s[8]; auto b = cg::this_thread_block();\n"
      "  auto t = cg::tiled_partition<4>(b); int i = t.meta_group_rank(); ";
  const std::string one = head + "cg::invoke_one(t, [&] { o[i] = threadIdx.x; }); }";
  const std::string of_block = head + "cg::invoke_one(b, [&] { o[0] = threadIdx.x; }); }";
  const std::string first = head + "cg::invoke_one(t, [&] { assert(t.thread_rank() == 0); }); }";
  const std::string twice = head +
                            "cg::invoke_one(t, [&] { s[i] = 1; });\n"
                            "  cg::invoke_one(t, [&] { o[i] = s[i]; }); }";
  const std::string synced = head +
                             "cg::invoke_one(t, [&] { s[i] = 1; }); t.sync();\n"
                             "  cg::invoke_one(t, [&] { o[i] = s[i]; }); }";
  const std::string told =
      head +
      "int r = cg::invoke_one_broadcast(t, [&] { return (int)t.thread_rank(); });\n"
      "  assert(r >= 0 && r < 4); if (t.thread_rank() == r) o[i] = threadIdx.x; }";
  constexpr const char* runs = "check FILE --grid 1 --block 8 -m fair";
  check_rows(
      {{"a.cu", one.c_str(), runs, ",pass"},
       {"a.cu", of_block.c_str(), runs, ",pass"},
       {"a.cu", first.c_str(), runs, "assertion: line", ",pass"},
       {"a.cu", twice.c_str(), runs, "race: line", ",pass"},
       {"a.cu", synced.c_str(), runs, ",pass"},
       {"a.cu", told.c_str(), runs, ",pass"},
       {"a.cu", one.c_str(), "verify FILE --grid 1 --block 8", ",race,verified"},
       {"a.cu", of_block.c_str(), "verify FILE --grid 1 --block 8", ",race,verified"},
       {"a.cu", first.c_str(), "verify FILE --grid 1 --block 8", ",assertion,",
        ",assertion,verified"},
       {"a.cu", twice.c_str(), "verify FILE --grid 1 --block 8", ",race,", ",race,verified"}});
}
