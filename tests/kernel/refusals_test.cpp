// What headway does not know is refused, never skipped: calls, with pointers or without, operations
// of subgroups, barriers of other kinds, intrinsics of asynchronous copies, and operations on
// streams.
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

struct Callee {
  const char* result;
  const char* name;
  const char* types;
  const char* arguments;
};

// A kernel that calls it once, and does nothing else.
CommandResult check_call(const Callee& of) {
  const std::string call = std::string("call ") + of.result + " @" + of.name + "(" + of.arguments;
  const std::string given = std::string(of.result) == "void" ? call : "%x = " + call;
  const TemporaryFolder folder;
  const auto file = folder.write(
      "a.ll",
      "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
      "target triple = \"nvptx64-nvidia-cuda\"\ndeclare " +
          std::string(of.result) + " @" + of.name + "(" + of.types +
          ")\ndefine ptx_kernel void @k(ptr addrspace(1) %a) {\n  " + given +
          ")\n  ret void\n}\n!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n");
  return headway::testing::check({"--format", "csv", "-m", "fair", file.string()});
}

void check_unsupported(const CommandResult& result) {
  CHECK(result.status == 3);
  CHECK(contains(result.out, ",unknown"));
  CHECK(contains(result.err, "unsupported: line"));
}

CommandResult check_text(const std::string& text) {
  const TemporaryFolder folder;
  return headway::testing::check(
      {"--format", "csv", "-m", "fair", folder.write("a.cu", text).string()});
}

}  // namespace

TEST_CASE("kernel/refusals: calls that are not modelled are refused by name") {
  const std::vector<Callee> callees = {
      {"{i32, i1}", "llvm.nvvm.match.all.sync.i32p", "i32, i32", "i32 -1, i32 1"},
      {"{i32, i1}", "llvm.nvvm.shfl.sync.bfly.i32p", "i32, i32, i32, i32",
       "i32 -1, i32 1, i32 1, i32 31"},
      {"i32", "llvm.nvvm.atomic.cas.gen.i.cta.i32.p0", "ptr, i32, i32", "ptr null, i32 1, i32 2"},
      {"void", "llvm.nvvm.cp.async.wait.all", "", ""},
      {"void", "llvm.nvvm.cp.async.commit.group", "", ""},
      {"void", "llvm.nvvm.mbarrier.init", "ptr, i32", "ptr null, i32 1"},
      {"i64", "llvm.nvvm.mbarrier.arrive", "ptr", "ptr null"},
      {"void", "llvm.nvvm.barrier.cluster.arrive", "", ""},
      {"void", "llvm.nvvm.barrier.cluster.wait", "", ""},
      {"void", "llvm.nvvm.fence.sc.cluster", "", ""},
      {"void", "llvm.nvvm.exit", "", ""},
      {"i32", "llvm.nvvm.read.ptx.sreg.clusterid.x", "", ""},
      {"i32", "llvm.nvvm.read.ptx.sreg.lanemask.lt", "", ""},
      {"i32", "mystery", "i32", "i32 1"},
      {"void", "mystery", "ptr addrspace(1)", "ptr addrspace(1) %a"},
      {"void", "mystery", "", ""},
      {"ptr", "malloc", "i64", "i64 4"},
      {"i32", "cudaDeviceSynchronize", "", ""},
      {"i32", "cudaStreamCreate", "ptr", "ptr null"},
      {"float", "__nv_sincosf", "float, ptr, ptr", "float 1.0, ptr null, ptr null"},
  };
  for (const Callee& callee : callees) {
    CAPTURE(callee.name);
    const CommandResult result = check_call(callee);
    check_unsupported(result);
    CHECK(contains(result.err, callee.name));
  }
}

TEST_CASE("kernel/refusals: what a kernel cannot be followed through is refused with its line") {
  const std::pair<const char*, const char*> kernels[] = {
      {"__device__ void f(int*); __global__ void k(int* a) { f(a); }", "of which nothing is known"},
      {"__device__ int f(int n) { return n < 2 ? n : f(n - 1); }\n"
       "__global__ void k(int* a) { a[0] = f(a[1]); }",
       "recursion"},
      {"__global__ void k(int* a) { __syncthreads(); __barrier_sync_count(0, 32); }",
       "barrier 0 by its number"},
      {"__global__ void k(int* a) { int* p = new int; *p = 1; }", "'_Znwm'"},
      {"__global__ void k(int* a) { if (__activemask() == 1) a[0] = 1; }",
       "active threads, which may be any that names the thread itself"},
      {"__global__ void k(int* a, int (*f)(int)) { a[0] = f(1); }", "a call by a pointer"},
      {"__global__ void k(int*** a) { ***a = 1; }", "a pointer out of unknown data"},
      {"__global__ void k(__int128* a) { a[0] = a[1] * a[0]; }", "128 bits"}};
  for (const auto& row : kernels) {
    const auto& text = row.first;
    const auto& reason = row.second;
    CAPTURE(text);
    const CommandResult result = check_text(text);
    check_unsupported(result);
    CHECK(contains(result.err, reason));
  }
}

TEST_CASE("kernel/refusals: operations on streams that are not modelled are refused") {
  for (const char* call :
       {"cudaStreamBeginCapture(s, 0)", "cudaGraphLaunch(s, s)", "cudaLaunchHostFunc(s, s, s)",
        "cudaStreamAddCallback(s, s, s, 0)", "cudaStreamAttachMemAsync(s, s, 0, 0)",
        "cudaMemPrefetchBatchAsync(s, s, s)", "cudaStreamWaitValue32(s, 0, 0)"}) {
    CAPTURE(call);
    const std::string name(call, std::string(call).find('('));
    const TemporaryFolder folder;
    const auto file = folder.write("a.cu", "extern \"C\" int " + name +
                                               "(...);\n__global__ void k(int* a) { *a = 1; }\n"
                                               "int main() {\n  cudaStream_t s;\n"
                                               "  cudaStreamCreate(&s);\n  " +
                                               call + ";\n  return 0;\n}\n");
    const CommandResult result =
        headway::testing::check({"--main", "--format", "csv", file.string()});
    CHECK(result.status >= 2);
    CHECK(!contains(result.out, ",verified"));
  }
}

TEST_CASE(
    "kernel/refusals: a kernel whose calls double its code without end, and no other of the file") {
  std::string text = "__device__ int f0(int x) { return x; }\n";
  for (int level = 1; level < 40; ++level) {
    const std::string below = "f" + std::to_string(level - 1) + "(x)";
    text += "__device__ int f" + std::to_string(level) + "(int x) { return " + below + " + " +
            below + "; }\n";
  }
  const CommandResult result = check_text(
      text +
      "// headway: kernel large block 1 grid 1\n__global__ void large(int* p) { *p = f39(1); }\n"
      "// headway: kernel small block 1 grid 1\n__global__ void small(int* p) { *p = f3(1); }\n");
  CHECK(result.status == 3);
  CHECK(contains(result.out, "large,fair,weak,unknown"));
  CHECK(contains(result.out, "small,fair,weak,pass"));
  CHECK(contains(result.err, "large: unsupported: line 42: code of more than 500000 instructions"));
}

TEST_CASE("kernel/refusals: widths of shuffles that CUDA says nothing of") {
  const auto shuffled = [](const std::string& width) {
    return check_text(
        "// headway: kernel k grid 1 block 32 arg n=3\n"
        "__global__ void k(int n, int* o) { o[threadIdx.x] = __shfl_sync(~0u, (int)threadIdx.x, "
        "0, " +
        width + "); }");
  };
  for (const char* width : {"3", "0", "64", "-1", "n"}) {
    CAPTURE(width);
    const CommandResult result = shuffled(width);
    CHECK(contains(result.out, ",unknown"));
    CHECK(contains(result.err, "a shuffle"));
    CHECK(contains(result.err, "width"));
  }
  for (const char* width : {"1", "8", "32", "warpSize", "n + 1"}) {
    CAPTURE(width);
    CHECK(contains(shuffled(width).out, ",pass"));
  }
}
