// What is taken where nobody says anything of a launch, and that it is said.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/mirrored_tile.hpp"
#include "support/texts.hpp"

using headway::testing::contains;
using headway::testing::mirrored;
using headway::testing::TemporaryFolder;

namespace {

// Asserts that `claim` holds of n.
std::string claiming(const std::string& claim, const std::string& before = "") {
  return before + "#include <assert.h>\n__global__ void k(int n) { assert(" + claim + "); }\n";
}

// The first directive that the notes offer, as a line.
std::string offered(const std::string& notes) {
  const std::size_t begin = notes.find("// headway:");
  if (begin == std::string::npos) return "";
  return notes.substr(begin, notes.find('\n', begin) - begin) + "\n";
}

int status(const std::string& text, std::vector<std::string> options = {}) {
  const TemporaryFolder folder;
  options.insert(options.begin(), "check");
  options.push_back(folder.write("k.cu", text).string());
  return headway::testing::headway(options).status;
}

}  // namespace

TEST_CASE("kernel/default_launch: an integer that is not given is small, and not negative") {
  CHECK(status(claiming("n >= 0 && n <= 8")) == 0);
  CHECK(status(claiming("n != 0")) == 1);
  CHECK(status(claiming("n != 8")) == 1);
  // As large as the launch has threads, within bounds.
  CHECK(status(claiming("n <= 12"), {"--grid", "3"}) == 0);
  CHECK(status(claiming("n != 12"), {"--grid", "3"}) == 1);
  CHECK(status(claiming("n <= 64"), {"--block", "128"}) == 0);
}

TEST_CASE("kernel/default_launch: a kernel is looked at as its file launches it") {
  const TemporaryFolder folder;
  const auto checked = [&](const std::string& text, std::vector<std::string> options = {}) {
    options.insert(options.begin(), "check");
    options.push_back(folder.write("k.cu", text).string());
    return headway::testing::headway(options);
  };
  const std::string head = "#include <assert.h>\n__global__ void k(int* a) { ";
  // Constants of the source, of variables, of objects, and through functions.
  const char* launches[] = {
      "void f(int* a) { k<<<1, 12>>>(a); }",
      "#define THREADS 12\nvoid f(int* a) { k<<<1, THREADS>>>(a); }",
      "void f(int* a) { int threads = 12; const dim3 grid(1); k<<<grid, threads>>>(a); }",
      "void f(int* a) { dim3 block(12); block.x = 6; block.y = 2; k<<<1, block>>>(a); }",
      "static int half(int n) { return n / 2; }\nvoid f(int* a) { k<<<1, half(24)>>>(a); }"};
  for (const char* launch : launches) {
    CAPTURE(launch);
    const std::string whole =
        head + "assert(blockDim.x * blockDim.y == 12 && gridDim.x == 1); }\n" + launch + "\n";
    const auto right = checked(whole);
    CHECK(right.status == 0);
    CHECK(contains(right.err, "(as in line "));
    // What is asked for counts.
    CHECK(checked(whole, {"--block", "4"}).status == 1);
  }
  // One workgroup only writes what two would race for.
  const std::string single =
      "__global__ void k(int* a) { if (threadIdx.x == 0) *a = blockIdx.x; }\n";
  CHECK(checked(single).status == 1);
  CHECK(checked(single + "void f(int* a) { k<<<1, 64>>>(a); }\n").status == 0);
  // Of several launches the first one; one that stands in an argument of another one is its own.
  CHECK(checked(single + "static void f(int* a) { k<<<1, 64>>>(a); }\n"
                         "void g(int* a) { k<<<2, 64>>>(a); }\nvoid h(int* a) { f(a); }\n")
            .status == 0);
  CHECK(checked("__global__ void m(int* a) { a[threadIdx.x / 32] = threadIdx.x; }\n"
                "__global__ void k(int* a, int v) { a[threadIdx.x] = v; }\n"
                "template <class T> __attribute__((always_inline)) inline T one(int* a) {\n"
                "  m<<<1, 64>>>(a); return 1; }\n"
                "void f(int* a) { k<<<1, 1>>>(a, one<int>(a)); }\n",
                {"--kernel", "m"})
            .status == 1);
  // A size that is not known is none; the other kernel's says nothing of this one.
  CHECK(checked(single + "void f(int* a, int n) { k<<<1, n>>>(a); }\n").status == 1);
  CHECK(checked(single + "__global__ void m() {}\nvoid f() { m<<<1, 64>>>(); }\n").status == 1);
  // Shared memory.
  const std::string dynamic =
      "__global__ void k(int* a) { extern __shared__ int s[]; s[100 * threadIdx.x] = 1; "
      "if (threadIdx.x == 0) *a = s[0]; }\n";
  CHECK(checked(dynamic + "void f(int* a) { k<<<1, 2, 404>>>(a); }\n").status == 0);
  const auto small = checked(dynamic + "void f(int* a) { k<<<1, 2, 400>>>(a); }\n");
  CHECK(contains(small.out, "bounds"));
  // A file that does not compile for the host is one of kernels.
  CHECK(checked(single + "#ifndef __CUDA_ARCH__\nvoid f(int* a) { k<<<1, 64>>>(b); }\n#endif\n")
            .status == 1);
}

TEST_CASE(
    "kernel/default_launch: where the launch of its file is too much, a smaller one is said") {
  const TemporaryFolder folder;
  // All orders of so many threads.
  const std::string text =
      "__global__ void k(int* a) { a[atomicAdd(a, 1) + 1] = a[atomicAdd(a + 1, a[2]) & 7]; }\n"
      "void f(int* a) { k<<<1, 512>>>(a); }\n";
  const auto result =
      headway::testing::headway({"check", "--timeout", "6", folder.write("k.cu", text).string()});
  CHECK(result.status == 3);
  CHECK(contains(result.out + result.err, "possible"));
}

TEST_CASE("kernel/default_launch: structures hold pointers to buffers, which kernels only read") {
  const std::string head = "struct Q { unsigned tail; int* data; };\n__global__ void k(Q* q) { ";
  CHECK(status(head + "q->data[atomicAdd(&q->tail, 1)] = 1; }\n") == 0);
  // In elements of an array, too.
  CHECK(status("struct Q { unsigned tail; int* data; };\n__global__ void k(Q* all) {\n"
               "  Q* q = &all[blockIdx.x]; q->data[atomicAdd(&q->tail, 1)] = 1; }\n") == 0);
  CHECK(status("__global__ void k(int** rows) { rows[blockIdx.x][threadIdx.x] = 1; }\n") == 0);
  CHECK(status("__global__ void k(int** rows) { rows[threadIdx.x][blockIdx.x / 2] = 1;\n"
               "  rows[threadIdx.x][blockIdx.x / 2] = blockIdx.x; }\n") == 1);
  // A race there is one.
  CHECK(status(head + "q->data[q->tail] = threadIdx.x; }\n") == 1);
  // What is compared with null may be null, and what is volatile, or written in parts.
  CHECK(
      status("struct S { S* next; };\n__global__ void k(S* s) { while (s->next == nullptr) {} }\n",
             {"--require", "fair"}) == 1);
  CHECK(
      status(
          "struct S { int* p; };\n__global__ void k(S* s) { if (threadIdx.x + blockIdx.x == 0) {\n"
          "  ((int*)s)[0] = 0; ((int*)s)[1] = 0; s->p[0] = 1; } }\n") != 0);
  // What a kernel sets itself may be null at first.
  CHECK(status("struct S { int* p; int n; };\n__global__ void k(S* s, int* a) {\n"
               "  atomicAdd(&s->n, 1); int* p = s->p; if (p == nullptr) return;\n"
               "  s->p = a; a[99] = 1; }\n") == 0);
}

TEST_CASE("kernel/default_launch: what is said of integers counts, also that they are unknown") {
  CHECK(status(claiming("n != 100"), {"--arg", "n=100"}) == 1);
  CHECK(status(claiming("n != -7"), {"--arg", "n=unknown"}) == 1);
  CHECK(status(claiming("n != -7"), {"--assume", "n < 0"}) == 1);
  CHECK(status(claiming("n != 100", "// headway: kernel k assume n > 50\n")) == 1);
  CHECK(status(claiming("n != 100", "// headway: kernel k arg n=unknown(50..100)\n")) == 1);
  CHECK(status("#include <assert.h>\n__global__ void k(int n) {\n"
               "  __requires(n > 50);\n  assert(n != 100);\n}\n") == 1);
}

TEST_CASE("kernel/default_launch: the answer, a note and JSON say what range it is about") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("k.cu",
                 "__global__ void k(const float* in, float* out, int n, float s) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  if (i < n) out[i] = s * in[i];\n"
                 "}\n")
          .string();
  const auto table = headway::testing::check({file});
  CHECK(table.status == 0);
  CHECK(table.out.starts_with("k ends as CUDA promises, for n = unknown(0..8)\n"));
  CHECK(contains(table.err, "out: unknown data, s: unknown, n = unknown(0..8) (to say so"));
  CHECK(contains(headway::testing::check({"--format", "json", file}).out, "\"n = unknown(0..8)\""));
  const auto given = headway::testing::check({"--arg", "n=8", file});
  CHECK(given.out.starts_with("k ends as CUDA promises\n"));
}

TEST_CASE("kernel/default_launch: loops to a bound that nobody gives end") {
  const std::string loop =
      "__global__ void f(const float* x, float* y, int n) {\n"
      "  float s = 0;\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];\n"
      "  y[blockIdx.x * blockDim.x + threadIdx.x] = s;\n"
      "}\n";
  CHECK(status(loop) == 0);
}

TEST_CASE("kernel/default_launch: beyond a limit, there is a proof, or values are asked for") {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("k.cu",
                 "__global__ void k(const int* in, int* out, int n) {\n"
                 "  for (int i = 0; i < n; ++i) atomicAdd(&out[in[i] & 7], 1);\n"
                 "}\n")
          .string();
  const auto proved = headway::testing::check({"--grid", "2", "--max-states", "300", file});
  CHECK(proved.status == 0);
  CHECK(contains(proved.err, "is proved as by 'headway verify'"));
  // By what a loop goes on nobody knows.
  const std::string far =
      folder
          .write("far.cu",
                 "__global__ void k(const int* in, int* out, int n) {\n"
                 "  for (int i = 0; i != n; i += in[i]) atomicAdd(&out[in[i] & 7], 1);\n"
                 "}\n")
          .string();
  const auto open =
      headway::testing::check({"--grid", "2", "--timeout", "4", "--max-states", "300", far});
  CHECK(open.status == 3);
  CHECK(contains(
      open.err,
      "; --arg n=8, a smaller launch (--grid, --block), data (--buffer), or headway verify, may"));
  for (const char* command : {"explain", "slice"}) {
    std::vector<std::string> words = {command, "--grid", "2", "--max-states", "300", file};
    if (command == std::string("explain")) words.insert(words.end(), {"-m", "CUDA"});
    const auto other = headway::testing::headway(words);
    CAPTURE(command);
    CHECK(other.status == 3);
    CHECK(contains(other.err, "may decide it"));
  }
}

TEST_CASE("kernel/default_launch: the directive of a note, in the file, says what the note does") {
  const TemporaryFolder folder;
  const std::string kernel = "__global__ void k(int* p, int n) { if (n > 8) *p = n; }\n";
  const auto check = [&](const std::string& text) {
    return headway::testing::headway({"check", folder.write("k.cu", text).string()});
  };
  const std::string first = offered(check(kernel).err);
  CHECK(first == "// headway: kernel k grid 2 block 4 arg n=unknown(0..8)\n");
  CHECK_FALSE(contains(check(first + kernel).err, "to say so or otherwise"));
  // Of what it says already, nothing again.
  const std::string half = "// headway: grid 3 block 2\n";
  const std::string second = offered(check(half + kernel).err);
  CHECK(second == "// headway: arg n=unknown(0..8)\n");
}

namespace {

// Where an atomic access goes hangs on data, of which there is too much.
std::string counting(const std::string& more = "") {
  return "__global__ void k(const unsigned* data, int* bins, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) atomicAdd(&bins[data[i] & 1023], 1);\n" +
         more + "}\n";
}

}  // namespace

TEST_CASE(
    "kernel/default_launch: where all data is too much, the answer is about some, and says so") {
  const TemporaryFolder folder;
  const std::string file = folder.write("k.cu", counting()).string();
  const auto narrow = headway::testing::check({"--timeout", "9", file});
  CHECK(narrow.status == 0);
  CHECK(narrow.out.starts_with("k ends as CUDA promises, for n = 8, data = iota\n"));
  CHECK(contains(narrow.err, "// headway: kernel k grid 2 block 4 arg n=8 buffer data=:iota\n"));
  // What nobody says of a buffer is taken for granted as before.
  CHECK(contains(narrow.err, "buffers do not overlap"));
  const auto said = headway::testing::check(
      {folder
           .write("said.cu",
                  "// headway: kernel k grid 2 block 4 arg n=8 buffer data=:iota\n" + counting())
           .string()});
  CHECK(said.status == 0);
  CHECK(said.out.starts_with("k ends as CUDA promises\n"));
}

TEST_CASE("kernel/default_launch: what goes wrong by some data is told") {
  CHECK(status(counting("  if (i < n && data[i] == i) bins[0] = i;\n"), {"--timeout", "9"}) == 1);
}

TEST_CASE("kernel/default_launch: an answer about some data that leaves a line out is none") {
  // A loop that does not end, for one number.
  CHECK(status(counting("  while (n > 0 && data[0] == 77 && i < 3) atomicAdd(bins, 1);\n"),
               {"--timeout", "9"}) == 3);
}

TEST_CASE("kernel/default_launch: data of which a size is given is not replaced") {
  const std::string said =
      headway::testing::check({"--timeout", "6", "--grid", "2", "--block", "4",
                               TemporaryFolder().write("k.cu", counting()).string()})
          .out;
  CHECK_FALSE(contains(said, "iota"));
}

TEST_CASE("kernel/default_launch: workgroups fill a subgroup where a kernel needs its lanes") {
  const auto reducing = [](const std::string& mask, int from, const std::string& condition) {
    return "__global__ void k(int* out) {\n  int v = threadIdx.x;\n  " + condition +
           "for (int d = " + std::to_string(from) + "; d > 0; d /= 2)\n    v += __shfl_down_sync(" +
           mask + ", v, d, " + std::to_string(2 * from) +
           ");\n  if (threadIdx.x == 0) atomicAdd(out, v);\n}\n";
  };
  const TemporaryFolder folder;
  const auto whole =
      headway::testing::check({folder.write("k.cu", reducing("0xffffffff", 16, "")).string()});
  CHECK(whole.status == 0);
  CHECK(contains(whole.err, "kernel k grid 2 block 32\n"));
  // For half a subgroup, of which half a mask speaks.
  const auto half =
      headway::testing::check({folder.write("k.cu", reducing("0xffff", 8, "")).string()});
  CHECK(half.status == 0);
  CHECK(contains(half.err, "kernel k grid 2 block 16\n"));
  // Lanes that are there and take no part are a fault of the kernel.
  const auto absent = headway::testing::check(
      {folder.write("k.cu", reducing("0xffffffff", 16, "if (threadIdx.x < 20) ")).string()});
  CHECK(absent.status == 1);
  CHECK(contains(absent.out, "divergence"));
}

TEST_CASE("kernel/default_launch: what may go wrong for other values stays said") {
  const TemporaryFolder folder;
  const auto result = headway::testing::check(
      {folder
           .write("k.cu",
                  "__global__ void k(float* out, const float* in, int n) {\n"
                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  out[i * n] = __sinf(in[i]);\n"
                  "}\n")
           .string()});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("k ends as CUDA promises, for n = 8\n"));
  CHECK(contains(result.err, "possible race: line 3"));
  CHECK(contains(result.err, "(for n = unknown(0..8))"));
}

TEST_CASE(
    "kernel/default_launch: lines for lanes that the default lacks are looked at in a subgroup") {
  const TemporaryFolder folder;
  const auto storing = [&](const std::string& place) {
    return headway::testing::check({folder
                                        .write("k.cu",
                                               "__global__ void k(int* out) {\n"
                                               "  int v = __shfl_sync(0xffffffff, blockIdx.x, 0);\n"
                                               "  if (threadIdx.x == 31) out[2 * blockIdx.x] = v;\n"
                                               "  if (threadIdx.x == 30) out[2 * blockIdx.x + " +
                                                   place + "] = 7;\n}\n")
                                        .string()});
  };
  const auto right = storing("1");
  CHECK(right.status == 0);
  CHECK(contains(right.err, "kernel k grid 2 block 32\n"));
  const auto racy = storing("0");
  CHECK(contains(racy.err, "possible race: line"));
  CHECK(contains(racy.err, "(for block 32,1,1)"));
}

TEST_CASE("kernel/default_launch: a tile is filled where what is computed may come from its rest") {
  const TemporaryFolder folder;
  const auto product = [&](const std::string& behind) {
    return headway::testing::check(
        {folder
             .write("k.cu",
                    "__global__ void k(const int* a, int* c, int n) {\n"
                    "  __shared__ int t[16][16];\n"
                    "  int r = threadIdx.y, x = blockIdx.x * 16 + threadIdx.x, sum = 0;\n"
                    "  for (int m = 0; m < (n + 15) / 16; ++m) {\n"
                    "    t[r][threadIdx.x] = x < n ? a[x * n + 16 * m + r] : 0;\n"
                    "    __syncthreads();\n"
                    "    for (int k = 0; k < 16; ++k) sum += t[r][k];\n" +
                        behind +
                        "  }\n"
                        "  if (x < n) c[r * n + x] = sum;\n"
                        "}\n")
             .string()});
  };
  const auto right = product("    __syncthreads();\n");
  CHECK(right.status == 0);
  CHECK(right.out.starts_with("k ends as CUDA promises"));
  CHECK(contains(right.err, "block 16,16"));
  // What goes wrong in a size that nobody gave is told, and is no answer; nor is a pass.
  const auto racy = product("");
  CHECK(racy.status == 3);
  CHECK(contains(racy.err, "k: unknown: possible race: line"));
  CHECK(contains(racy.err, "in workgroups of 64 threads, which nobody asked for"));
  // Who asks for the launch that is offered sees it go wrong.
  CHECK(offered(racy.err) == "// headway: kernel k grid 2 block 8,8 arg n=64\n");
}

TEST_CASE("kernel/default_launch: a tile is filled also where some values come from none of it") {
  const TemporaryFolder folder;
  const auto looked_at = [&](const std::string& between) {
    return headway::testing::check({folder.write("k.cu", mirrored(between)).string()});
  };
  const auto right = looked_at("    __syncthreads();\n");
  CHECK(right.status == 0);
  CHECK(contains(right.err, "block 128,1,1"));
  const auto racy = looked_at("");
  CHECK(racy.status == 3);
  CHECK(contains(racy.err, "possible race: line"));
}

TEST_CASE("kernel/default_launch: what only a few threads lack is no fault of a kernel for more") {
  const TemporaryFolder folder;
  const auto looked_at = [&](const char* bounds, const char* between,
                             const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {
        folder
            .write("k.cu", std::string("__global__ void ") + bounds +
                               " k(const int* a, int* o) {\n"
                               "  __shared__ int t[64];\n"
                               "  t[threadIdx.x] = a[threadIdx.x];\n" +
                               between +
                               "  if (t[63 - threadIdx.x] > 3)\n"
                               "    o[blockIdx.x * 64 + threadIdx.x] = 1;\n"
                               "}\n")
            .string()};
    words.insert(words.end(), options.begin(), options.end());
    return headway::testing::check(words);
  };
  // Of its launch bounds, where it has such.
  const auto bound = looked_at("__launch_bounds__(64)", "  __syncthreads();\n");
  CHECK(bound.status == 0);
  CHECK(contains(bound.err, "block 64,1,1"));
  CHECK(!contains(bound.err, "possible"));
  const auto racy = looked_at("__launch_bounds__(64)", "");
  CHECK(racy.status == 1);
  // Else of a block in which nothing goes wrong, and what does in small ones is said.
  const auto free = looked_at("", "  __syncthreads();\n");
  CHECK(contains(free.err, "block 64,1,1"));
  CHECK(contains(free.err, "possible uninitialized"));
  // Who gives a size has an answer of that size; who gives something else has not.
  const auto sized = looked_at("", "  __syncthreads();\n", {"--block", "8"});
  CHECK(sized.status == 1);
  CHECK(contains(sized.err, "uninitialized"));
  CHECK(looked_at("", "  __syncthreads();\n", {"--grid", "1"}).status == 0);
}

TEST_CASE("kernel/default_launch: the launch that is offered goes wrong as the one looked at") {
  const TemporaryFolder folder;
  const std::string kernel = mirrored("");
  const auto open = headway::testing::check({folder.write("a.cu", kernel).string()});
  CHECK(open.status == 3);
  const auto asked =
      headway::testing::check({folder.write("b.cu", offered(open.err) + kernel).string()});
  CHECK(asked.status == 1);
  CHECK(contains(asked.err, "race: line "));
}

TEST_CASE("kernel/default_launch: what small blocks leave unwritten is open where none fills it") {
  const TemporaryFolder folder;
  const auto sorting = [&](const std::string& size, const std::string& shift) {
    return headway::testing::check(
        {folder
             .write("k.cu",
                    "__global__ void k(const int* a, int* o, int bit) {\n"
                    "  __shared__ int t[" +
                        size +
                        "];\n"
                        "  int x = threadIdx.x;\n"
                        "  t[x] = a[x] >> " +
                        shift +
                        " & 1;\n"
                        "  __syncthreads();\n"
                        "  if (t[" +
                        size +
                        " - 1 - x]) o[x] = 1;\n"
                        "}\n")
             .string(),
         "--grid", "1"});
  };
  const auto odd = sorting("200", "0");
  CHECK(odd.status == 3);
  CHECK(contains(headway::testing::unfolded(odd.err),
                 "in workgroups of 4 threads, which nobody asked for (--block)"));
  // An integer as large as blocks that fill it may be too large for something else.
  const auto shifted = sorting("128", "bit");
  CHECK(shifted.status == 0);
  CHECK(contains(shifted.err, "block 128,1,1"));
}

TEST_CASE("kernel/default_launch: memory of a workgroup that nobody writes is an error") {
  CHECK(status("__global__ void k(int* o) {\n"
               "  __shared__ int t[4];\n"
               "  if (t[threadIdx.x] > 0) o[blockIdx.x * 4 + threadIdx.x] = 1;\n}\n") == 1);
}

TEST_CASE(
    "kernel/default_launch: a directive is offered on a line of its own, whatever its length") {
  std::string parameters, sum;
  for (int i = 0; i < 20; ++i) {
    parameters += ", int parameter" + std::to_string(i);
    sum += " + parameter" + std::to_string(i);
  }
  const std::string kernel =
      "__global__ void k(int* o" + parameters + ") { o[threadIdx.x] = 0" + sum + "; }\n";
  const TemporaryFolder folder;
  const auto first = headway::testing::check({folder.write("a.cu", kernel).string()});
  const std::string line = offered(first.err);
  CHECK(line.size() > 400);
  const auto again = headway::testing::check({folder.write("b.cu", line + kernel).string()});
  CHECK(again.status == first.status);
  CHECK_FALSE(contains(again.err, "to say so or otherwise"));
}

TEST_CASE("kernel/default_launch: what is given is not called a default") {
  const TemporaryFolder folder;
  const auto given = headway::testing::check(
      {folder.write("a.cu", "__global__ void k(int* o) { o[threadIdx.x] = 0; }\n").string(),
       "--grid", "3", "--block", "2"});
  CHECK(contains(given.err, "kernel k: 3 workgroups of 2 threads; by default: o: unknown data ("));
}

namespace {

std::string said(const std::string& text) {
  const TemporaryFolder folder;
  const auto result = headway::testing::headway({"check", folder.write("k.cu", text).string()});
  return result.out + result.err;
}

// Of a sum over the warps of a block, by shared memory.
std::string sums_warps(const char* barrier) {
  return std::string(
             "__global__ void k(const int* in, int* out) {\n"
             "  __shared__ int s[32];\n"
             "  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = in[threadIdx.x];\n"
             "  for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o);\n"
             "  if (lane == 0) s[warp] = v;\n  ") +
         barrier +
         "\n  v = threadIdx.x < blockDim.x / 32 ? s[lane] : 0;\n"
         "  if (threadIdx.x == 0) out[blockIdx.x] = v + s[blockDim.x / 32 - 1];\n}\n";
}

}  // namespace

TEST_CASE("kernel/default_launch: integers that arithmetic has no result for are told, no error") {
  const std::string divides =
      "__global__ void k(int* d, int n, int columns) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) d[i / columns * columns + i % columns] = i;\n}\n";
  CHECK(status(divides) == 0);
  CHECK(contains(said(divides), "possible division"));
  const std::string shifts =
      "__global__ void k(unsigned* d, unsigned by) {\n"
      "  d[threadIdx.x + 64 * blockIdx.x + ((1u << by) & 0)] = 1;\n}\n";
  CHECK(status(shifts, {"--block", "64"}) == 0);
  CHECK(contains(said(shifts), "k ends"));
  // Also where not all integers that are right can be looked at.
  const std::string quotients =
      "__global__ void k(float* d, const float* a, unsigned n, unsigned m, unsigned by, unsigned "
      "s) {\n"
      "  unsigned i = threadIdx.x + 64 * blockIdx.x;\n"
      "  if (i < n) d[i] = a[((__umulhi(i, m) + i) >> by) * s + i % s];\n}\n";
  CHECK(status(quotients, {"--block", "64", "--timeout", "4"}) != 1);
  // What goes wrong besides is found, and so is what no integer mends.
  const std::string races =
      "__global__ void k(int* d, int n, int columns) { d[n / columns] = threadIdx.x; }\n";
  CHECK(status(races) == 1);
  CHECK(contains(said(races), "race"));
  CHECK(status("__global__ void k(int* d, int n) { d[0] = n / (int)(threadIdx.x / 99); }\n") == 1);
}

TEST_CASE(
    "kernel/default_launch: a kernel of warps is looked at in blocks that fill one, and two") {
  const std::string counts =
      "__global__ void k(const int* in, int* out, unsigned* total) {\n"
      "  __shared__ unsigned cnt[32], base;\n"
      "  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;\n"
      "  unsigned m = __ballot_sync(~0u, in[threadIdx.x] > 0);\n"
      "  if (lane == 0) cnt[warp] = __popc(m);\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) {\n"
      "    unsigned s = 0;\n"
      "    for (int w = 0; w < warps; w++) { unsigned c = cnt[w]; cnt[w] = s; s += c; }\n"
      "    base = atomicAdd(total, s);\n"
      "  }\n"
      "  __syncthreads();\n"
      "  if (lane == 0) out[base + cnt[warp]] = 1;\n}\n";
  CHECK(!contains(said(counts), "goes wrong: step"));
  // A barrier between warps is missed by none of one warp.
  CHECK(!contains(said(sums_warps("__syncthreads();")), "possible race"));
  CHECK(contains(said(sums_warps("")), "possible race"));
}
