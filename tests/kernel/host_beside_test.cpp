// What a host and its kernels do beside each other and behind each other: memory of kernels that
// have ended, flags between the two, the default stream, copies.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

constexpr const char* kCheck = "check FILE";

}  // namespace

TEST_CASE("kernel/host_beside: variables of a kernel are gone when it has ended") {
  const char* local =
      "__device__ int* p;\n"
      "__global__ void k() { int x = 5; p = &x; }\n"
      "__global__ void r(int* o) { volatile int y = 9; *o = *p + y; }\n"
      "int main() { int* o; cudaMalloc(&o, 4); k<<<1, 1>>>(); r<<<1, 1>>>(o); cudaFree(o); }";
  const char* shared =
      "__device__ int* p;\n"
      "__global__ void k() { __shared__ int x; x = 5; p = &x; }\n"
      "__global__ void r(int* o) { __shared__ int y; y = 9; *o = *p + y; }\n"
      "int main() { int* o; cudaMalloc(&o, 4); k<<<1, 1>>>(); r<<<1, 1>>>(o); cudaFree(o); }";
  const char* stays =
      "__device__ int* p; __device__ int x;\n"
      "__global__ void k() { x = 5; p = &x; }\n"
      "__global__ void r(int* o) { *o = *p; }\n"
      "int main() { int* o; cudaMalloc(&o, 4); k<<<1, 1>>>(); r<<<1, 1>>>(o); cudaFree(o); }";
  check_rows({{"a.cu", local, kCheck, ",freed,violated"},
              {"a.cu", shared, kCheck, ",freed,violated"},
              {"a.cu", stays, kCheck, ",assertion,verified", ",violated"}});
}

TEST_CASE(
    "kernel/host_beside: a host and a kernel that synchronize while it runs are not followed") {
  const char* told =
      "#include <cuda/atomic>\n"
      "using R = cuda::atomic_ref<int, cuda::thread_scope_system>;\n"
      "__global__ void k(int* f) { R r(*f); while (r.load() == 0) {} }\n"
      "int main() { int* f; cudaMallocManaged(&f, 4); *f = 0; k<<<1, 1>>>(f); R(*f).store(1);\n"
      "  cudaDeviceSynchronize(); cudaFree(f); }";
  const char* mapped =
      "__global__ void k(volatile int* f) { while (*f == 0) {} }\n"
      "int main() { int* f; cudaMallocHost(&f, 4); *f = 0; k<<<1, 1>>>(f); *(volatile int*)f = 1;\n"
      "  cudaDeviceSynchronize(); cudaFreeHost(f); }";
  const char* tells =
      "#include <cassert>\n#include <cuda/atomic>\n"
      "using R = cuda::atomic_ref<int, cuda::thread_scope_system>;\n"
      "__global__ void k(int* f) { f[1] = 42; R(*f).store(1); }\n"
      "int main() { int* f; cudaMallocManaged(&f, 8); *f = 0; k<<<1, 1>>>(f);\n"
      "  while (R(*f).load() == 0) {} assert(f[1] == 42); cudaDeviceSynchronize(); cudaFree(f); }";
  // Nobody helps before the host waits.
  const char* alone =
      "__global__ void k(volatile int* f) { while (*f == 0) {} }\n"
      "int main() { int* f; cudaMallocManaged(&f, 4); *f = 0; k<<<1, 1>>>(f);\n"
      "  cudaDeviceSynchronize(); *f = 1; cudaFree(f); }";
  const char* says = "the host and a kernel that synchronize by";
  check_rows({{"a.cu", told, kCheck, says, ",violated"},
              {"a.cu", mapped, kCheck, says, ",violated"},
              {"a.cu", tells, kCheck, says, ",violated"},
              {"a.cu", alone, kCheck, ",termination,violated"}});
}

TEST_CASE(
    "kernel/host_beside: the default stream is a thread's own where the compiler is told so") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("p.cu",
                 "__global__ void w(int* a) { *a = 1; }\n"
                 "__global__ void r(int* a, int* b) { *b = *a; }\n"
                 "int main() { int *a, *b; cudaStream_t s; cudaStreamCreate(&s);\n"
                 "  cudaMalloc(&a, 4); cudaMalloc(&b, 4);\n"
                 "  w<<<1, 1, 0, s>>>(a); r<<<1, 1>>>(a, b); cudaDeviceSynchronize();\n"
                 "  cudaFree(a); cudaFree(b); }\n")
          .string();
  const auto races = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"check", file, "--format", "csv"});
    return contains(headway::testing::headway(options).out, ",race,violated");
  };
  CHECK(!races({}));
  CHECK(races({"-DCUDA_API_PER_THREAD_DEFAULT_STREAM"}));
  CHECK(races({"--flag=-fgpu-default-stream=per-thread"}));
  const std::string commands =
      folder
          .write(
              "commands.json",
              R"([{"directory": ")" + folder.path().string() +
                  R"(", "file": "p.cu", "command": "nvcc --default-stream per-thread -c p.cu"}])")
          .string();
  CHECK(races({"--compile-commands", commands}));
}

TEST_CASE("kernel/host_beside: what differs in variables of a kernel alone is one end of it") {
  // Which block draws which number is seen in their variables.
  const char* rounds =
      "__device__ unsigned drawn;\n"
      "__global__ void k(int* o) { __shared__ bool last;\n"
      "  if (threadIdx.x == 0) last = atomicInc(&drawn, 1) == 1;\n"
      "  __syncthreads(); if (last) atomicExch(o, 1); }\n"
      "int main() { int* o; cudaMalloc(&o, 4); for (int i = 0; i < 3; ++i) k<<<2, 1>>>(o);\n"
      "  cudaDeviceSynchronize(); cudaFree(o); }";
  check_rows({{"a.cu", rounds, kCheck, ",termination,verified", ",violated"}});
}

TEST_CASE("kernel/host_beside: what cudaMemcpy copies does not overlap where it goes") {
  const char* over =
      "int main() { int* a; cudaMalloc(&a, 32); cudaMemset(a, 0, 32);\n"
      "  cudaMemcpy(a + 1, a, 12, cudaMemcpyDeviceToDevice); cudaFree(a); }";
  const char* beside =
      "int main() { int* a; cudaMalloc(&a, 32); cudaMemset(a, 0, 32);\n"
      "  cudaMemcpy(a + 3, a, 12, cudaMemcpyDeviceToDevice); cudaFree(a); }";
  check_rows({{"a.cu", over, kCheck, ",bounds,violated"},
              {"a.cu", beside, kCheck, ",assertion,verified", ",violated"}});
}

TEST_CASE("kernel/host_beside: memory that something may still use is not given back") {
  const std::string start = "#include <cstdlib>\n__global__ void w(int* a) { *a = 1; }\n";
  const auto registered = [&](const char* end) {
    return start +
           "int main() { int* h = (int*)malloc(4); *h = 5; int* d; cudaMalloc(&d, 4);\n"
           "  cudaStream_t s; cudaStreamCreate(&s); cudaHostRegister(h, 4, 0);\n"
           "  cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s);\n" +
           end + "  cudaFree(d); cudaStreamDestroy(s); }";
  };
  const auto of_stream = [&](const char* end) {
    return start +
           "int main() { cudaStream_t s; cudaStreamCreate(&s); int* d;\n"
           "  cudaMallocAsync((void**)&d, 4, s); w<<<1, 1, 0, s>>>(d);\n" +
           end + "  cudaStreamDestroy(s); }";
  };
  const auto pinned = [&](const char* end) {
    return start + "int main() { int* h; cudaMallocHost(&h, 4); w<<<1, 1>>>(h);\n" + end + "}";
  };
  const auto row = [](const std::string& text, const char* says, const char* never = "\x01") {
    check_rows({{"a.cu", text.c_str(), kCheck, says, never}});
  };
  const char* wait = "  cudaDeviceSynchronize();\n";
  row(registered("  free(h);\n"), ",freed,violated");
  row(registered("  h = (int*)realloc(h, 8); free(h);\n"), ",freed,violated");
  row(registered("  cudaHostUnregister(h); *h = 6; free(h);\n"), "is unregistered while");
  row(registered("  *h = 6; free(h);\n"), ",race,violated");
  row(registered((wait + std::string("  cudaHostUnregister(h); free(h);\n")).c_str()),
      ",freed,verified", ",violated");
  row(of_stream("  cudaFree(d);\n"), ",freed,violated");
  row(of_stream("  cudaFreeAsync(d, s);\n"), ",freed,verified", ",violated");
  row(of_stream((wait + std::string("  cudaFree(d);\n")).c_str()), ",freed,verified", ",violated");
  row(pinned("  cudaFreeHost(h);\n"), ",freed,violated");
  row(pinned((wait + std::string("  cudaFreeHost(h);\n")).c_str()), ",freed,verified", ",violated");
}

TEST_CASE("kernel/host_beside: random numbers are made in the stream of their generator") {
  const auto program = [](const char* made_in, const char* read_in) {
    return std::string(
               "#include <curand.h>\n"
               "__global__ void rd(const float* a, float* o) { *o = *a; }\n"
               "int main() { float *a, *o; cudaMalloc(&a, 4); cudaMalloc(&o, 4);\n"
               "  cudaStream_t s, u; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
               "  cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking); curandGenerator_t g;\n"
               "  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(g, ") +
           made_in + ");\n  curandGenerateUniform(g, a, 1); rd<<<1, 1, 0, " + read_in +
           ">>>(a, o);\n"
           "  cudaDeviceSynchronize(); curandDestroyGenerator(g); cudaFree(a); cudaFree(o);\n"
           "  cudaStreamDestroy(s); cudaStreamDestroy(u); }";
  };
  const std::string same = program("s", "s"), other = program("s", "u");
  check_rows({{"a.cu", same.c_str(), kCheck, ",race,verified", ",violated"},
              {"a.cu", other.c_str(), kCheck, ",race,violated"}});
}

TEST_CASE("kernel/host_beside: what ends before its kernels says nothing of these") {
  const char* stops =
      "#include <cuda_runtime.h>\n__global__ void k() {}\nvoid f(void*) {}\n"
      "int main() { cudaLaunchHostFunc(0, f, nullptr); k<<<1, 1>>>(); }";
  check_rows({{"a.cu", stops, kCheck, "unsupported", "is not launched"}});
}
