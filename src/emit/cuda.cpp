// A CUDA program. Its atomics are relaxed; a fence orders them.
#include <fmt/format.h>

#include "emit/emit.hpp"
#include "emit/program.hpp"

namespace headway::emit {
namespace {

constexpr Dialect kCuda = {
    .number = "{}u",
    .constant = "constexpr unsigned {} = {};",
    .value = "const unsigned {} = {};",
    .condition = "const bool {} = {};",
    .pc = "unsigned pc = 0u;",
    .loop = "while (true) {",
    .choice = "switch ({}) {{",
    .case_begin = "case {}:",
    .case_end = "  break;",
    .default_begin = "default:",
    .default_end = "",
    .select = "{} ? {} : {}",
    .cell = "memory[{}]",
    .load = "load(&{})",
    .load_rmw = "atomicOr(&{}, 0u)",
    .exchange = "atomicExch(&{}, {})",
    .store = "atomicExch(&{}, {});",
    .fence = "__threadfence();",
    .watch = "",
    .finish = "atomicAdd(finished, 1u);",
    .function = "__device__ void thread_{}(unsigned* memory, unsigned* finished) {{",
    .call = "thread_{}(own, finished);",
    .signed_number = "{}",
    .to_word = "unsigned({})",
    .to_signed = "int({})",
    .remainder = "{} % {}",
    .shift_count = "{}",
    .reg = "int {} = 0;",
    .unless = "if (!({})) {}",
    .violated = "atomicOr(finished, VIOLATED);",
    .add = "atomicAdd(&{}, {})",
    .subtract = "atomicSub(&{}, {})",
    .minimum = "atomicMin(&{}, {})",
    .maximum = "atomicMax(&{}, {})",
    .bit_and = "atomicAnd(&{}, {})",
    .bit_or = "atomicOr(&{}, {})",
    .bit_xor = "atomicXor(&{}, {})",
    .compare_exchange = "atomicCAS(&{}, {}, {})",
    // Compiles everywhere and at once, as <cuda/atomic> does not. Before compute capability 7.0
    // there was no memory model, and volatile loads were what looked at memory.
    .load_helper = R"([[maybe_unused]] __device__ unsigned load(const unsigned* word) {
  unsigned value;
#if __CUDA_ARCH__ >= 700
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
#else
  asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
#endif
  return value;
}
)",
};

constexpr std::string_view kCudaHost = R"(
unsigned* all_memory = nullptr;  // on the device, with the count of finished workgroups behind it

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  // What watchdogs of drivers do to kernels that run for too long.
  std::_Exit(error == cudaErrorLaunchTimeout ? 3 : 2);
}

void reset() {
  std::vector<unsigned> words;
  for (unsigned i = 0; i < INSTANCES * LOCATIONS; ++i) words.push_back(kInitial[i % LOCATIONS]);
  words.push_back(0);
  const size_t bytes = words.size() * sizeof(unsigned);
  check(cudaMemcpy(all_memory, words.data(), bytes, cudaMemcpyHostToDevice));
}

// Launches all workgroups. Returns whether they finish within `limit`.
bool run(Seconds limit) {
  const auto start = std::chrono::steady_clock::now();
  litmus<<<kWorkgroups, 1>>>(all_memory, all_memory + INSTANCES * LOCATIONS);
  check(cudaGetLastError());
  for (;;) {
    const cudaError_t state = cudaStreamQuery(nullptr);
    if (state == cudaSuccess) break;
    if (state != cudaErrorNotReady) check(state);
    if (std::chrono::steady_clock::now() - start > limit) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  unsigned finished = 0;
  check(cudaMemcpy(&finished, all_memory + INSTANCES * LOCATIONS, sizeof finished,
                   cudaMemcpyDeviceToHost));
  if (finished > kWorkgroups) {
    std::fprintf(stderr, "an assertion does not hold\n");
    std::_Exit(2);
  }
  if (finished != kWorkgroups) {
    std::fprintf(stderr, "%u of %u workgroups ran\n", finished, kWorkgroups);
    std::_Exit(2);
  }
  return true;
}

void describe() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  int driver = 0;
  check(cudaDriverGetVersion(&driver));
  std::printf("device: %s\ndriver: CUDA %d.%d\n", device.name, driver / 1000, driver % 1000 / 10);
  check(cudaMalloc(&all_memory, (INSTANCES * LOCATIONS + 1) * sizeof(unsigned)));
}
)";

}  // namespace

std::string emit_cuda(const Kernel& kernel) {
  std::string text = comment(
      kernel, "//",
      program_usage("nvcc -std=c++17 -O2 FILE -o litmus", "a workgroup is a block of one thread"));
  text += R"(
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

)";
  text += fmt::format("constexpr unsigned INSTANCES = {}u;\n", kernel.launch.instances);
  text += constants(kernel, kCuda);
  text += program_constants(kernel) + "\n";
  text += functions(kernel, kCuda);
  text += R"(
__global__ void litmus(unsigned* memory, unsigned* finished) {
  const unsigned group = blockIdx.x;
)";
  text += find_place(kernel, kCuda);
  text += "  unsigned* own = memory + instance * LOCATIONS;\n";
  text += call_thread(kernel, kCuda) + "}\n";
  text += kCudaHost;
  return text + program_main(kernel);
}

}  // namespace headway::emit
