// What of a kernel is computed to know what goes wrong and who waits: data that only go to memory
// are not, and what is found is found with and without them.
#include "kernel/machine/needed.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

ReadKernels read_kernel(const std::string& text) {
  Compiler& compiler = headway::testing::shared_compiler();
  const headway::testing::TemporaryFolder folder;
  return read_kernels(folder.write("k.cu", text), Side::device, {}, compiler);
}

// How many instructions of a kind there are, and how many of them are needed.
struct Needed {
  int all = 0, needed = 0;
  friend bool operator==(const Needed&, const Needed&) = default;
};

Needed count(const ReadKernels& read, Op op) {
  const Function& function = read.module->functions.front();
  const std::vector<bool> needed = needed_instructions(function, find_bases(function));
  Needed result;
  std::size_t number = 0;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op == op) {
        ++result.all;
        result.needed += needed[number] ? 1 : 0;
      }
      ++number;
    }
  }
  return result;
}

std::vector<std::string> faults_of(const std::string& text) {
  const ReadKernels read = read_kernel(text);
  LaunchSpec spec;
  spec.grid = {1, 1, 1};
  spec.block = {2, 1, 1};
  const Analysis found = analyse(read.module, read.module->functions.front(), spec, read.text, {});
  CHECK((found.exploration.complete || !found.exploration.faults.empty()));
  std::vector<std::string> result;
  for (const FoundFault& one : found.exploration.faults) {
    result.emplace_back(to_string(one.fault.kind));
  }
  return result;
}

}  // namespace

TEST_CASE("kernel/needed: data that only go to memory are not computed") {
  const ReadKernels read = read_kernel(
      "__global__ void k(const float* in, float* out) { int i = threadIdx.x;"
      "  out[i] = 2 * in[i] + 1; }");
  CHECK(count(read, Op::load) == Needed{1, 0});
  CHECK(count(read, Op::store) == Needed{1, 0});
  CHECK(count(read, Op::fmul) == Needed{1, 0});
  CHECK(count(read, Op::builtin) == Needed{1, 1});
}

TEST_CASE("kernel/needed: what comes to an address by memory is computed") {
  const ReadKernels read = read_kernel(
      "__global__ void k(const int* in, int* at, int* out) { int i = threadIdx.x;"
      "  at[i] = in[i]; __syncthreads(); out[at[i]] = in[i + 2]; }");
  CHECK(count(read, Op::load) == Needed{3, 2});
  CHECK(count(read, Op::store) == Needed{2, 1});
}

TEST_CASE("kernel/needed: what a branch, an update, a division or a claim asks for is computed") {
  for (const char* use :
       {"if (in[0] > 1) out[0] = 1;", "atomicAdd(out, in[0]);", "out[0] = 3 / in[0];",
        "assert(in[0] > 1);", "out[0] = in[in[0]];", "__builtin_memcpy(out, in + in[0], 4);"}) {
    CAPTURE(use);
    const ReadKernels read = read_kernel(
        std::string("#include <assert.h>\n__global__ void k(const int* in, int* out) { ") + use +
        " }");
    CHECK(count(read, Op::load).needed == 1);
  }
}

TEST_CASE("kernel/needed: two writes of data that are not computed race where the data differ") {
  const auto kernel = [](const std::string& value) {
    return "__global__ void k(const int* in, int* out) { out[0] = " + value + "; }";
  };
  CHECK(faults_of(kernel("in[0] * 2")).empty());
  CHECK(faults_of(kernel("in[threadIdx.x] * 2")) == std::vector<std::string>{"race"});
  CHECK(faults_of(kernel("in[threadIdx.x] * 0")).empty());
}

TEST_CASE("kernel/needed: accesses whose values nobody needs race, and leave buffers") {
  CHECK(faults_of("__global__ void k(float* out) {"
                  "  out[threadIdx.x] = out[(threadIdx.x + 1) % 2] * 3; }") ==
        std::vector<std::string>{"race"});
  CHECK(faults_of("__shared__ float s[2]; __global__ void k(float* out) {"
                  "  out[threadIdx.x] = s[threadIdx.x + 1]; }") ==
        std::vector<std::string>{"bounds"});
}

TEST_CASE("kernel/needed: where unknown data lead is left open for who may race with nobody") {
  const ReadKernels read = read_kernel(
      "__global__ void k(const int* at, const int* table, int* out) { int i = threadIdx.x;"
      "  out[i] = table[at[i] & 3]; }");
  LaunchSpec spec;
  spec.grid = {1, 1, 1};
  spec.block = {8, 1, 1};
  const Analysis found = analyse(read.module, read.module->functions.front(), spec, read.text, {});
  CHECK(found.exploration.complete);
  CHECK(found.exploration.faults.empty());
  CHECK(found.exploration.states < 100);  // 65,536 ways otherwise
  // With one that writes, and behind the end, there are errors as ever.
  CHECK(faults_of("__global__ void k(const int* at, int* table, int* out) { int i = threadIdx.x;"
                  "  out[i] = table[at[i] & 3]; if (i == 0) table[3] = 5; }") ==
        std::vector<std::string>{"race"});
  CHECK(faults_of("__device__ int table[4];"
                  "__global__ void k(const int* at, int* out) { int i = threadIdx.x;"
                  "  out[i] = table[at[i] & 7]; }") == std::vector<std::string>{"bounds"});
}
