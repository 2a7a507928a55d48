// CUDA programs with their host side, run as a whole, against what is known of them by hand.
#include "kernel/machine/host.hpp"

#include <doctest/doctest.h>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

// The kinds of fault that a program has, or "complete", "unsupported: ...".
std::string verdict(const std::string& text) {
  Compiler& compiler = headway::testing::shared_compiler();
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
  if (result.open_loop) return "open loop";
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

TEST_CASE("kernel/host: what goes wrong in a launch names the line of the launch") {
  Compiler& compiler = headway::testing::shared_compiler();
  const headway::testing::TemporaryFolder folder;
  const auto line = [&](const std::string& launch) {
    const ReadProgram read = read_program(
        folder.write("program.cu", kHead +
                                       "int main() {\n  int* d;\n  cudaMalloc((void**)&d, 4);\n" +
                                       launch + "  cudaFree(d);\n}\n"),
        {}, compiler);
    const HostResult result = run_host_program(*read.host, *read.device, {});
    REQUIRE(result.faults.size() == 1);
    return std::pair(result.faults[0].launched.line, result.faults[0].place.line);
  };
  CHECK(line("  inc<<<1, 2>>>(d, 1);\n") == std::pair(12, 8));
  CHECK(line("  int by = 1;\n  void* a[] = {&d, &by};\n"
             "  cudaLaunchKernel((void*)inc, dim3(1), dim3(2), a, 0, 0);\n") == std::pair(14, 8));
  // One that fails runs nothing: what is wrong is in main.
  CHECK(line("  inc<<<1, 2000>>>(d, 1);\n") == std::pair(0, 12));
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

TEST_CASE("kernel/host: unknown values have the widths of their own, whatever other ways draw") {
  // The second value is of one byte on the way that is looked at first, and of four on the other.
  CHECK(verdict(program("int c = nondet_int(); if (c == 7) { char d = nondet_char();"
                        "return d == 3; } int y = nondet_int(); if (c == 9) assert(y != 300);")) ==
        "assertion");
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

TEST_CASE("kernel/host: vectors, sizes that are not constant, and sorting are those of C++") {
  const auto with = [](const std::string& body) {
    return verdict("#include <vector>\n#include <limits>\n" + kHead +
                   "int order(const void* a, const void* b) { return *(int*)a - *(int*)b; }"
                   "int main() {" +
                   body + "}");
  };
  CHECK(with("std::vector<int> v{3, 1}; v.push_back(2); std::sort(v.begin(), v.end());"
             "assert(v.size() == 3 && v[0] == 1 && v[2] == 3);") == "complete");
  CHECK(with("std::vector<int> v(2); v.data()[2] = 1;") == "bounds");
  CHECK(with("int n = 3; int* a = new int[n]; a[2] = 1; delete[] a;") == "complete");
  CHECK(with("int n = 3; int* a = new int[n]; a[3] = 1; delete[] a;") == "bounds");
  CHECK(with("int a[3] = {3, 1, 2}; qsort(a, 3, sizeof(int), order); assert(a[0] == 1);"
             "assert(std::numeric_limits<int>::max() == 2147483647);") == "complete");
  CHECK(with("int* a = (int*)malloc(4); *a = 7; a = (int*)realloc(a, 8); assert(a[0] == 7);"
             "a[1] = 1; free(a);") == "complete");
}

TEST_CASE("kernel/host: what is read from the outside is unknown") {
  CHECK(
      verdict(program("int n; if (scanf(\"%d\", &n) != 1) return 1; if (n < 3) assert(n != 3);")) ==
      "complete");
  CHECK(verdict(program("int n; scanf(\"%d\", &n); assert(n != 3);")) == "assertion");
  CHECK(verdict(program("char text[8]; scanf(\"%7s\", text);")).starts_with("obstacle"));
}

TEST_CASE("kernel/host: loops that wait for the right input end at states that were seen") {
  CHECK(verdict(program("int c; do scanf(\"%d\", &c); while (c != 1 && c != 2);"
                        "assert(c == 1 || c == 2);")) == "complete");
  CHECK(verdict(program("int c; do scanf(\"%d\", &c); while (c != 1 && c != 2);"
                        "assert(c == 1);")) == "assertion");
  CHECK(verdict(program("int c = nondet_int(); while (c != 1) c = nondet_int();"
                        "assert(c == 1);")) == "complete");
  CHECK(verdict(program("int x; do x = rand() % 4; while (x != 2); assert(x == 2);")) ==
        "complete");
  CHECK(verdict(program("int sum = 0, x; while (scanf(\"%d\", &x) == 1) sum += x;")) == "complete");
  CHECK(verdict(program("int sum = 0, x; while (scanf(\"%d\", &x) == 1) sum += x;"
                        "assert(sum != 12345);")) == "assertion");
  CHECK(verdict(program("int a, b; do { scanf(\"%d\", &a);"
                        "do scanf(\"%d\", &b); while (b != a); } while (a != 7);"
                        "assert(b == 7);")) == "complete");
  // Of any two numbers the later one may be less.
  CHECK(verdict(program("int a = rand(), b; do b = rand(); while (b >= a);")) == "open loop");
}

TEST_CASE("kernel/host: what only later rounds of an input loop do is found") {
  // Three fives, and whatever else in between.
  CHECK(verdict(program("int a = 0, c; do { scanf(\"%d\", &c); assert(a != 3);"
                        "if (c == 5 && a < 3) { puts(\"\"); a++; } } while (c != 1);")) ==
        "assertion");
  CHECK(verdict(program("int a = 0, c; do { scanf(\"%d\", &c); assert(a != 4);"
                        "if (c == 5 && a < 3) { puts(\"\"); a++; } } while (c != 1);")) ==
        "complete");
  // Two fours, one after the other.
  CHECK(verdict(program("int p = 0, c; do { int q = p; scanf(\"%d\", &c); p = c;"
                        "assert(q != 4 || c != 4); } while (c != 1);")) == "assertion");
  // A value that a later round may not have, as the first one says what it is.
  CHECK(verdict(program("int first = nondet_int(), c; __ESBMC_assume(first < 3);"
                        "do scanf(\"%d\", &c); while (c != first); assert(c < 3);")) == "complete");
  CHECK(verdict(program("unsigned char a = nondet_uchar(); int b = a; while (nondet_int() != 1)"
                        "b = nondet_int(); assert(b < 256);")) == "assertion");
}

TEST_CASE("kernel/host: an input loop ends where some input to come ends it") {
  // No input ends it.
  CHECK(verdict(program("int c; do scanf(\"%d\", &c); while (c != 1 || c != 2);")) ==
        "termination");
  CHECK(verdict(program("int x; do x = rand() % 4; while (x != 4);")) == "termination");
  CHECK(verdict(program("int n = nondet_int(), m; while (n == 5) m = nondet_int();")) ==
        "termination");
  // None does where n is 5, though others end it: that much is not decided.
  CHECK(verdict(program("int n = nondet_int(), m = 1;"
                        "while (n == 5 || m == 1) m = nondet_int();")) == "open loop");
  // Assumptions may leave nothing of the ways that go on.
  CHECK(verdict(program("int y = nondet_int(); for (;;) { y = y + 1; __ESBMC_assume(y < 10);"
                        "if (nondet_int() == 7) y = 2; }")) == "open loop");
}

TEST_CASE("kernel/host: kernels within an input loop run once for each state they meet") {
  const auto with = [](const std::string& checked) {
    return verdict(
        program("int c, h; int* d; cudaMalloc((void**)&d, 4); do { scanf(\"%d\", &c);"
                "if (c == 2) { h = 0; cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);"
                "inc<<<1, 1>>>(d, 1); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);"
                "assert(" +
                checked + "); } } while (c != 0); cudaFree(d);"));
  };
  CHECK(with("h == 1") == "complete");
  CHECK(with("h == 2") == "assertion");
  // Whether the loop ends is up to the order of two threads each time.
  CHECK(verdict(kHead + R"(
    __global__ void k(int* d) { atomicExch(d, threadIdx.x); }
    int main() {
      int h; int* d; cudaMalloc(&d, 4);
      do { k<<<1, 2>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); } while (h != 1);
      cudaFree(d);
    })") == "open loop");
}

// Two streams `s` and `t`, an event `e`, two buffers of the device and one of the host.
std::string streams(const std::string& body) {
  return kHead + R"(
    __global__ void read(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x] + 1; }
    __global__ void draw(int* to) { atomicAdd(to, 1); }
    __global__ void maybe(int* to, int n) { if (n > 0) to[0] = n; }
    __constant__ int c[N];
    __global__ void read_constant(int* to) { to[0] = c[0]; }
    int main() {
      cudaStream_t s, t; cudaEvent_t e; int *a, *b, *p;
      cudaStreamCreate(&s); cudaStreamCreate(&t); cudaEventCreate(&e);
      cudaMalloc(&a, 32); cudaMalloc(&b, 32); cudaMallocHost(&p, 32);
      cudaMemset(a, 0, 32); cudaMemset(b, 0, 32); cudaDeviceSynchronize();
  )" + body +
         "cudaFree(a); cudaFree(b); cudaFreeHost(p); }";
}

TEST_CASE("kernel/host: kernels of two streams that touch different memory run beside each other") {
  CHECK(verdict(streams("inc<<<1, N, 0, s>>>(a, 1); inc<<<1, N, 0, t>>>(b, 2);"
                        "cudaDeviceSynchronize(); int h; cudaMemcpy(&h, b, 4,"
                        "cudaMemcpyDeviceToHost); assert(h == 2);")) == "complete");
  // Halves of one buffer.
  CHECK(verdict(streams("inc<<<1, 4, 0, s>>>(a, 1); inc<<<1, 4, 0, t>>>(a + 4, 2);")) ==
        "complete");
  CHECK(verdict(streams("inc<<<1, 5, 0, s>>>(a, 1); inc<<<1, 4, 0, t>>>(a + 4, 2);")) == "race");
  // Both read it.
  CHECK(verdict(streams("read<<<1, 4, 0, s>>>(b, a); read<<<1, 4, 0, t>>>(b + 4, a);")) ==
        "complete");
  CHECK(verdict(streams("read<<<1, 4, 0, s>>>(b, a); inc<<<1, 4, 0, t>>>(a, 1);")) == "race");
  CHECK(verdict(streams("inc<<<1, 4, 0, s>>>(a, 1); read<<<1, 4, 0, t>>>(b, a);")) == "race");
}

TEST_CASE("kernel/host: whose order makes a difference without a race is refused") {
  CHECK(verdict(streams("draw<<<1, 1, 0, s>>>(a); draw<<<1, 1, 0, t>>>(a);"))
            .starts_with("obstacle: atomic accesses"));
  // Writes of the same value.
  CHECK(verdict(streams("maybe<<<1, 1, 0, s>>>(a, 1); maybe<<<1, 1, 0, t>>>(a, 1);"))
            .starts_with("obstacle: kernels or copies"));
  CHECK(verdict(streams("maybe<<<1, 1, 0, s>>>(a, 1); maybe<<<1, 1, 0, t>>>(a, 2);")) == "race");
  // For some data.
  CHECK(verdict(streams("int n = nondet_int(); maybe<<<1, 1, 0, s>>>(a, n);"
                        "inc<<<1, 1, 0, t>>>(a, 1);"))
            .starts_with("obstacle: kernels or copies"));
  CHECK(verdict(streams("int n = nondet_int(); maybe<<<1, 1, 0, s>>>(a, n);"
                        "inc<<<1, 1, 0, t>>>(a + 1, 1);")) == "complete");
}

TEST_CASE("kernel/host: streams wait for events, the default stream and the host") {
  const auto between = [](const std::string& what) {
    return verdict(streams("inc<<<1, 4, 0, s>>>(a, 1);" + what + "read<<<1, 4, 0, t>>>(b, a);"));
  };
  CHECK(between("") == "race");
  CHECK(between("cudaStreamSynchronize(s);") == "complete");
  CHECK(between("cudaStreamSynchronize(t);") == "race");
  CHECK(between("cudaDeviceSynchronize();") == "complete");
  CHECK(between("cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);") == "complete");
  CHECK(between("cudaEventRecord(e, s); cudaEventSynchronize(e);") == "complete");
  // Of another stream, never recorded, recorded too early, or awaited by another stream.
  CHECK(between("cudaEventRecord(e, t); cudaStreamWaitEvent(t, e);") == "race");
  CHECK(between("cudaStreamWaitEvent(t, e);") == "race");
  CHECK(between("cudaEventRecord(e, s); inc<<<1, 4, 0, s>>>(a, 1);"
                "cudaStreamWaitEvent(t, e);") == "race");
  CHECK(between("cudaEventRecord(e, s); cudaStreamWaitEvent(s, e);") == "race");
  // By way of a third one.
  CHECK(between("cudaStream_t u; cudaStreamCreate(&u); cudaEventRecord(e, s);"
                "cudaStreamWaitEvent(u, e); cudaEventRecord(e, u); cudaStreamWaitEvent(t, e);") ==
        "complete");
  // What the default stream does is in order with the others, but for those that say otherwise.
  CHECK(between("inc<<<1, 1>>>(b + 4, 1);") == "complete");
  CHECK(verdict(streams("inc<<<1, 4, 0, s>>>(a, 1); read<<<1, 4>>>(b, a);")) == "complete");
  CHECK(verdict(streams("cudaStream_t u; cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);"
                        "inc<<<1, 4, 0, u>>>(a, 1); read<<<1, 4>>>(b, a);")) == "race");
}

TEST_CASE("kernel/host: asking whether a stream is done has both answers") {
  const auto with = [](const std::string& what) {
    return verdict(streams("inc<<<1, 4, 0, s>>>(a, 1); cudaEventRecord(e, s);" + what +
                           "read<<<1, 4, 0, t>>>(b, a);"));
  };
  CHECK(with("while (cudaStreamQuery(s) != cudaSuccess);") == "complete");
  CHECK(with("while (cudaEventQuery(e) != cudaSuccess);") == "complete");
  CHECK(with("cudaStreamQuery(s);") == "race");
  CHECK(with("if (cudaEventQuery(e) != cudaSuccess) return 0;") == "complete");
  CHECK(with("while (cudaStreamQuery(t) != cudaSuccess);") == "race");
}

TEST_CASE("kernel/host: copies go on beside the host where its memory is pinned") {
  CHECK(verdict(streams("cudaMemcpyAsync(p, a, 4, cudaMemcpyDeviceToHost, s);"
                        "assert(p[0] == 0);")) == "race");
  CHECK(verdict(streams("cudaMemcpyAsync(p, a, 4, cudaMemcpyDeviceToHost, s);"
                        "cudaStreamSynchronize(s); assert(p[0] == 0);")) == "complete");
  CHECK(verdict(streams("cudaMemcpyAsync(p, a, 4, cudaMemcpyDeviceToHost, s); p[1] = 1;")) ==
        "complete");
  CHECK(verdict(streams("int h; cudaMemcpyAsync(&h, a, 4, cudaMemcpyDeviceToHost, s);"
                        "assert(h == 0);")) == "complete");
  CHECK(verdict(streams("int h; cudaHostRegister(&h, 4, 0); h = 1;"
                        "cudaMemcpyAsync(a, &h, 4, cudaMemcpyHostToDevice, s); h = 2;")) == "race");
  CHECK(verdict(streams("inc<<<1, 4, 0, s>>>(a, 1);"
                        "cudaMemcpyAsync(p, a, 4, cudaMemcpyDeviceToHost, t);")) == "race");
  CHECK(verdict(streams("inc<<<1, 4, 0, s>>>(a, 1);"
                        "cudaMemcpyAsync(p, b, 4, cudaMemcpyDeviceToHost, t);")) == "complete");
  CHECK(verdict(streams("int h = 1; read_constant<<<1, 1, 0, s>>>(a);"
                        "cudaMemcpyToSymbolAsync(c, &h, 4, 0, cudaMemcpyHostToDevice, t);")) ==
        "race");
  CHECK(verdict(streams("cudaStream_t u; cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);"
                        "inc<<<1, 4, 0, u>>>(a, 1); cudaMemset(a, 0, 16);")) == "race");
}

TEST_CASE("kernel/host: threads race on memory of the host that the device reaches") {
  const std::string kernel = "__global__ void k(int* d) { d[0] = threadIdx.x; }";
  CHECK(verdict(kHead + kernel +
                "int main() { int* p; cudaMallocHost(&p, 4); k<<<1, 2>>>(p);"
                "cudaDeviceSynchronize(); cudaFreeHost(p); }") == "race");
}

TEST_CASE("kernel/host: rows are copied by their pitches") {
  const auto with = [](const std::string& width) {
    return verdict(
        program("int h[2][3]; char* d; size_t pitch; cudaMallocPitch((void**)&d, &pitch, 12, 2);"
                "for (int i = 0; i < 6; i++) h[i / 3][i % 3] = i;"
                "cudaMemcpy2D(d, pitch, h, 12, 12, 2, cudaMemcpyHostToDevice);"
                "inc<<<1, 3>>>((int*)(d + pitch), 1);"
                "cudaMemcpy2D(h, 12, d, pitch, " +
                width +
                ", 2, cudaMemcpyDeviceToHost);"
                "assert(h[0][2] == 2 && h[1][0] == 4 && h[1][2] == 6); cudaFree(d);"));
  };
  CHECK(with("12") == "complete");
  CHECK(with("8") == "assertion");
  CHECK(with("16") == "bounds");
}

TEST_CASE("kernel/host: bytes in words and bfloat16 are computed") {
  CHECK(verdict("#include <cuda_bf16.h>\n" + kHead + R"(
    __global__ void k(float* f, unsigned* u) {
      f[0] = __bfloat162float(__float2bfloat16(1.00390625f));  // a tie, to even
      f[1] = __bfloat162float(__float2bfloat16(1.01171875f));  // a tie, to even
      u[0] = __vadd4(0x01ff7f80u, 0x01010101u);
      u[1] = __vaddss4(0x01ff7f80u, 0x01010101u);
      u[2] = __vabsdiffu4(0x01020304u, 0x04030201u);
    }
    int main() {
      float* f; unsigned* u; float hf[2]; unsigned hu[3];
      cudaMalloc(&f, 8); cudaMalloc(&u, 12);
      k<<<1, 1>>>(f, u);
      cudaMemcpy(hf, f, 8, cudaMemcpyDeviceToHost);
      cudaMemcpy(hu, u, 12, cudaMemcpyDeviceToHost);
      assert(hf[0] == 1.0f && hf[1] == 1.015625f);
      assert(hu[0] == 0x02008081u && hu[1] == 0x02007f81u && hu[2] == 0x03010103u);
    })") == "complete");
}

// A kernel that sets a word to 1, launched as `launch` says; then `after` of the result `r`.
std::string launched(const std::string& kernel, const std::string& launch,
                     const std::string& after) {
  return verdict("#include <cooperative_groups.h>\n" + kHead + kernel +
                 "int main() { int *d, r = 0; cudaMalloc(&d, 16); cudaMemset(d, 0, 16);" + launch +
                 "cudaMemcpy(&r, d, 4, cudaMemcpyDeviceToHost); cudaFree(d);" + after + "}");
}

TEST_CASE("kernel/host: a launch that no device takes runs nothing, and gives an error") {
  const std::string set =
      "__global__ void set(int* d) { if (threadIdx.x == 0) d[0] = 1; }"
      "extern __shared__ int s[];"
      "__global__ __launch_bounds__(32) void small(int* d) { d[0] = 1; }"
      "__global__ void wide(int* d) { __shared__ int t[8192]; t[0] = 1;"
      " d[0] = t[0]; }";
  const auto with = [&](const std::string& launch, const std::string& after) {
    return launched(set, launch, after);
  };
  for (const std::string launch :
       {"set<<<1, dim3(1, 1, 65)>>>(d);", "set<<<1, 1025>>>(d);", "set<<<1, dim3(33, 32)>>>(d);",
        "set<<<dim3(1, 65536), 1>>>(d);", "set<<<dim3(1, 1, 65536), 1>>>(d);", "set<<<0, 1>>>(d);",
        "set<<<1, 1, 49153>>>(d);", "small<<<1, 33>>>(d);", "wide<<<1, 1, 16385>>>(d);"}) {
    CAPTURE(launch);
    CHECK(with(launch, "assert(r == 0);") == "bounds");  // nobody has asked
    CHECK(with(launch + "if (cudaGetLastError() != cudaSuccess) r = 1;"
                        "assert(cudaGetLastError() == cudaSuccess);",
               "assert(r == 0);") == "complete");
  }
  const std::string wide = "set<<<1, 1025>>>(d);";
  CHECK(with(wide, "assert(r == 1);") == "assertion");
  CHECK(with(wide + "if (cudaGetLastError() == cudaSuccess) return 1;", "assert(r == 1);") ==
        "assertion");
  CHECK(with(wide + "cudaPeekAtLastError(); assert(cudaGetLastError() != cudaSuccess);", "") ==
        "complete");
  for (const std::string launch :
       {"set<<<1, dim3(1, 1, 64)>>>(d);", "set<<<1, 1, 49152>>>(d);", "small<<<1, 1>>>(d);",
        "wide<<<1, 1, 16384>>>(d);",
        "cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);"
        "set<<<1, 1, 65536>>>(d);"}) {
    CAPTURE(launch);
    CHECK(with(launch, "assert(r == 1);") == "complete");
  }
  CHECK(with("cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000);"
             "set<<<1, 1, 50001>>>(d);",
             "") == "bounds");
  CHECK(with("assert(cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize,"
             "1 << 20) != cudaSuccess);",
             "") == "complete");
}

TEST_CASE("kernel/host: the grid meets in cooperative launches alone") {
  const std::string meet =
      "__global__ void meet(int* d) { atomicAdd(d + 1, 1);"
      "cooperative_groups::this_grid().sync(); if (blockIdx.x == 0) d[0] = d[1]; }";
  const auto with = [&](const std::string& groups, const std::string& after) {
    return launched(meet,
                    "void* all[] = {&d}; " + groups +
                        "cudaLaunchCooperativeKernel((void*)meet, dim3(n), dim3(1), all);",
                    after);
  };
  CHECK(launched(meet, "meet<<<2, 1>>>(d);", "") == "divergence");
  CHECK(with("int n = 2;", "assert(r == 2);") == "complete");
  // A device may have too little room.
  CHECK(with("int n = 3;", "") == "bounds");
  CHECK(launched(meet,
                 "void* all[] = {&d}; if (cudaLaunchCooperativeKernel((void*)meet, dim3(3),"
                 "dim3(1), all) != cudaSuccess) { cudaFree(d); return 0; }",
                 "assert(r == 3);") == "complete");
  CHECK(with("int n; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, meet, 1, 0); n *= 2;",
             "assert(r == 2);") == "complete");
}

TEST_CASE("kernel/host: a copy between places of the device goes on beside the host") {
  const std::string more = "cudaStream_t u; cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);";
  const std::string reads = "inc<<<1, 4, 0, u>>>(b, 1);";
  CHECK(verdict(streams(more + "cudaMemcpy(b, a, 16, cudaMemcpyDeviceToDevice);" + reads)) ==
        "race");
  CHECK(verdict(streams(more +
                        "cudaMemcpy(b, a, 16, cudaMemcpyDeviceToDevice);"
                        "cudaDeviceSynchronize();" +
                        reads)) == "complete");
  // Of memory that is not pinned the host waits until it has been read, of other memory longer.
  CHECK(verdict(streams(more + "int h[4] = {}; cudaMemcpy(b, h, 16, cudaMemcpyHostToDevice);" +
                        reads)) == "race");
  CHECK(verdict(streams(more +
                        "p[0] = p[1] = p[2] = p[3] = 0;"
                        "cudaMemcpy(b, p, 16, cudaMemcpyHostToDevice);" +
                        reads)) == "complete");
  CHECK(verdict(streams("int h[4] = {}; cudaMemcpy(b, h, 16, cudaMemcpyHostToDevice);"
                        "inc<<<1, 4>>>(b, 1);")) == "complete");
  CHECK(verdict(program("int* m; cudaMallocManaged(&m, 4); cudaMemset(m, 0, 4); assert(*m == 0);"
                        "cudaFree(m);")) == "complete");
}

TEST_CASE("kernel/host: what a program made is gone behind a reset") {
  const auto with = [](const std::string& body) {
    return verdict(kHead +
                   "__device__ int x = 5, *q = &x; __global__ void set() { x = 1; q = 0; }"
                   "__global__ void read(int* to) { to[0] = *q; } int main() {" +
                   body + "}");
  };
  CHECK(with("int r; set<<<1, 1>>>(); cudaDeviceReset(); cudaMemcpyFromSymbol(&r, x, 4);"
             "assert(r == 5);") == "complete");
  CHECK(with("int r; set<<<1, 1>>>(); cudaMemcpyFromSymbol(&r, x, 4); assert(r == 5);") ==
        "assertion");
  CHECK(with("int *d, r; set<<<1, 1>>>(); cudaDeviceReset(); cudaMalloc(&d, 4);"
             "read<<<1, 1>>>(d); cudaMemcpy(&r, d, 4, cudaMemcpyDeviceToHost); assert(r == 5);") ==
        "complete");
  CHECK(with("int *d; cudaMalloc(&d, 4); cudaDeviceReset(); cudaMemset(d, 0, 4);") == "freed");
  CHECK(with("cudaStream_t s; cudaStreamCreate(&s); cudaDeviceReset(); set<<<1, 1, 0, s>>>();") ==
        "freed");
}

TEST_CASE("kernel/host: streams and events that are destroyed are not used") {
  CHECK(verdict(streams("cudaStreamDestroy(s); inc<<<1, 1, 0, s>>>(a, 1);")) == "freed");
  CHECK(verdict(streams("cudaStreamDestroy(s); cudaStreamSynchronize(s);")) == "freed");
  CHECK(verdict(streams("cudaStreamDestroy(s); cudaStreamDestroy(s);")) == "freed");
  CHECK(verdict(streams("cudaEventDestroy(e); cudaEventRecord(e, s);")) == "freed");
  // What it has begun goes on.
  CHECK(verdict(streams("inc<<<1, 4, 0, s>>>(a, 1); cudaStreamDestroy(s);"
                        "read<<<1, 4, 0, t>>>(b, a);")) == "race");
}

TEST_CASE("kernel/host: memory is given back as it was made") {
  for (const std::string body :
       {"int* p = (int*)malloc(4); delete p;", "int* p = new int; free(p);",
        "int* p = new int[2]; delete p;", "int* p = new int; delete[] p;",
        "int* p = (int*)malloc(4); cudaFreeHost(p);", "int* p; cudaMallocHost(&p, 4); free(p);",
        "int* p; cudaMallocHost(&p, 4); cudaFree(p);",
        "int* p; cudaMalloc(&p, 4); cudaFreeHost(p);",
        "int* p = new int[2]; p = (int*)realloc(p, 8);"}) {
    CAPTURE(body);
    CHECK(verdict(program(body)) == "freed");
  }
}

TEST_CASE("kernel/host: an allocation may fail where somebody asks") {
  CHECK(verdict(program("int* d; if (cudaMalloc(&d, 4) != cudaSuccess) { d[0] = 1; }"
                        "else cudaFree(d);")) == "uninitialized");
  CHECK(verdict(program("int* d; if (cudaMalloc(&d, 4) != cudaSuccess) return 1; cudaFree(d);")) ==
        "complete");
  CHECK(verdict(program("int* h = (int*)malloc(4); if (!h) return *h; free(h);")) == "null");
  CHECK(verdict(program("int* h = (int*)malloc(4); *h = 1; free(h);")) == "complete");
  CHECK(verdict(program("int* d; cudaError_t e = cudaMalloc(&d, 4);"
                        "assert(cudaGetLastError() == e); if (!e) cudaFree(d);")) == "complete");
}

TEST_CASE("kernel/host: assumptions that nothing fulfils show nothing") {
  CHECK(verdict(program("int n = nondet_int(); __ESBMC_assume(n > 3); __ESBMC_assume(n < 2);"
                        "assert(0);"))
            .starts_with("obstacle: what is assumed"));
}

TEST_CASE("kernel/host: what is printed is read") {
  CHECK(verdict(program("char t[4] = {'a', 'b', 0}; printf(\"%d %5.2f %s%%\\n\", 1, 2.0, t);"
                        "puts(t); fprintf(stderr, \"%s\", t + 2);")) == "complete");
  CHECK(verdict(program("char t[2] = {'a', 'b'}; printf(\"%s\", t);")) == "bounds");
  CHECK(verdict(program("char t[4]; t[0] = 'a'; puts(t);")) == "uninitialized");
  CHECK(verdict(program("const char* t = 0; printf(\"%s\", t);")) == "null");
  CHECK(verdict(program("char* t = (char*)malloc(2); t[0] = 0; free(t); puts(t);")) == "freed");
  CHECK(verdict(program("int x; printf(\"%d\", x);")) == "uninitialized");
  CHECK(verdict(program("printf(\"%d %d\", 1);")) == "bounds");
  CHECK(verdict(program("int* d; cudaMalloc(&d, 4); printf(\"%d\", *d); cudaFree(d);")) ==
        "bounds");
  const std::string stream = "#include <iostream>\n";
  CHECK(verdict(stream + program("char t[2] = {'a', 0}; std::cout << t << 1 << \"b\\n\";")) ==
        "complete");
  CHECK(verdict(stream + program("char t[1] = {'a'}; std::cout << t << std::endl;")) == "bounds");
}
