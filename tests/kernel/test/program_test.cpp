// Launches as programs for the checker.
#include <doctest/doctest.h>

#include <atomic>
#include <map>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway;
using namespace headway::kernel;

namespace {

using Words = std::vector<lang::Word>;
using Way = std::vector<lang::Step>;

std::string described(const lang::Program& program, const Words& state) {
  std::string result = program.describe_memory(state.data());
  for (int t = 0; t < program.threads(); ++t) {
    result += "; " + program.describe_thread(state.data(), t);
    result += program.blocked(state.data()).contains(t) ? " (blocked)" : "";
  }
  return result;
}

// Walks through all states of a launch with one program, and to each of them with a new one, which
// has no step to remember; returns how many states there are.
std::size_t walk(const std::string& text, Size3 grid, Size3 block) {
  Compiler& compiler = headway::testing::shared_compiler();
  const testing::TemporaryFolder folder;
  const ReadKernels read =
      read_kernels(folder.write("kernel.cu", text), Side::device, {}, compiler);
  LaunchSpec spec;
  spec.grid = grid;
  spec.block = block;
  const Analysis found = analyse(read.module, read.module->functions.front(), spec, read.text, {});
  REQUIRE(found.exploration.has_cycle);
  const auto program = checker_program(found, spec);
  Words first(static_cast<std::size_t>(program->words()));
  program->initial(first.data());
  std::map<Words, Way> ways = {{first, {}}};
  std::vector<Words> open = {first};
  while (!open.empty()) {
    const Words state = open.back();
    open.pop_back();
    const Way way = ways.at(state);
    const auto fresh = checker_program(found, spec);
    Words there(state.size());
    fresh->initial(there.data());
    for (const lang::Step step : way) {
      Words next(there.size());
      fresh->step(there.data(), step, next.data());
      there = next;
    }
    CHECK(described(*program, state) == described(*fresh, there));
    for (int t = 0; t < program->threads(); ++t) {
      if (!program->running(state.data()).contains(t)) continue;
      const int choices = program->choices(state.data(), t);
      REQUIRE(choices == fresh->choices(there.data(), t));
      for (int c = 0; c < choices; ++c) {
        lang::Step step = t;
        step.choice = c;
        Words next(state.size());
        program->step(state.data(), step, next.data());
        Way longer = way;
        longer.push_back(step);
        if (ways.try_emplace(next, longer).second) open.push_back(next);
      }
    }
  }
  return ways.size();
}

}  // namespace

TEST_CASE("kernel/test/program: a step that was taken before leads where it would lead anew") {
  CHECK(walk("__device__ int flags[3];"
             "__global__ void k() {"
             "  int b = blockIdx.x;"
             "  if (b > 0) while (atomicAdd(&flags[b - 1], 0) == 0);"
             "  atomicExch(&flags[b], 1);"
             "}",
             {3, 1, 1}, {1, 1, 1}) > 8);
}

TEST_CASE(
    "kernel/test/program: steps that open barriers, or end threads for others, are not kept") {
  CHECK(walk("__device__ int arrived;"
             "__global__ void k() {"
             "  __shared__ int last;"
             "  if (threadIdx.x == 0) { last = atomicAdd(&arrived, 1); }"
             "  __syncthreads();"
             "  if (last == 0 && threadIdx.x == 1) while (atomicAdd(&arrived, 0) < 2);"
             "  __syncwarp();"
             "  if (threadIdx.x == 1) atomicAdd(&arrived, 1);"
             "}",
             {2, 1, 1}, {2, 1, 1}) > 20);
}

TEST_CASE("kernel/test/program: who follows an execution again stops where time is up") {
  Compiler& compiler = headway::testing::shared_compiler();
  const testing::TemporaryFolder folder;
  const ReadKernels read =
      read_kernels(folder.write("kernel.cu",
                                "__global__ void k(int* lock, int n) { __requires(n > 3);"
                                "while (atomicCAS(lock, 0, 1) != 0); atomicAdd(lock + 1, n);"
                                "atomicExch(lock, 0); }"),
                   Side::device, {}, compiler);
  LaunchSpec spec;
  spec.grid = {1, 1, 1};
  spec.block = {2, 1, 1};
  std::atomic<bool> stop = false;
  AnalysisOptions options;
  options.explore.stop = StopSigns(&stop, std::nullopt);
  const Analysis found =
      analyse(read.module, read.module->functions.front(), spec, read.text, options);
  REQUIRE(!found.exploration.standoffs.empty());
  const Standoff& standoff = found.exploration.standoffs.front();
  CHECK(subgroup_wait(*found.run->machine, standoff));
  stop = true;
  CHECK(!subgroup_wait(*found.run->machine, standoff));
  const MachineState state = state_behind(*found.run, standoff.start, standoff.trace);
  REQUIRE(state.fault);
  CHECK(state.fault->kind == FaultKind::limit);
}
