// CUDA programs with their host side, run as a whole, against what is known of them by hand.
#include "kernel/machine/host.hpp"

#include <doctest/doctest.h>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

// The kinds of fault that a program has, or "complete", "unsupported: ...".
std::string verdict(const std::string& text) {
  static Compiler compiler;
  const headway::testing::TemporaryFolder folder;
  const ReadProgram read = read_program(folder.write("program.cu", text), {}, compiler);
  HostOptions options;
  options.explore.all_faults = true;
  const HostResult result = run_host_program(*read.host, *read.device, options);
  std::string kinds;
  for (const HostFault& fault : result.faults) {
    kinds += (kinds.empty() ? "" : ",") + std::string(to_string(fault.fault.kind));
  }
  if (result.obstacle) return "obstacle: " + result.obstacle->fault.detail;
  if (!kinds.empty()) return kinds;
  return result.complete ? "complete" : "open";
}

const std::string kHead = R"(
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include <call_kernel.h>
#define N 8
__global__ void inc(int* a, int by) { a[threadIdx.x] += by; }
)";

std::string program(const std::string& body) {
  return kHead + "int main() {" + body + " return 0; }";
}

// Eight numbers there and back, with a kernel in between.
std::string there_and_back(const std::string& launch, const std::string& check) {
  return program(
      "int h[N]; int* d; for (int i = 0; i < N; i++) h[i] = i;"
      "cudaMalloc((void**)&d, N * sizeof(int));"
      "cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice);" +
      launch +
      "cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost);"
      "for (int i = 0; i < N; i++) assert(" +
      check + "); cudaFree(d);");
}

}  // namespace

TEST_CASE("kernel/host: what a kernel computes comes back to the host") {
  CHECK(verdict(there_and_back("inc<<<1, N>>>(d, 3);", "h[i] == i + 3")) == "complete");
  CHECK(verdict(there_and_back("inc<<<1, N>>>(d, 3);", "h[i] != 7")) == "assertion");
  CHECK(verdict(there_and_back("ESBMC_verify_kernel(inc, 1, N, d, 3);", "h[i] == i + 3")) ==
        "complete");
}

TEST_CASE("kernel/host: a launch of too many threads writes beyond the buffer") {
  CHECK(verdict(there_and_back("inc<<<1, N + 1>>>(d, 3);", "1")) == "bounds");
}

TEST_CASE("kernel/host: races and their absence") {
  const std::string body = "int* d; cudaMalloc((void**)&d, 4); k<<<1, 2>>>(d); cudaFree(d);";
  CHECK(verdict(kHead + "__global__ void k(int* d) { d[0] = threadIdx.x; } int main() {" + body +
                "}") == "race");
  CHECK(verdict(kHead + "__global__ void k(int* d) { atomicExch(d, 1); } int main() {" + body +
                "}") == "complete");
}

TEST_CASE("kernel/host: every outcome of a kernel is looked at") {
  const std::string text = kHead + R"(
    __global__ void k(int* d) { atomicExch(d, threadIdx.x + 1); }
    int main() {
      int h = 0; int* d;
      cudaMalloc((void**)&d, 4);
      cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
      k<<<1, 2>>>(d);
      cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
      assert(CHECKED);
      cudaFree(d);
    })";
  const auto with = [&](const std::string& checked) {
    std::string made = text;
    made.replace(made.find("CHECKED"), 7, checked);
    return verdict(made);
  };
  CHECK(with("h == 1 || h == 2") == "complete");
  CHECK(with("h == 1") == "assertion");
  CHECK(with("h == 2") == "assertion");
}

TEST_CASE("kernel/host: unknown values are any that the assumptions leave") {
  CHECK(verdict(program("int x = nondet_int(); __ESBMC_assume(x > 2); assert(x > 1);")) ==
        "complete");
  CHECK(verdict(program("int x = nondet_int(); __ESBMC_assume(x > 2); assert(x > 3);")) ==
        "assertion");
  CHECK(verdict(program("int x = rand() % 4; assert(x < 4 && x >= 0);")) == "complete");
}

TEST_CASE("kernel/host: copies of the wrong direction and size, and memory that is gone") {
  CHECK(verdict(program("int h[N]; int* d; cudaMalloc((void**)&d, 32); "
                        "cudaMemcpy(d, h, 32, cudaMemcpyDeviceToHost);")) == "bounds");
  CHECK(verdict(program("int h[N]; int* d; cudaMalloc((void**)&d, 32); "
                        "cudaMemcpy(d, h, 36, cudaMemcpyHostToDevice);")) == "bounds");
  CHECK(verdict(program("int* d; cudaMalloc((void**)&d, 32); cudaFree(d); cudaFree(d);")) ==
        "freed");
  CHECK(verdict(program("int* h = (int*)malloc(4); free(h); *h = 1;")) == "freed");
  CHECK(verdict(program("int* h = 0; *h = 1;")) == "null");
  CHECK(verdict(program("int* d; cudaMalloc((void**)&d, 32); *d = 1;")) == "bounds");
  CHECK(verdict(program("int h[N]; inc<<<1, 1>>>(h, 1);")) == "bounds");
}

TEST_CASE("kernel/host: variables of the device are reached by their symbols") {
  CHECK(verdict(kHead + R"(
    __device__ int x = 4;
    __constant__ int c;
    __global__ void k() { x = x + c; }
    int main() {
      int h = 3;
      cudaMemcpyToSymbol(c, &h, sizeof(int));
      k<<<1, 1>>>();
      cudaMemcpyFromSymbol(&h, x, sizeof(int));
      assert(h == 7);
    })") == "complete");
  CHECK(verdict(kHead +
                "__constant__ int c; __global__ void k(int* p) { *p = 1; } int main() { int* p; "
                "cudaGetSymbolAddress((void**)&p, c); k<<<1, 1>>>(p); }") == "constant");
}

TEST_CASE("kernel/host: strings are what the C library makes of them") {
  const auto with = [](const std::string& body) {
    return verdict("#include <string.h>\n" + program(body));
  };
  CHECK(with("char a[8] = \"warp\", b[16]; strcpy(b, a); strcat(b, \"size\");"
             "assert(strlen(b) == 8 && strcmp(b, \"warpsize\") == 0 && strcmp(a, b) < 0);"
             "assert(strncmp(a, b, 4) == 0 && strchr(b, 's') == b + 4 && !strchr(b, 'x'));"
             "assert(memcmp(a, b, 5) != 0); char* c = strdup(b); assert(c[7] == 'e'); free(c);"
             "strncpy(b, \"ab\", 8); assert(b[2] == 0 && b[7] == 0);") == "complete");
  CHECK(with("assert(strlen(\"four\") == 5);") == "assertion");
  CHECK(with("char a[4]; strcpy(a, \"four\");") == "bounds");
  CHECK(with("char a[4]; return strlen(a);") == "uninitialized");
}

TEST_CASE("kernel/host: what is not known is refused") {
  CHECK(verdict(kHead + "extern \"C\" int mystery(int*); int main() { int x; return mystery(&x); }")
            .starts_with("obstacle"));
}
