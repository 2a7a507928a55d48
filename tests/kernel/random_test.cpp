// Random kernels of atomics, plain accesses, fences, barriers, branches and short waits: leaving
// out orders that make no difference changes neither what goes wrong nor how memory may end.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "kernel/clang/compile.hpp"
#include "kernel/machine/explore.hpp"
#include "kernel/machine/state_key.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/files.hpp"

namespace {

using namespace headway::kernel;

class KernelText {
 public:
  explicit KernelText(unsigned seed) : random_(seed) {}

  std::string kernel(int number) {
    std::string text =
        "__global__ void k" + std::to_string(number) + "(int* a, int* f) {\n  int r = 0;\n";
    const int count = 2 + pick(4);
    for (int i = 0; i < count; ++i) text += "  " + guarded();
    return text + "}\n";
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string place() { return std::to_string(pick(2)); }

  std::string statement() {
    switch (pick(9)) {
      case 0:
        return "atomicAdd(&f[" + place() + "], 1);";
      case 1:
        return "r = atomicAdd(&f[" + place() + "], 1);";
      case 2:
        return "atomicExch(&f[" + place() + "], threadIdx.x + 1);";
      case 3:
        return "r = atomicCAS(&f[" + place() + "], 0, 1);";
      case 4:
        return "a[threadIdx.x] = r + 1;";
      case 5:
        return "a[2] = r;";
      case 6:
        return "r = a[" + std::to_string(pick(3)) + "];";
      case 7:
        return "__threadfence();";
      default:
        return "if (r == 0) { atomicMax(&f[" + place() + "], 2); }";
    }
  }
  std::string guarded() {
    switch (pick(7)) {
      case 0:
        return "if (threadIdx.x == 0) { " + statement() + " }\n";
      case 1:
        return "__syncthreads();\n";
      case 2:
        return "if (threadIdx.x == 1) { while (atomicAdd(&f[" + place() + "], 0) == 0); " +
               statement() + " }\n";
      default:
        return statement() + "\n";
    }
  }

  std::mt19937 random_;
};

struct Seen {
  std::set<std::string> faults;
  std::set<std::vector<std::uint64_t>> ends;
  bool cycle = false, complete = false;
};

Seen look(const ReadKernels& read, const Function& function, bool reduce) {
  LaunchSpec spec;
  spec.grid = {1, 1, 1};
  spec.block = {3, 1, 1};
  spec.buffers["a"].content = spec.buffers["f"].content = BufferSpec::Content::zero;
  auto terms = std::make_unique<headway::smt::Context>();
  PreparedLaunch prepared = prepare_launch(*read.module, function, spec, *terms);
  const auto run =
      make_runnable(read.module, std::move(prepared.launch), std::move(terms), {}, {}, read.text);
  ExploreOptions options;
  options.reduce = reduce;
  options.all_faults = options.keep_ends = true;
  Exploration found = explore(*run->machine, options);
  Seen seen;
  for (const FoundFault& fault : found.faults) seen.faults.emplace(to_string(fault.fault.kind));
  for (const MachineState& end : found.ends) {
    std::vector<std::uint64_t> memory;
    for (Instance object = 0; object < 2; ++object) {
      for (std::uint64_t at = 0; at < 16; at += 4) {
        const auto* cell = end.memory.exact(object, at, 4);
        memory.push_back(cell == nullptr ? 0 : cell->bits);
      }
    }
    seen.ends.insert(std::move(memory));
  }
  seen.cycle = found.has_cycle;
  seen.complete = found.complete;
  return seen;
}

}  // namespace

TEST_CASE("kernel/random: leaving out orders changes neither faults nor results") {
  const char* more = std::getenv("HEADWAY_KERNELS_RANDOM");
  const int count = more == nullptr ? 120 : std::atoi(more);
  KernelText texts(20261122);
  std::string text;
  for (int i = 0; i < count; ++i) text += texts.kernel(i);
  Compiler compiler;
  const headway::testing::TemporaryFolder folder;
  const ReadKernels read =
      read_kernels(folder.write("random.cu", text), Side::device, {}, compiler);
  int racing = 0;
  int waiting = 0;
  int several = 0;
  for (const Function& function : read.module->functions) {
    const Seen reduced = look(read, function, true);
    const Seen full = look(read, function, false);
    CAPTURE(function.name);
    CHECK(reduced.faults == full.faults);
    CHECK(full.complete);
    CHECK(reduced.complete);
    // What follows a race depends on the order that it leaves open.
    if (full.faults.empty()) {
      CHECK(reduced.ends == full.ends);
      CHECK(reduced.cycle == full.cycle);
    }
    racing += full.faults.contains("race") ? 1 : 0;
    waiting += full.cycle ? 1 : 0;
    several += full.ends.size() > 1 ? 1 : 0;
  }
  // There is something to see.
  CHECK(racing > count / 10);
  CHECK(waiting > count / 20);
  CHECK(several > count / 10);
}
