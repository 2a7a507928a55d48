// Threads that may change places: what is found with them put in order is what is found without,
// in fewer states, and errors are told of the threads that make them.
#include <doctest/doctest.h>

#include <set>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

Analysis explored_alike(const std::string& name, const std::string& body, Size3 grid, Size3 block,
                        bool reduce = true) {
  Compiler& compiler = headway::testing::shared_compiler();
  const headway::testing::TemporaryFolder folder;
  const auto path = folder.write(name, body);
  const ReadKernels read = read_kernels(path, Side::device, {}, compiler);
  REQUIRE(read.module->functions.size() == 1);
  LaunchSpec spec;
  spec.grid = grid;
  spec.block = block;
  for (const Parameter& parameter : read.module->functions.front().parameters) {
    spec.buffers[parameter.name].content = BufferSpec::Content::zero;
  }
  AnalysisOptions options;
  options.explore.reduce = reduce;
  options.explore.all_faults = true;
  return analyse(read.module, read.module->functions.front(), spec, read.text, options);
}

std::set<FaultKind> kinds_of(const Analysis& analysis) {
  std::set<FaultKind> result;
  for (const FoundFault& found : analysis.exploration.faults) result.insert(found.fault.kind);
  return result;
}

const std::string kLock =
    "__global__ void k(int* l, int* x) { while (atomicCAS(l, 0, 1) != 0); __threadfence(); "
    "x[0]++; __threadfence(); atomicExch(l, 0); }";

}  // namespace

TEST_CASE("kernel/symmetry: a lock of eight threads has hundreds of states") {
  const Analysis found = explored_alike("lock.cu", kLock, {2, 1, 1}, {4, 1, 1});
  CHECK(found.exploration.faults.empty());
  CHECK(found.exploration.complete);
  CHECK(found.exploration.has_cycle);
  CHECK(found.exploration.states < 1000);
  const Analysis some = explored_alike("lock.cu", kLock, {1, 1, 1}, {3, 1, 1});
  const Analysis all = explored_alike("lock.cu", kLock, {1, 1, 1}, {3, 1, 1}, false);
  CHECK(2 * some.exploration.states < all.exploration.states);
}

TEST_CASE("kernel/symmetry: what is found is what is found without it") {
  const struct {
    const char* what;
    std::string text;
  } kernels[] = {
      {"who is first",
       "__global__ void k(int* a, int* x) { int i = atomicAdd(a, 1); x[i] = i; "
       "assert(i < 2); }"},
      {"an id that was looked at",
       "__global__ void k(int* a, int* x) { x[threadIdx.x] = 1; "
       "while (atomicAdd(a, 1) < 2); }"},
      {"an id that is kept",
       "__global__ void k(int* a, int* x) { int i = threadIdx.x; "
       "atomicAdd(a, 1); if (i == 1) x[0] = 1; else x[1] = i; }"},
      {"an id behind a loop",
       "__global__ void k(int* a, int* x) { while (atomicAdd(a, 1) < 2); "
       "x[threadIdx.x / 2] = threadIdx.x; }"},
      {"memory of a block",
       "__global__ void k(int* a, int* x) { __shared__ int s; "
       "if (atomicAdd(a, 1) == 1) s = 1; __syncthreads(); x[blockIdx.x] = s; }"},
      {"a fence of a block",
       "__global__ void k(int* a, int* x) { while (atomicCAS(a, 0, 1) != 0); "
       "__threadfence_block(); x[0]++; __threadfence_block(); "
       "atomicExch(a, 0); }"},
  };
  for (const auto& kernel : kernels) {
    CAPTURE(kernel.what);
    for (const Size3& grid : {Size3{1, 1, 1}, Size3{2, 1, 1}}) {
      const Size3 block = {grid[0] == 1 ? 3U : 2U, 1, 1};
      const Analysis some = explored_alike("kernel.cu", kernel.text, grid, block);
      const Analysis all = explored_alike("kernel.cu", kernel.text, grid, block, false);
      CHECK(kinds_of(some) == kinds_of(all));
      CHECK(some.exploration.has_cycle == all.exploration.has_cycle);
      CHECK(some.exploration.complete);
      CHECK(all.exploration.complete);
    }
  }
}

TEST_CASE("kernel/symmetry: an error is an execution of the threads that it names") {
  const Analysis found =
      explored_alike("kernel.cu",
                     "__global__ void k(int* a, int* x) { if (atomicAdd(a, 1) < 3) return; "
                     "x[threadIdx.x] = 1; assert(threadIdx.x != 2); }",
                     {1, 1, 1}, {4, 1, 1});
  REQUIRE(found.exploration.faults.size() == 1);
  const FoundFault& fault = found.exploration.faults.front();
  CHECK(fault.fault.thread == 2);
  Script script = fault.start;
  MachineState state = found.run->machine->initial(script);
  for (const TraceStep& step : fault.trace) {
    REQUIRE(!state.fault);
    Script taken = step.script;
    found.run->machine->step(state, step.thread, taken);
  }
  REQUIRE(state.fault);
  CHECK(state.fault->kind == FaultKind::assertion);
  CHECK(state.fault->thread == 2);
}

TEST_CASE("kernel/symmetry: what a compare-and-swap expects is a register") {
  const Analysis found = explored_alike("lock.cl", R"(
    kernel void k(global atomic_int* l, global int* x) {
      int expected = 0;
      while (!atomic_compare_exchange_strong_explicit(l, &expected, 1, memory_order_acquire,
                                                      memory_order_relaxed, memory_scope_device)) {
        expected = 0;
      }
      x[0]++;
      atomic_store_explicit(l, 0, memory_order_release, memory_scope_device);
    })",
                                        {2, 1, 1}, {4, 1, 1});
  CHECK(found.exploration.faults.empty());
  CHECK(found.exploration.complete);
  CHECK(found.exploration.states < 1000);
}
