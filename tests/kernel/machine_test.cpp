// What the machine says of small kernels whose truth is known by hand: races, barriers, fences,
// unknown data, memory.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/clang/compile.hpp"
#include "kernel/llvm/reader.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

struct Found {
  Analysis analysis;
  std::string kinds;  // of the faults, with commas
};

// Explores the only kernel of a text, of CUDA unless the name of its file says otherwise.
Found explored(const std::string& body, Size3 grid, Size3 block, bool reduce = true,
               const std::vector<std::string>& zeros = {}, const char* name = "kernel.cu",
               headway::StopSigns stop = {}) {
  Compiler& compiler = headway::testing::shared_compiler();
  const headway::testing::TemporaryFolder folder;
  const auto path = folder.write(name, body);
  const ReadKernels read = read_kernels(path, Side::device, {}, compiler);
  REQUIRE(read.module->functions.size() == 1);
  LaunchSpec spec;
  spec.grid = grid;
  spec.block = block;
  for (const std::string& name : zeros) spec.buffers[name].content = BufferSpec::Content::zero;
  AnalysisOptions options;
  options.explore.reduce = reduce;
  options.explore.all_faults = true;
  options.explore.stop = stop;
  Found result;
  result.analysis = analyse(read.module, read.module->functions.front(), spec, read.text, options);
  for (const FoundFault& fault : result.analysis.exploration.faults) {
    result.kinds += (result.kinds.empty() ? "" : ",") + std::string(to_string(fault.fault.kind));
  }
  return result;
}

}  // namespace

TEST_CASE("kernel/machine: a kernel without waiting and races ends under every model") {
  const Found found = explored(R"(
    __global__ void add(float* a, float* b, float* c, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) c[i] = a[i] + b[i];
    })",
                               {2, 1, 1}, {16, 1, 1});
  CHECK(found.kinds.empty());
  CHECK(found.analysis.terminates());
}

TEST_CASE("kernel/machine: writes of different values to one place race, of equal ones do not") {
  CHECK(explored("__global__ void k(int* a) { a[0] = threadIdx.x; }", {1, 1, 1}, {2, 1, 1}).kinds ==
        "race");
  CHECK(explored("__global__ void k(int* a) { a[0] = 7; }", {1, 1, 1}, {2, 1, 1}).kinds.empty());
}

TEST_CASE("kernel/machine: a barrier orders what threads of its workgroup do, and no others") {
  const std::string text =
      "__global__ void k(int* a) { a[threadIdx.x] = 1; __syncthreads(); int v = a[1 - "
      "threadIdx.x]; "
      "a[2 + threadIdx.x] = v; }";
  CHECK(explored(text, {1, 1, 1}, {2, 1, 1}).kinds.empty());
  CHECK(explored(text, {2, 1, 1}, {2, 1, 1}).kinds == "race");
}

TEST_CASE("kernel/machine: a lock without fences orders nothing, with fences it does") {
  const auto lock = [](const std::string& fence) {
    return "__global__ void k(int* l, int* x) { while (atomicCAS(l, 0, 1) != 0); " + fence +
           " x[0]++; " + fence + " atomicExch(l, 0); }";
  };
  for (const bool reduce : {true, false}) {
    CHECK(explored(lock(""), {2, 1, 1}, {1, 1, 1}, reduce).kinds == "race");
    const Found right = explored(lock("__threadfence();"), {2, 1, 1}, {1, 1, 1}, reduce);
    CHECK(right.kinds.empty());
    CHECK(right.analysis.exploration.complete);
    CHECK(right.analysis.exploration.has_cycle);
  }
}

TEST_CASE("kernel/machine: fences of a block do not order threads of another one") {
  const auto handover = [](const std::string& fence) {
    return "__global__ void k(int* flag, int* data) { if (blockIdx.x == 0) { data[0] = 1; " +
           fence + " atomicExch(flag, 1); } else { while (atomicAdd(flag, 0) == 0); " + fence +
           " data[1] = data[0]; } }";
  };
  CHECK(explored(handover("__threadfence();"), {2, 1, 1}, {1, 1, 1}).kinds.empty());
  CHECK(explored(handover("__threadfence_block();"), {2, 1, 1}, {1, 1, 1}).kinds == "race");
}

TEST_CASE("kernel/machine: a barrier that not all threads reach is divergence") {
  CHECK(
      explored(
          "__global__ void k(int* a) { if (threadIdx.x > 0) __syncthreads(); a[threadIdx.x] = 1; }",
          {1, 1, 1}, {2, 1, 1})
          .kinds == "divergence");
}

TEST_CASE("kernel/machine: unknown data are followed both ways, and joined") {
  const std::string text = R"(
    __global__ void k(int* a, int* b) {
      int v = a[threadIdx.x];
      if (v > 5) b[threadIdx.x] = 1; else b[threadIdx.x] = 2;
      assert(b[threadIdx.x] LIMIT);
    })";
  const auto with = [&](const std::string& limit) {
    std::string made = text;
    made.replace(made.find("LIMIT"), 5, limit);
    return explored("#include <assert.h>\n" + made, {1, 1, 1}, {8, 1, 1});
  };
  const Found right = with("> 0");
  CHECK(right.kinds.empty());
  CHECK(right.analysis.exploration.states == 1);  // joined, so that eight threads have one way
  CHECK(with("< 2").kinds == "assertion");
}

TEST_CASE("kernel/machine: an index out of unknown data is held to the bounds") {
  CHECK(explored("__global__ void k(int* a) { __shared__ int s[4]; s[a[threadIdx.x]] = 1; }",
                 {1, 1, 1}, {1, 1, 1})
            .kinds == "bounds");
  CHECK(
      explored("__global__ void k(unsigned* a) { __shared__ int s[4]; s[a[threadIdx.x] % 4] = 1; }",
               {1, 1, 1}, {1, 1, 1})
          .kinds.empty());
}

TEST_CASE("kernel/machine: a branch on memory that was never written is an error") {
  CHECK(explored("__global__ void k(int* b) { __shared__ int s[4]; if (s[threadIdx.x] > 0) "
                 "b[threadIdx.x] = 1; }",
                 {1, 1, 1}, {2, 1, 1})
            .kinds == "uninitialized");
}

TEST_CASE("kernel/machine: what unknown divisors may be is looked at") {
  CHECK(
      explored("__global__ void k(int* a, int n) { a[threadIdx.x] = 7 / n; }", {1, 1, 1}, {1, 1, 1})
          .kinds == "division");
  CHECK(explored("__global__ void k(int* a, int n) { if (n > 0) a[threadIdx.x] = 7 / n; }",
                 {1, 1, 1}, {1, 1, 1})
            .kinds.empty());
}

TEST_CASE("kernel/machine: an error shows where a launch begins in too many ways to look at all") {
  // Each thread writes or does not: 2^16 ways, before anybody takes a step.
  const headway::testing::TemporaryFolder folder;
  const auto path = folder.write(
      "kernel.cu",
      "__global__ void k(const int* a, int* b) { __shared__ int s[16]; int t = threadIdx.x;"
      "  s[t] = 0; if (a[t] > 0) atomicOr(&s[t ^ 1], 1); b[t] = s[t]; }");
  Compiler& compiler = headway::testing::shared_compiler();
  const ReadKernels read = read_kernels(path, Side::device, {}, compiler);
  LaunchSpec spec;
  spec.grid = {1, 1, 1};
  spec.block = {16, 1, 1};
  AnalysisOptions options;
  options.explore.max_states = 1000;
  const Analysis found = analyse(read.module, read.module->functions[0], spec, read.text, options);
  REQUIRE_FALSE(found.exploration.faults.empty());
  CHECK(found.exploration.faults[0].fault.kind == FaultKind::race);
}

TEST_CASE("kernel/machine: the least number by -1 is an error, as its quotient does not fit") {
  const auto kinds = [](const std::string& parameters, const std::string& expression) {
    return explored("__global__ void k(int* a, " + parameters + ") { a[0] = (int)(" + expression +
                        "); }",
                    {1, 1, 1}, {1, 1, 1})
        .kinds;
  };
  CHECK(kinds("int n", "n == -1 ? (-2147483647 - 1) / n : 0") == "division");
  CHECK(kinds("int n", "n == -1 ? (-2147483647 - 1) % n : 0") == "division");
  CHECK(kinds("int n", "n / -1") == "division");
  CHECK(kinds("int n", "n % -1") == "division");
  CHECK(kinds("int n", "n == -2147483647 ? n / -1 : 0").empty());
  CHECK(kinds("int n, int m", "m ? n / m : 0") == "division");
  CHECK(kinds("int n, int m", "m > 0 ? n / m : 0").empty());
  CHECK(kinds("long long n", "n % -1") == "division");
  CHECK(kinds("int n", "(long long)n / -1").empty());
  CHECK(kinds("short n", "n / -1").empty());
  CHECK(kinds("unsigned n", "n / 0xffffffffu + n % 0xffffffffu").empty());
}

TEST_CASE(
    "kernel/machine: a loop that waits by plain loads becomes steps, and races with its writer") {
  const Found found = explored(
      "__global__ void k(int* f) { if (blockIdx.x == 1) f[0] = 1; else while (f[0] == 0); }",
      {2, 1, 1}, {1, 1, 1}, true, {"f"});
  CHECK(found.kinds == "race");
  CHECK(found.analysis.spins.size() == 1);
}

TEST_CASE("kernel/machine: sums whose order nobody sees are taken in one order") {
  const std::string text = "__global__ void k(int* a) { atomicAdd(a, 1); }";
  const Found reduced = explored(text, {2, 1, 1}, {4, 1, 1}, true);
  const Found full = explored(text, {2, 1, 1}, {4, 1, 1}, false);
  CHECK(reduced.analysis.exploration.states == 9);
  CHECK(full.analysis.exploration.states == 256);
  CHECK(reduced.kinds.empty());
  CHECK(full.kinds.empty());
}

TEST_CASE("kernel/machine: an endless loop that waits for nobody is an error") {
  CHECK(explored("__global__ void k(int* a) { volatile int x = 0; while (x == 0); a[0] = 1; }",
                 {1, 1, 1}, {1, 1, 1})
            .kinds == "termination");
}

TEST_CASE("kernel/machine: threads that go from barrier to barrier for ever are a cycle") {
  const Found found =
      explored("__global__ void k() { for (;;) __syncthreads(); }", {1, 1, 1}, {2, 1, 1});
  CHECK(found.analysis.exploration.complete);
  CHECK(found.analysis.exploration.has_cycle);
}

TEST_CASE("kernel/machine: what happens behind thousands of barriers is seen") {
  const auto text = [](const std::string& index) {
    return "__global__ void k(int* a) { for (int i = 0; i < 3000; i++) __syncthreads(); a[" +
           index + "] = threadIdx.x; }";
  };
  CHECK(explored(text("threadIdx.x"), {1, 1, 1}, {8, 1, 1}).analysis.terminates());
  CHECK(explored(text("0"), {1, 1, 1}, {8, 1, 1}).kinds == "race");
}

TEST_CASE("kernel/machine: a deadline ends a loop that nobody else sees") {
  using Clock = headway::StopSigns::Clock;
  const auto begin = Clock::now();
  const Found found = explored(
      "__global__ void k(int* a, unsigned long n) { unsigned long i = 0; while (i != n) i += 2; }",
      {1, 1, 1}, {32, 1, 1}, true, {}, "kernel.cu",
      headway::StopSigns(nullptr, begin + std::chrono::milliseconds(200)));
  CHECK(found.analysis.exploration.limit == headway::Limit::time);
  CHECK(Clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("kernel/machine: a fence of a block takes nothing from an earlier one of the device") {
  CHECK(explored("__global__ void k(int* a, int* f) { if (blockIdx.x == 0) { a[0] = 1; "
                 "__threadfence(); __threadfence_block(); atomicExch(f, 1); } else if "
                 "(atomicAdd(f, 0) == 1) { __threadfence(); a[0] = 2; } }",
                 {2, 1, 1}, {1, 1, 1}, true, {"f"})
            .kinds.empty());
}

TEST_CASE("kernel/machine: a fence behind a barrier acquires what was read in front of it") {
  CHECK(
      explored("__global__ void k(int* a, int* f) { int seen = 0; if (threadIdx.x == 0) { if "
               "(blockIdx.x == 0) { a[0] = 1; __threadfence(); atomicExch(f, 1); } else seen = "
               "atomicAdd(f, 0); } __syncthreads(); if (seen == 1) { __threadfence(); a[0] = 2; } "
               "}",
               {2, 1, 1}, {2, 1, 1}, true, {"f"})
          .kinds.empty());
}

TEST_CASE(
    "kernel/machine: a write races with every earlier one of another value, not the last alone") {
  const auto kinds = [](const std::string& first, const std::string& second) {
    return explored("__global__ void k(int* a) { if (threadIdx.x == 0) { " + first + " } else { " +
                        second + " } }",
                    {1, 1, 1}, {2, 1, 1})
        .kinds;
  };
  CHECK(kinds("a[0] = 1; a[0] = 2;", "a[0] = 2;") == "race");
  CHECK(kinds("a[0] = 2; a[0] = 1; a[0] = 2;", "a[0] = 2;") == "race");
  CHECK(kinds("a[0] = 2; a[0] = 2;", "a[0] = 2;").empty());
  CHECK(kinds("int r = a[0]; a[0] = 2;", "a[0] = 2;") == "race");
  CHECK(kinds("((char*)a)[0] = 1;", "a[0] = 0x201;").empty());
  CHECK(kinds("((char*)a)[0] = 2;", "a[0] = 0x201;") == "race");
}

TEST_CASE("kernel/machine: a fence that data decide about orders nothing where it is passed by") {
  const auto kinds = [](const std::string& fence) {
    return explored(
               "__global__ void k(const int* in, int* x, int* flag, int* out) {"
               "  if (blockIdx.x == 0) { x[0] = 1; " +
                   fence +
                   " atomicExch(flag, 1); }"
                   "  else if (atomicAdd(flag, 0) == 1) { __threadfence(); out[0] = x[0]; } }",
               {2, 1, 1}, {1, 1, 1}, true, {"flag"})
        .kinds;
  };
  CHECK(kinds("if (in[0] > 3) __threadfence();") == "race");
  CHECK(kinds("if (in[0] > 3) __threadfence(); else __threadfence();").empty());
}

TEST_CASE("kernel/machine: accesses on both ways of a branch that data decide race with others") {
  const auto kinds = [](const std::string& body) {
    return explored(
               "__global__ void k(const int* in, int* x) { int i = threadIdx.x; " + body + " }",
               {1, 1, 1}, {2, 1, 1})
        .kinds;
  };
  CHECK(kinds("if (in[i] > 3) x[i] = 1; else x[i] = 2;").empty());
  CHECK(kinds("if (in[i] > 3) x[i] = 1; else x[0] = 2;") == "race");
  CHECK(kinds("if (in[0] > 3) x[i] = 1; else x[1 - i] = 2;").empty());
  CHECK(kinds("if (in[i] > 3) x[i] = 1; else x[1 - i] = 2;") == "race");
  CHECK(kinds("if (in[i] > 3) { if (in[i] > 5) x[0] = 1; else x[0] = 2; }") == "race");
}

TEST_CASE("kernel/machine: what goes wrong for some data hides nothing of other data") {
  const Found found = explored(
      "__global__ void k(int* a, int n) { int d = 4 / n; if (n == 2) a[0] = threadIdx.x; }",
      {1, 1, 1}, {2, 1, 1});
  CHECK(found.kinds == "division,race");
}

TEST_CASE("kernel/machine: a race that is for want of fences says so, another one does not") {
  const auto detail = [](const std::string& body) {
    const Found found = explored("__global__ void k(int* a, int* f) { " + body + " }", {2, 1, 1},
                                 {1, 1, 1}, true, {"f"});
    REQUIRE(found.kinds == "race");
    return found.analysis.exploration.faults.front().fault.detail;
  };
  const std::string flag =
      "if (blockIdx.x == 0) { a[0] = 1; FENCE; atomicExch(f, 1); } else if (atomicAdd(f, 0) == 1) "
      "{ "
      "FENCE; a[0] = 2; }";
  const auto with = [&](const std::string& fence) {
    std::string text = flag;
    for (auto at = text.find("FENCE"); at != std::string::npos; at = text.find("FENCE")) {
      text.replace(at, 5, fence);
    }
    return text;
  };
  CHECK(detail(with("")).find("want of a release") != std::string::npos);
  CHECK(detail(with("__threadfence_block()")).find("want of a release") != std::string::npos);
  CHECK(detail("atomicAdd(f, 1); a[0] = threadIdx.x + blockIdx.x; ").find("want of a release") ==
        std::string::npos);
}

TEST_CASE("kernel/machine: functions of a work-group give all its threads the value of OpenCL C") {
  const char* body = R"(
    kernel void k(void) {
      const int x = (int)get_local_id(0) + 3 * (int)get_local_id(1);  // 0..2, 3..5
      __assert(work_group_reduce_add(x) == 15);
      __assert(work_group_reduce_max(5 - x) == 5);
      __assert(work_group_reduce_min(x - 2) == -2);
      __assert(work_group_scan_inclusive_add(x) == x * (x + 1) / 2);
      __assert(work_group_scan_exclusive_add(x) == x * (x - 1) / 2);
      __assert(work_group_scan_exclusive_max(x) == (x == 0 ? INT_MIN : x - 1));
      __assert(work_group_broadcast(x, 1, 1) == 4);
      __assert(work_group_any(x == 4) && !work_group_all(x == 4));
      if (work_group_reduce_add(x) > 15) barrier(CLK_LOCAL_MEM_FENCE);
    })";
  CHECK(explored(body, {2, 1, 1}, {3, 2, 1}, true, {}, "kernel.cl").kinds.empty());
  // They order no memory, and all threads have to come.
  CHECK(explored("kernel void k(void) {"
                 "  local int a[2]; a[get_local_id(0)] = work_group_any(1);"
                 "  const int s = work_group_reduce_add(1); a[1 - get_local_id(0)] = s + 1; }",
                 {1, 1, 1}, {2, 1, 1}, true, {}, "kernel.cl")
            .kinds == "race");
  CHECK(explored("kernel void k(void) { if (get_local_id(0) == 0) work_group_reduce_add(1); }",
                 {1, 1, 1}, {2, 1, 1}, true, {}, "kernel.cl")
            .kinds == "divergence");
}

TEST_CASE("kernel/machine: subgroups that come to a barrier one after the other all come there") {
  const std::string uneven =
      "__global__ void k(int* a) { int v = threadIdx.x;"
      "  if (v >= 32) v += __shfl_xor_sync(0xffffffff, v, 1);"
      "  __syncthreads(); a[threadIdx.x] = v; }";
  CHECK(explored(uneven, {1, 1, 1}, {64, 1, 1}).kinds.empty());
  const std::string all =
      "__global__ void k(int* a) { int v = __popc(__ballot_sync(0xffffffff, threadIdx.x & 1));"
      "  __syncthreads(); v += __any_sync(0xffffffff, v); __syncthreads(); a[threadIdx.x] = v; }";
  CHECK(explored(all, {1, 1, 1}, {64, 1, 1}).kinds.empty());
  // One that waits at the barrier for its own subgroup, which waits for it, does not.
  CHECK(explored("__global__ void k(int* a) { if (threadIdx.x != 3) __syncwarp();"
                 "  __syncthreads(); a[threadIdx.x] = 1; }",
                 {1, 1, 1}, {64, 1, 1})
            .kinds == "divergence");
}

TEST_CASE("kernel/machine: threads of a subgroup wait for good only where none of them goes on") {
  const auto kinds = [](const std::string& body, std::uint32_t threads) {
    return explored("__global__ void k(int* a) { int t = threadIdx.x; " + body + " a[t] = 1; }",
                    {1, 1, 1}, {threads, 1, 1})
        .kinds;
  };
  // The second one goes on alone, and then comes to where the first one waits.
  CHECK(kinds("if (t == 1) __syncwarp(2); __ballot_sync(3, 1);", 2).empty());
  // By way of others: 0 waits for 1, which waits for 2.
  CHECK(kinds("if (t > 0) __syncwarp(6); __syncwarp(7);", 3).empty());
  CHECK(kinds("if (t == 2) __syncwarp(4); if (t > 0) __syncwarp(6); __syncwarp(7);", 3).empty());
  CHECK(kinds("if (t < 2) __syncwarp(3); else __syncwarp(6); __syncwarp(7);", 3) == "divergence");
  CHECK(kinds("if (t == 0) __syncwarp(3); else if (t == 1) __syncwarp(6); else __syncwarp(5);",
              3) == "divergence");
}

TEST_CASE("kernel/machine: the same operation of a warp at two places meets by its mask in CUDA") {
  const auto kinds = [](const std::string& body, std::uint32_t threads = 2) {
    return explored(
               "__global__ void k(int* a) { __shared__ int s[4]; int t = threadIdx.x, v = t; " +
                   body + " }",
               {1, 1, 1}, {threads, 1, 1})
        .kinds;
  };
  const std::string sides = "if (t & 1) { s[t] = 1; $ } else { s[t] = 2; $ } a[t] = s[t ^ 1];";
  const auto on_both = [&](const std::string& one, const std::string& other) {
    std::string text = sides;
    text.replace(text.find('$'), 1, one);
    text.replace(text.find('$'), 1, other);
    return kinds(text, 4);
  };
  CHECK(on_both("__syncwarp();", "__syncwarp();").empty());
  CHECK(on_both("__syncwarp();", "__syncwarp(0xffffffff);").empty());
  CHECK(on_both("__syncwarp(5 << (t & 1));", "__syncwarp(5 << (t & 1));") == "race");
  CHECK(on_both("__syncwarp(15);", "__syncwarp(7);") == "divergence");
  CHECK(on_both("__syncwarp();", "__ballot_sync(0xffffffff, 1);") == "divergence");
  CHECK(on_both("__syncthreads();", "__syncthreads();") == "divergence");
  // What lanes exchange is what each gives at its own place, with its own width.
  CHECK(kinds("if (t) v = __shfl_xor_sync(3, 10, 1); else v = __shfl_xor_sync(3, 20, 1);"
              "assert(v == (t ? 20 : 10));")
            .empty());
  CHECK(kinds("if (t) v = __shfl_sync(3, 10, 0, 2); else v = __shfl_sync(3, 20, 0, 1);"
              "assert(v == 20);")
            .empty());
  CHECK(kinds("if (t) v = __ballot_sync(3, 1); else v = __ballot_sync(3, 0); assert(v == 2);")
            .empty());
  // Other qualifiers are another operation.
  CHECK(kinds("if (t) v = __shfl_up_sync(3, t, 1); else v = __shfl_down_sync(3, t, 1);") ==
        "divergence");
  CHECK(kinds("if (t) v = __any_sync(3, t); else v = __all_sync(3, t);") == "divergence");
  CHECK(kinds("if (t) v = __reduce_add_sync(3, 1u); else v = __reduce_max_sync(3, 1u);") ==
        "divergence");
  CHECK(kinds("if (t) v = __shfl_sync(3, t, 0); else v = (int)__shfl_sync(3, (long long)t, 0);") ==
        "divergence");
  // Without a mask all come to one place, and so it is in OpenCL C.
  CHECK(kinds("if (t) v = __any(t); else v = __any(1);") == "divergence");
  CHECK(explored("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                 "kernel void k(global int* a) { if (get_local_id(0) & 1)"
                 "  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);"
                 "  else sub_group_barrier(CLK_GLOBAL_MEM_FENCE); a[get_local_id(0)] = 1; }",
                 {1, 1, 1}, {2, 1, 1}, true, {}, "kernel.cl")
            .kinds == "divergence");
}

TEST_CASE("kernel/machine: functions that are inline and no more are there in OpenCL C") {
  const std::string text =
      "inline int twice(int x) { return 2 * x; }"
      "kernel void a(global int* p) { p[get_global_id(0)] = twice(1); }";
  CHECK(explored(text, {1, 1, 1}, {2, 1, 1}, true, {}, "kernel.cl").kinds.empty());
}

TEST_CASE("kernel/machine: the value of a lane that takes no part is an error of the shuffle") {
  const char* const body = R"(
    __global__ void k(int* a, int* b) {
      if (threadIdx.x > 1) return;
      int v = __shfl_xor_sync(0xffffffff, a[threadIdx.x], 2);
      if (v > USED) b[threadIdx.x] = 1;
    })";
  const std::string text = body;
  const auto with = [&](const std::string& used) {
    std::string result = text;
    return result.replace(result.find("USED"), 4, used);
  };
  const Found used = explored(with("0"), {1, 1, 1}, {4, 1, 1});
  REQUIRE(used.analysis.exploration.faults.size() == 1);
  CHECK(used.kinds == "divergence");
  const Fault& fault = used.analysis.exploration.faults[0].fault;
  CHECK(used.analysis.run->code->instruction(fault.instruction).op == Op::subgroup);
  CHECK(explored(with("v"), {1, 1, 1}, {4, 1, 1}).kinds.empty());
}

TEST_CASE("kernel/machine: an exchange that fails has an order of its own in LLVM's files, too") {
  const auto with = [](const std::string& order) {
    return "define spir_kernel void @k(ptr addrspace(1) %data, ptr addrspace(1) %flag, "
           "ptr addrspace(1) %out) {\n"
           "  %g = call spir_func i64 @_Z12get_group_idj(i32 0)\n"
           "  %is = icmp eq i64 %g, 0\n"
           "  br i1 %is, label %writer, label %reader\n"
           "writer:\n"
           "  store i32 42, ptr addrspace(1) %data\n"
           "  store atomic i32 1, ptr addrspace(1) %flag release, align 4\n"
           "  br label %end\n"
           "reader:\n"
           "  %r = cmpxchg ptr addrspace(1) %flag, i32 5, i32 6 acquire " +
           order +
           "\n"
           "  %old = extractvalue { i32, i1 } %r, 0\n"
           "  %seen = icmp eq i32 %old, 1\n"
           "  br i1 %seen, label %take, label %end\n"
           "take:\n"
           "  %v = load i32, ptr addrspace(1) %data\n"
           "  store i32 %v, ptr addrspace(1) %out\n"
           "  br label %end\n"
           "end:\n"
           "  ret void\n}\n"
           "declare spir_func i64 @_Z12get_group_idj(i32)\n";
  };
  CHECK(explored(with("monotonic"), {2, 1, 1}, {1, 1, 1}, true, {"flag"}, "kernel.ll").kinds ==
        "race");
  CHECK(explored(with("acquire"), {2, 1, 1}, {1, 1, 1}, true, {"flag"}, "kernel.ll").kinds.empty());
}

TEST_CASE("kernel/machine: fences of CUDA synchronize in their order, by C++'s rules they do not") {
  // The last block to count itself reads what the others wrote, behind a barrier and a fence of its
  // own.
  const char* const text = R"(
    __global__ void last(int* partial, unsigned* count, int* out) {
      __shared__ bool is_last;
      partial[blockIdx.x * 2 + threadIdx.x] = threadIdx.x + 1;
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) is_last = atomicAdd(count, 1u) == gridDim.x - 1;
      __syncthreads();
      if (is_last) {
        FENCE;
        out[threadIdx.x] = partial[threadIdx.x] + partial[2 + threadIdx.x];
      }
    })";
  const auto with = [&](const std::string& fence) {
    std::string result = text;
    return result.replace(result.find("FENCE"), 5, fence);
  };
  const auto kinds = [&](const std::string& fence, bool of_cpp) {
    const headway::testing::TemporaryFolder folder;
    Compiler& compiler = headway::testing::shared_compiler();
    CompileOptions compile;
    compile.fences_of_cpp = of_cpp;
    const ReadKernels read =
        read_kernels(folder.write("last.cu", with(fence)), Side::device, compile, compiler);
    LaunchSpec spec;
    spec.grid = Size3{2, 1, 1};
    spec.block = Size3{2, 1, 1};
    spec.buffers["count"].content = BufferSpec::Content::zero;
    const auto found = analyse(read.module, read.module->functions.front(), spec, read.text, {});
    return found.exploration.faults.empty()
               ? std::string()
               : std::string(to_string(found.exploration.faults[0].fault.kind));
  };
  CHECK(kinds("__threadfence()", false).empty());
  CHECK(kinds("__threadfence()", true) == "race");
  CHECK(kinds("__threadfence_block()", false) == "race");
  CHECK(kinds("", false) == "race");
}

TEST_CASE("kernel/machine: an error names the data and the arguments that lead there") {
  const auto told = [](const std::string& body) {
    const Found found = explored("__global__ void k(int* a, int n, const int* in) {" + body + "}",
                                 {1, 1, 1}, {2, 1, 1});
    REQUIRE(found.analysis.exploration.faults.size() == 1);
    return found.analysis.exploration.faults.front().fault.detail;
  };
  CHECK(told("if (n == 12) { atomicAdd(a + 1, 1); a[0] = threadIdx.x; }").find(", where n = 12") !=
        std::string::npos);
  CHECK(told("if (in[3] == 5) { atomicAdd(a + 1, 1); a[0] = threadIdx.x; }")
            .find(", where in[3] = 5 at first") != std::string::npos);
  CHECK(told("a[0] = threadIdx.x;").find("where") == std::string::npos);
}

TEST_CASE("kernel/machine: a launch that a kernel excludes is none") {
  const std::string bound =
      "__global__ __launch_bounds__(2) void k(int* a) { a[threadIdx.x] = 1; }";
  CHECK(explored(bound, {1, 1, 1}, {2, 1, 1}).kinds.empty());
  CHECK_THROWS_AS(explored(bound, {1, 1, 1}, {3, 1, 1}), headway::Error);
  const std::string fixed =
      "__attribute__((reqd_work_group_size(2, 1, 1)))"
      "kernel void k(global int* a) { a[get_local_id(0)] = 1; }";
  CHECK(explored(fixed, {1, 1, 1}, {2, 1, 1}, true, {}, "kernel.cl").kinds.empty());
  CHECK_THROWS_AS(explored(fixed, {1, 1, 1}, {1, 1, 1}, true, {}, "kernel.cl"), headway::Error);
}

TEST_CASE("kernel/machine: a launch of which nothing is left is said to be none") {
  const Found found = explored(
      "__global__ void k(int* a, int n) { __requires(n > 3); __requires(n < 3);"
      "a[0] = threadIdx.x; }",
      {1, 1, 1}, {2, 1, 1});
  CHECK(found.analysis.exploration.all_excluded);
  CHECK(!explored("__global__ void k(int* a, int n) { __requires(n > 3); a[threadIdx.x] = n; }",
                  {1, 1, 1}, {2, 1, 1})
             .analysis.exploration.all_excluded);
}
