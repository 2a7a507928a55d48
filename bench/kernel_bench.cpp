// Visible steps a second of a decoupled look-back, the scan of which each block waits for those
// before it, in a launch of four blocks; compiled by clang before anything is measured.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "base/file.hpp"
#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"

namespace headway {
namespace {

// A block has said nothing (0), the sum of its own elements (1), or that of all so far (2).
constexpr const char* kLookBack = R"(
__device__ int own_sum[8], sum_so_far[8], said[8];
__global__ void scan(const int* in, int* out) {
  int block = blockIdx.x;
  int own = in[block];
  own_sum[block] = own;
  __threadfence();
  if (block > 0) atomicExch(&said[block], 1);
  int before = 0;
  for (int at = block - 1; at >= 0; at--) {
    int says;
    while ((says = atomicAdd(&said[at], 0)) == 0) {
    }
    __threadfence();
    if (says == 2) {
      before += sum_so_far[at];
      break;
    }
    before += own_sum[at];
  }
  sum_so_far[block] = before + own;
  __threadfence();
  atomicExch(&said[block], 2);
  out[block] = before + own;
}
)";

kernel::ReadKernels look_back() {
  std::string folder = (std::filesystem::temp_directory_path() / "headway-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const std::filesystem::path file = std::filesystem::path(folder) / "look-back.cu";
  write_file(file, kLookBack);
  kernel::Compiler compiler;
  kernel::ReadKernels result = kernel::read_kernels(file, kernel::Side::device, {}, compiler, {});
  std::filesystem::remove_all(folder);
  return result;
}

// With what happens before what, every order that matters.
void explore_look_back(benchmark::State& state) {
  const kernel::ReadKernels read = look_back();
  kernel::LaunchSpec spec;
  spec.grid = {static_cast<std::uint32_t>(state.range(0)), 1, 1};
  spec.block = {1, 1, 1};
  std::size_t steps = 0;
  std::size_t states = 0;
  for (auto _ : state) {
    const kernel::Analysis found =
        kernel::analyse(read.module, read.module->functions.front(), spec, read.text, {});
    if (!found.exploration.complete || !found.exploration.faults.empty()) {
      state.SkipWithError("not decided");
    }
    steps += found.exploration.steps;
    states = found.exploration.states;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(steps));
  state.counters["states"] = static_cast<double>(states);
}
BENCHMARK(explore_look_back)->Arg(4)->Arg(5)->Unit(benchmark::kMillisecond);

// The states that progress models see: without what happens before what, every order.
void step_look_back(benchmark::State& state) {
  const kernel::ReadKernels read = look_back();
  kernel::LaunchSpec spec;
  spec.grid = {static_cast<std::uint32_t>(state.range(0)), 1, 1};
  spec.block = {1, 1, 1};
  const kernel::Analysis found =
      kernel::analyse(read.module, read.module->functions.front(), spec, read.text, {});
  std::int64_t steps = 0;
  for (auto _ : state) {
    state.PauseTiming();  // a solver starts
    const std::unique_ptr<lang::Program> program = kernel::checker_program(found, spec);
    state.ResumeTiming();
    std::set<std::vector<lang::Word>> seen;
    std::vector<std::vector<lang::Word>> open(1, std::vector<lang::Word>(program->words()));
    program->initial(open.front().data());
    seen.insert(open.front());
    while (!open.empty()) {
      const std::vector<lang::Word> now = std::move(open.back());
      open.pop_back();
      for (int t = 0; t < program->threads(); ++t) {
        if (!program->running(now.data()).contains(t)) continue;
        std::vector<lang::Word> next(now.size());
        program->step(now.data(), t, next.data());
        ++steps;
        if (seen.insert(next).second) open.push_back(std::move(next));
      }
    }
  }
  state.SetItemsProcessed(steps);
}
BENCHMARK(step_look_back)->Arg(4)->Arg(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headway

BENCHMARK_MAIN();
