// What the command line of `headway verify` says of launches: sizes, arguments and buffers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/mirrored_tile.hpp"

#ifdef HEADWAY_KERNELS

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::mirrored;
using headway::testing::TemporaryFolder;

namespace {

CommandResult verified(const std::string& kernels, std::vector<std::string> more) {
  const TemporaryFolder folder;
  more.insert(more.begin(), {"verify", folder.write("a.cu", kernels).string()});
  return headway::testing::headway(more);
}

// Threads that differ in y alone write one place.
constexpr const char* kRows =
    "__global__ void k(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.y; }\n";
constexpr const char* kColumn =
    "__global__ void k(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }\n";
constexpr const char* kThree =
    "__global__ void without(int* a) { a[threadIdx.x] = 1; }\n"
    "__global__ void with(int* a, int n) {\n"
    "  if (threadIdx.x <= n && blockIdx.x == 0) a[threadIdx.x] = 1;\n}\n";

}  // namespace

TEST_CASE(
    "cli/verify_launch: a kernel of which nobody says a size is verified as its file launches it") {
  const std::string single =
      "__global__ void k(int* a) { if (threadIdx.x == 0) *a = blockIdx.x; }\n";
  const std::string host = "void f(int* a) { const int n = 96; k<<<1, n>>>(a); }\n";
  const CommandResult launched = verified(single + host, {});
  CHECK(launched.status == 0);
  CHECK(contains(launched.err, "kernel k: workgroups of 96 threads, as in line 2"));
  CHECK(contains(launched.out, "1 workgroup of 96 threads"));
  CHECK(verified(single, {}).status == 1);
  // What is said counts: by the command line, by a directive.
  CHECK(verified(single + host, {"--grid", "2"}).status == 1);
  CHECK(verified("// headway: kernel k grid 3\n" + single + host, {}).status == 1);
  // The grid is a default where it is not constant.
  const std::string open = "void f(int* a, int n) { k<<<n, 96>>>(a); }\n";
  CHECK(verified(single + open, {}).status == 1);
  // A launch that fails says nothing.
  const char* bounded =
      "__global__ __launch_bounds__(32) void k(int* a) { a[threadIdx.x + 32 * blockIdx.x] = 1; }\n"
      "void f(int* a) { k<<<1, 64>>>(a); }\n";
  CHECK(verified(bounded, {}).status == 0);
}

TEST_CASE("cli/verify_launch: a grid is that of the file where it is constant") {
  const std::string column =
      "__global__ void k(float* w, int h) {\n"
      "  int i = (h + 1) * (16 * blockIdx.y + threadIdx.y) + threadIdx.x;\n"
      "  if (threadIdx.x < h) w[i] += 1; }\n"
      "void f(float* w, int h, int n) { k<<<dim3(1, n), dim3(16, 16)>>>(w, h); }\n";
  CHECK(contains(verified(column, {}).out, "for 1 x 8 workgroups of 16 x 16 threads"));
  // Workgroups are those of the file beside another grid, too.
  const std::string tiles =
      "__global__ void k(float* w) {\n"
      "  w[(blockIdx.y * 4 + threadIdx.y) * 384 + blockIdx.x * 16 + threadIdx.x] += 1; }\n"
      "void f(float* w, int n) { k<<<dim3(n / 16, n / 4), dim3(16, 4)>>>(w); }\n";
  const CommandResult grid = verified(tiles, {"--grid", "24,768"});
  CHECK(grid.status == 0);
  CHECK(contains(grid.out, "for 24 x 768 workgroups of 16 x 4 threads"));
  CHECK(verified("// headway: kernel k grid 24,768\n" + tiles, {}).status == 0);
}

TEST_CASE(
    "cli/verify_launch: what is not verified for all arguments may be for those of the file") {
  const std::string halves =
      "__global__ void k(int n, float* v) {\n"
      "  int i = blockDim.x * blockIdx.x + threadIdx.x; v[i] = v[i + n]; }\n";
  const std::string divided = "void f(int n, float* v) { k<<<n / 192, 192>>>(n, v); }\n";
  const CommandResult right = verified(halves + divided, {});
  CHECK(right.status == 0);
  CHECK(contains(right.err, "gridDim.x == (n / 192); of all arguments: race violated (--block)"));
  CHECK(contains(right.out, "assumed: k: gridDim.x == (n / 192)"));
  // One workgroup more.
  const std::string wrong = "void f(int n, float* v) { k<<<n / 192 + 1, 192>>>(n, v); }\n";
  CHECK(verified(halves + wrong, {}).status == 1);
  // Who says what arguments are, or how large workgroups, is asked about that.
  CHECK(verified(halves + divided, {"--arg", "n=16"}).status == 1);
  CHECK(verified(halves + divided, {"--assume", "n == 16"}).status == 1);
  CHECK(verified(halves + divided, {"--block", "192"}).status == 1);
  const CommandResult counted = verified(
      "__global__ void k(float* a, int t) {\n"
      "  int j = blockIdx.x * 32 + threadIdx.x;\n"
      "  if (j > t && j < 2048) a[j] -= a[t]; }\n"
      "void f(float* a) { for (int t = 0; t < 2048; ++t) k<<<64, 32>>>(a, t); }\n",
      {});
  CHECK(counted.status == 0);
  const CommandResult constant = verified(
      "__global__ void k(float* a, int t) { a[blockIdx.x * t + threadIdx.x] = blockIdx.x; }\n"
      "void f(float* a) { k<<<64, 32>>>(a, 32); }\n",
      {});
  CHECK(constant.status == 0);
  CHECK(contains(constant.out, "t = 32"));
  // Of launches of other sizes this says nothing.
  const std::string some =
      "__global__ void k(int* p, int n) { if (threadIdx.x % n == 0) p[0] = threadIdx.x; }\n";
  const std::string here = "verified for what its launches in this file";
  const CommandResult both =
      verified(some + "void f(int* p) { k<<<1, 256>>>(p, 256); k<<<4, 256>>>(p, 256); }\n", {});
  CHECK(both.status == 0);
  CHECK(contains(both.err, here + " that have these sizes pass, n == 256"));
  const CommandResult alone = verified(some + "void f(int* p) { k<<<1, 256>>>(p, 256); }\n", {});
  CHECK(contains(alone.err, here + " pass, n == 256"));
}

TEST_CASE("cli/verify_launch: any size is any in the dimensions that a kernel looks at") {
  const CommandResult rows = verified(kRows, {"--block", "any", "--grid", "1"});
  CHECK(rows.status == 1);
  CHECK(contains(rows.out, "race         violated"));
  CHECK(contains(rows.out, "for 1 workgroup of any x any x 1 threads"));
  CHECK(contains(rows.out, "at most 1024 threads, and at most 1024 in x, 1024 in y\n"));
  // Who looks at x alone is launched so, which the answer says.
  const CommandResult column = verified(kColumn, {"--block", "any", "--grid", "1"});
  CHECK(column.status == 0);
  CHECK(contains(column.out, "for 1 workgroup of any x 1 x 1 threads"));
  CHECK(contains(column.out, "at most 1024 threads, and at most 1024 in x\n"));
  CHECK(verified(kColumn, {"--block", "any,any,any", "--grid", "1"}).status == 1);
  // Sizes that are spelled out count as they are.
  const CommandResult spelled = verified(kRows, {"--block", "any,1,1", "--grid", "1"});
  CHECK(spelled.status == 0);
  CHECK(contains(spelled.out, "any x 1 x 1 threads"));
  const std::string groups = "__global__ void k(int* a) { a[blockIdx.x] = blockIdx.y; }\n";
  CHECK(verified(groups, {"--block", "1", "--grid", "any"}).status == 1);
  CHECK(verified(groups, {"--block", "1", "--grid", "any,1"}).status == 0);
}

TEST_CASE("cli/verify_launch: a default of one dimension is told where a kernel looks at two") {
  const std::string note = "kernel k looks at y of threads, of which workgroups have one there";
  CHECK(contains(verified(kRows, {"--block", "8"}).err, note));
  CHECK_FALSE(contains(verified(kRows, {}).err, note));
  for (const char* size : {"8,1", "8,2", "any"}) {
    CAPTURE(size);
    CHECK_FALSE(contains(verified(kRows, {"--block", size}).err, note));
  }
  CHECK_FALSE(contains(verified(kColumn, {}).err, "looks at"));
  CHECK_FALSE(contains(
      verified(std::string("// headway: kernel k grid 1 block 8\n") + kRows, {}).err, "looks at"));
}

TEST_CASE("cli/verify_launch: arguments have the types of their parameters") {
  const std::string kernel =
      "__global__ void k(int* a, float f) { if (f == 3.0f) a[0] = threadIdx.x; }\n";
  const CommandResult equal = verified(kernel, {"--arg", "f=3"});
  CHECK(contains(equal.out, "race         violated"));
  CHECK(contains(equal.out, "f = 3, all"));
  CHECK(contains(verified(kernel, {"--arg", "f=3.5"}).out, "race         verified"));
  const CommandResult real = verified(kThree, {"--arg", "n=1.5"});
  CHECK(real.status == 2);
  CHECK(contains(real.err, "--arg n=1.5: the parameter 'n' of kernel 'with' is an integer"));
}

TEST_CASE("cli/verify_launch: a name that no kernel has is refused") {
  struct Row {
    std::vector<std::string> options;
    const char* said;
  };
  const Row rows[] = {
      {{"--arg", "m=3"}, "--arg m=3: no kernel that was read has a parameter 'm'"},
      {{"--arg", "a=3"}, "--arg a=3: the parameter 'a' is a pointer; expected --buffer"},
      {{"--buffer", "b=4"}, "--buffer b=4: no kernel that was read has a parameter 'b'"},
      {{"--buffer", "n=4"}, "--buffer n=4: the parameter 'n' is no pointer; expected --arg"},
      {{"--arg", "n=3", "--kernel", "without"}, "no kernel that was read has a parameter 'n'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.said);
    const CommandResult one = verified(kThree, row.options);
    CHECK(one.status == 2);
    CHECK(contains(one.err, row.said));
    // Among files some of which have other kernels.
    const TemporaryFolder folder;
    folder.write("a.cu", kThree);
    folder.write("b.cu", kColumn);
    std::vector<std::string> words = {"verify", folder.path().string()};
    words.insert(words.end(), row.options.begin(), row.options.end());
    const CommandResult several = headway::testing::headway(words);
    CHECK(several.status == 2);
    CHECK(contains(several.err, row.said));
  }
  const CommandResult right = verified(kThree, {"--arg", "n=3", "--buffer", "a=64"});
  CHECK(right.status == 0);
  CHECK(contains(right.out, "n = 3, all arguments"));
  CHECK(contains(right.out, "threads, all arguments"));  // of the kernel that has no n
}

TEST_CASE("cli/verify_launch: a kernel that lacks an argument costs no other its answer") {
  const CommandResult sized = verified(kThree, {"--bounds", "--buffer", "a=n"});
  CHECK(sized.status == 2);
  CHECK(contains(sized.err, "--buffer a=n: 'n' is no integer argument of 'without'"));
  CHECK(contains(sized.out, "bounds       possible  with, line 3: an access of a may be behind"));
  const CommandResult assumed = verified(kThree, {"--assume", "n > 0"});
  CHECK(assumed.status == 2);
  CHECK(contains(assumed.err, "of 'without'"));
  CHECK(contains(assumed.out, "race"));
}

TEST_CASE("cli/verify_launch: a file without kernels is named, beside others, too") {
  const TemporaryFolder folder;
  folder.write("empty.cu", "");
  folder.write("right.cu", kColumn);
  for (const bool alone : {true, false}) {
    const CommandResult result =
        headway::testing::headway({"verify", (folder.path() / (alone ? "empty.cu" : "")).string()});
    // In a folder it may be a header.
    CHECK(result.status == (alone ? 2 : 0));
    CHECK(contains(result.err, "empty.cu: there is no kernel in this file"));
    CHECK(contains(result.out, "race") == !alone);
  }
}

TEST_CASE("cli/verify_launch: workgroups fill a tile where nobody says how large they are") {
  const std::string note =
      "kernel k: workgroups of 128 threads, as 64 leave a part of a tile unwritten that they read";
  // A part of the time goes into the size: enough of it for a slow machine.
  const std::vector<std::string> patient = {"--timeout", "200"};
  const CommandResult racy = verified(mirrored(""), patient);
  CHECK(racy.status == 1);
  CHECK(contains(racy.out, "race         violated"));
  CHECK(contains(racy.out, "64,1,1 workgroups of 128,1,1 threads"));
  CHECK(contains(racy.err, note));
  const CommandResult right = verified(mirrored("    __syncthreads();\n"), patient);
  CHECK(right.status == 0);
  CHECK(contains(right.out, "for 64 workgroups of 128 threads"));
  CHECK(contains(right.err, note));
  // Who says it is answered for that.
  const CommandResult said = verified(mirrored(""), {"--block", "64"});
  CHECK(said.status == 0);
  CHECK_FALSE(contains(said.err, note));
}

TEST_CASE("cli/verify_launch: an absent lane is in no range of arguments taken back by a proof") {
  const std::string reduce =
      "__global__ void k(const int* in, int* out, int n) {\n"
      "  int v = threadIdx.x * n;\n"
      "  v += __shfl_down_sync(0xffffffff, v, 16);\n"
      "  if (threadIdx.x == 0) atomicAdd(out, v);\n}\n";
  const CommandResult result = verified(reduce, {"--block", "4", "--grid", "2"});
  CHECK(result.status == 1);
  CHECK(contains(result.out, "divergence   violated"));
  CHECK_FALSE(contains(result.out, "verified where"));
  CHECK_FALSE(
      contains(verified(reduce, {"--block", "4", "--grid", "2", "--suggest"}).out, "verified if"));
}

TEST_CASE("cli/verify_launch: a counterexample is of two threads") {
  const CommandResult queue = verified(
      "__global__ void grab(int* head, int n, int* slot) {\n"
      "  while (true) {\n"
      "    int i = atomicAdd(head, 1);\n"
      "    if (i >= n) break;\n"
      "    slot[i] = 1 + i;\n  }\n}\n",
      {"--format", "csv"});
  CHECK(contains(queue.out, "race,possible"));
  CHECK_FALSE(contains(queue.out, "(0,0,0) of workgroup (0,0,0) and (0,0,0) of (0,0,0)"));
}

TEST_CASE("cli/verify_launch: runs take arguments that differ from each other") {
  // No race where all are the same: barriers are between the batches.
  const char* batches =
      "__global__ void k(const float* a, float* c, int m, int n, int ld, int stride, int batch) {\n"
      "  __shared__ float t[8][8];\n"
      "  for (int z = 0; z < batch; ++z) {\n"
      "    t[threadIdx.y][threadIdx.x] = a[z * stride + threadIdx.y * ld + threadIdx.x];\n"
      "    __syncthreads();\n"
      "    float v = t[threadIdx.x][threadIdx.y];\n"
      "    __syncthreads();\n"
      "    if (threadIdx.y < m && threadIdx.x < n) c[z * stride + threadIdx.y * ld + threadIdx.x] "
      "= "
      "v;\n  }\n}\n";
  const CommandResult result =
      verified(batches, {"--block", "8,8", "--grid", "1", "--timeout", "60", "--format", "csv"});
  CHECK(contains(result.out, "race,violated"));
}

TEST_CASE("cli/verify_launch: a kernel for rows and columns is launched in both") {
  const char* racy = "__global__ void k(int* a) { a[threadIdx.x] = threadIdx.y; }\n";
  const char* of_groups = "__global__ void k(int* a) { a[blockIdx.x] = blockIdx.y; }\n";
  const char* numbered =
      "__global__ void k(int* a) {\n"
      "  a[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)] = 1; }\n";
  const CommandResult rows = verified(racy, {});
  CHECK(contains(rows.out, "race         violated"));
  CHECK(contains(rows.out, "for 64 workgroups of 8 x 8 threads"));
  CHECK(contains(verified(of_groups, {}).out, "for 8 x 8 workgroups of 64 threads"));
  CHECK(contains(verified(numbered, {}).out, "for 64 workgroups of 64 threads"));
  // A kernel that takes fewer has fewer rows.
  const char* few =
      "__global__ void __launch_bounds__(24) k(int* a) { a[threadIdx.y * 8 + threadIdx.x] = 1; }\n";
  CHECK(contains(verified(few, {}).out, "of 8 x 3 threads"));
  // The same for check.
  for (const char* text : {racy, of_groups}) {
    const TemporaryFolder folder;
    const std::string file = folder.write("k.cu", text).string();
    CHECK(contains(headway::testing::headway({"check", file, "-m", "fair"}).err, "race: line 1"));
  }
}

TEST_CASE("cli/verify_launch: what is not proved for all sizes may be for plain ones") {
  const auto text = [](const char* index, const char* guard) {
    return fmt::format(
        "__global__ void k(int* a, int w, int h, int d) {{\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + "
        "threadIdx.y;\n"
        "  if (x < w && y < h) {} a[{}] = x; }}\n",
        guard, index);
  };
  // What hangs on a wrap alone is known to, while there is time to ask.
  const CommandResult plane = verified(text("y * w + x", ""), {"--timeout", "60"});
  CHECK((contains(plane.out, "only where 32-bit arithmetic wraps around") ||
         contains(plane.out, "verified where")));
  // Three of them that are multiplied are smaller.
  const CommandResult space =
      verified(text("(k * h + y) * w + x", "for (int k = 0; k < d; ++k)"), {"--timeout", "60"});
  CHECK(contains(space.out, "verified where"));
  CHECK(contains(space.out, "0 to 1024"));
  // Nothing is divided by zero.
  const char* divided =
      "__global__ void k(int* a, int w) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; a[i / w * w + i % w] = i; }\n";
  CHECK(contains(verified(divided, {"--timeout", "60", "--format", "json"}).out,
                 "\"condition\": \"w is 1 to 4096\""));
  // Which is an answer of its own, with what is not known beyond.
  const char* rows =
      "__global__ void k(float* y, int n) {\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = 2; }\n";
  const CommandResult conditional = verified(rows, {"--timeout", "60", "--format", "csv"});
  CHECK(conditional.status == 3);
  CHECK(contains(conditional.out, "termination,conditional,,verified where n is 0 to 4096"));
  CHECK(verified(rows, {"--assume", "n >= 0 && n <= 4096"}).status == 0);
  // What goes wrong in small ones, too, is not verified there.
  const char* columns =
      "__global__ void k(int* a, int w, int h) {\n"
      "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + "
      "threadIdx.y;\n"
      "  if (x < w && y < h) a[x] = y; }\n";
  const CommandResult small = verified(columns, {"--timeout", "60"});
  CHECK(contains(small.out, "violated"));
  CHECK_FALSE(contains(small.out, "verified where"));
}
#endif
