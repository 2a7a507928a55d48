// A CUDA program. Its atomics are relaxed; a fence orders them.
#include <fmt/format.h>

#include <algorithm>

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

// The same where threads are in groups.
constexpr Dialect cuda_in_groups() {
  Dialect dialect = kCuda;
  dialect.cell = "t.memory[{}]";
  dialect.group_cell = "t.group_memory[{}]";
  dialect.violated = "atomicOr(t.finished, VIOLATED);";
  dialect.reg = "[[maybe_unused]] int {} = 0;";
  dialect.id = "t.{}";
  dialect.parameters = "[[maybe_unused]] const Thread& t";
  dialect.arguments = "t";
  dialect.parameter = "int {}";
  dialect.function_void = "__device__ void {}({}) {{";
  dialect.function_value = "__device__ int {}({}) {{";
  dialect.temporary = "[[maybe_unused]] const int {} = {};";
  dialect.array = "[[maybe_unused]] int {}[{}] = {{}};";
  dialect.cases_begin = "{} {{";
  dialect.case_label = "case {}:";
  dialect.default_label = "default:";
  dialect.case_separator = " ";
  dialect.workgroup_barrier = "__syncthreads();";
  dialect.named_barrier = "named_barrier<{1}>();";
  dialect.subgroup_barrier = "__syncwarp(kLanes);";
  dialect.grid_barrier = "cooperative_groups::this_grid().sync();";
  dialect.operations = {
      R"(__device__ int subgroup_all(const Thread&, bool e) { return __all_sync(kLanes, e) != 0; }
)",
      R"(__device__ int subgroup_any(const Thread&, bool e) { return __any_sync(kLanes, e) != 0; }
)",
      R"(__device__ int subgroup_ballot(const Thread&, bool e) { return int(__ballot_sync(kLanes, e)); }
)",
      R"(__device__ int subgroup_broadcast(const Thread&, int value, int lane) {
  return __shfl_sync(kLanes, value, lane);
}
)",
      R"(__device__ int subgroup_shuffle(const Thread&, int value, int lane) {
  return __shfl_sync(kLanes, value, lane);
}
)",
      R"(__device__ int subgroup_elect(const Thread& t) {
  return t.lane == __ffs(int(__ballot_sync(kLanes, true))) - 1;
}
)"};
  return dialect;
}

// The lanes that a mask names need not stand at one instruction, and those that have ended do not
// count, since compute capability 7.0.
constexpr std::string_view kLanes = R"(#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "subgroups need a device of compute capability 7.0 or more"
#endif
constexpr unsigned kLanes = 0xffffffffu >> (kWarp - SUBGROUP_SIZE);
)";

// Threads may come to it at different statements, which __syncthreads() does not allow.
constexpr std::string_view kNamedBarrier = R"(template <unsigned number>
__device__ void named_barrier() {
  asm volatile("barrier.sync %0;" ::"n"(number) : "memory");
}

)";

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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// What runs on the host.
std::string cuda_host(const Kernel& kernel) {
  std::string text(kCudaHost);
  if (kernel.options.cooperative) {
    replace_all(text,
                "  litmus<<<kWorkgroups, 1>>>(all_memory, all_memory + INSTANCES * LOCATIONS);\n",
                R"(  unsigned* count = all_memory + INSTANCES * LOCATIONS;
  void* arguments[] = {&all_memory, &count};
  check(cudaLaunchCooperativeKernel(litmus, dim3(kWorkgroups), dim3(1), arguments));
)");
  }
  if (!kernel.groups) return text;
  replace_all(text, "kWorkgroups, 1>>>", "kWorkgroups, kBlock>>>");
  replace_all(text, "dim3(1)", "dim3(kBlock)");
  replace_all(text, "finished > kWorkgroups", "finished > kThreads");
  replace_all(text, "finished != kWorkgroups", "finished != kThreads");
  replace_all(text, "%u of %u workgroups ran\\n\", finished, kWorkgroups",
              "%u of %u threads ran\\n\", finished, kThreads");
  replace_all(text, "count of finished workgroups", "count of finished threads");
  if (!kernel.groups->has_final) return text;
  replace_all(text, "  return true;\n}\n", R"(  std::vector<unsigned> memory(INSTANCES * LOCATIONS);
  check(cudaMemcpy(memory.data(), all_memory, memory.size() * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
  for (unsigned m = 0; m < INSTANCES; ++m) {
    if (final_holds(&memory[m * LOCATIONS])) continue;
    std::fprintf(stderr, "the final condition does not hold\n");
    std::_Exit(2);
  }
  return true;
}
)");
  return "\n" + kernel.body->final_holds(kernel) + text;
}

// Subgroups that the program tells apart are warps; lanes that it does not use end at once.
std::string cuda_of_groups(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  const bool padded = groups.needs_subgroups();
  std::string text;
  if (padded) {
    text += "constexpr unsigned kWarp = 32u;\n";
    text += "constexpr unsigned kBlock = WORKGROUP_SIZE / SUBGROUP_SIZE * kWarp;\n";
  } else {
    text += "constexpr unsigned kBlock = WORKGROUP_SIZE;\n";
  }
  if (groups.uses(BarrierUse::Scope::subgroup) || groups.operates()) text += kLanes;
  text += R"(
struct Thread {
  unsigned* memory;        // of the instance
  unsigned* group_memory;  // of the workgroup
  unsigned* finished;
  int tid, gid, lid, sid, lane;
};

)";
  const bool named =
      std::any_of(groups.barriers.begin(), groups.barriers.end(), [](const BarrierUse& barrier) {
        return barrier.places > 0 && !barrier.uniform &&
               barrier.scope == BarrierUse::Scope::workgroup;
      });
  if (named) text += kNamedBarrier;
  text += functions(kernel, cuda_in_groups());
  text += R"(
__global__ void litmus(unsigned* memory, unsigned* finished) {
  const unsigned group = blockIdx.x;
)";
  text += find_place(kernel, kCuda);
  if (!groups.locations.empty()) {
    text += "  __shared__ unsigned group_memory[GROUP_LOCATIONS];\n";
    text += "  if (threadIdx.x == 0u) {\n";
    for (std::size_t w = 0; w < groups.initial.size(); ++w) {
      text += fmt::format("    group_memory[{}] = {}u;\n", w, groups.initial[w]);
    }
    text += "  }\n  __syncthreads();\n";
  }
  text += padded ? R"(  const unsigned lane = threadIdx.x % kWarp;
  if (lane >= SUBGROUP_SIZE) return;
  const unsigned lid = threadIdx.x / kWarp * SUBGROUP_SIZE + lane;
)"
                 : "  const unsigned lid = threadIdx.x;\n";
  text += "  Thread t = {};\n  t.memory = memory + instance * LOCATIONS;\n";
  if (!groups.locations.empty()) text += "  t.group_memory = group_memory;\n";
  text += R"(  t.finished = finished;
  t.tid = int(group_id * WORKGROUP_SIZE + lid);
  t.gid = int(group_id);
  t.lid = int(lid);
  t.sid = int(lid / SUBGROUP_SIZE);
  t.lane = int(lid % SUBGROUP_SIZE);
)";
  return text + kernel.body->call_blocks(kernel, cuda_in_groups()) +
         "  atomicAdd(finished, 1u);\n}\n";
}

}  // namespace

std::string emit_cuda(const Kernel& kernel) {
  const std::string unit =
      !kernel.groups ? "a workgroup is a block of one thread"
      : kernel.groups->needs_subgroups()
          ? "a workgroup is a block and a subgroup a warp of it, or as much of one as it needs"
          : "a workgroup is a block";
  std::string text =
      comment(kernel, "//", program_usage("nvcc -std=c++17 -O2 FILE -o litmus", unit));
  if (kernel.groups && kernel.groups->uses(BarrierUse::Scope::grid)) {
    text += "\n#include <cooperative_groups.h>\n";
  }
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
  if (kernel.groups)
    return text + cuda_of_groups(kernel) + cuda_host(kernel) + program_main(kernel);
  text += functions(kernel, kCuda);
  text += R"(
__global__ void litmus(unsigned* memory, unsigned* finished) {
  const unsigned group = blockIdx.x;
)";
  text += find_place(kernel, kCuda);
  text += "  unsigned* own = memory + instance * LOCATIONS;\n";
  text += call_thread(kernel, kCuda) + "}\n";
  text += cuda_host(kernel);
  return text + program_main(kernel);
}

}  // namespace headway::emit
