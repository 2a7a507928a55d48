// What is said of launches that go right here and may not elsewhere: each with a kernel that
// deserves it, and a twin that does not.
#include <doctest/doctest.h>

#include <sstream>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"
#include "support/texts.hpp"

using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// The warnings of `headway check` about the kernel of a text, under its directives.
std::string warnings(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  const auto result = headway::testing::check({"-m", "fair", folder.write(name, text).string()});
  CAPTURE(result.err);
  CHECK(result.status != 2);
  CHECK(!contains(result.out, "unknown"));
  std::string warned;
  std::istringstream lines(headway::testing::unfolded(result.err));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("warning: ")) warned += line.substr(line.rfind(": ") + 2) + "\n";
  }
  return warned;
}

const std::string kLaunch =
    "// headway: kernel k grid 2 block 2 buffer lock=1:zero, counter=1:zero\n"
    "__global__ void k(int* lock, int* counter) {\n";
const std::string kWork = "__threadfence(); ++*counter; __threadfence();";

}  // namespace

TEST_CASE("kernel/test/warnings: a lock that is released behind its loop hangs in lockstep") {
  const std::string text =
      kLaunch + "while (atomicCAS(lock, 0, 1) != 0);\n" + kWork + "\natomicExch(lock, 0); }\n";
  const std::string said = warnings("lock.cu", text);
  CHECK(contains(said, "waits for line 5 of another thread of its subgroup"));
  CHECK(contains(said, "goes round behind that line"));
  // Alone in a subgroup nobody waits for a thread of it.
  CHECK(warnings("lock.cu", "// headway: subgroup 1\n" + text).empty());
}

TEST_CASE("kernel/test/warnings: a lock that is released in each round of its loop does not") {
  CHECK(warnings("lock.cu", kLaunch +
                                "bool done = false; while (!done) {\n"
                                "if (atomicCAS(lock, 0, 1) == 0) {\n" +
                                kWork + "atomicExch(lock, 0); done = true; } } }\n")
            .empty());
}

TEST_CASE("kernel/test/warnings: nor do one thread of each subgroup, or one after the other") {
  const std::string critical =
      "{ while (atomicCAS(lock, 0, 1) != 0);\n" + kWork + "atomicExch(lock, 0); }";
  CHECK(warnings("lock.cu", kLaunch + "if (threadIdx.x == 0)" + critical + "}\n").empty());
  CHECK(warnings("lock.cu",
                 kLaunch + "for (int i = 0; i < 2; i++) if (i == threadIdx.x)" + critical + "}\n")
            .empty());
  CHECK(contains(warnings("lock.cu", kLaunch + "for (int i = 0; i < 2; i++)" + critical + "}\n"),
                 "waits for line 4"));
}

TEST_CASE("kernel/test/warnings: a flag set on the other side of a branch may come second") {
  const std::string wait = "while (atomicAdd(lock, 0) == 0);";
  CHECK(contains(warnings("flag.cu", kLaunch + "if (threadIdx.x == 1) { " + wait +
                                         "}\nelse atomicExch(lock, 1); }\n"),
                 "waits for line 4 of another thread of its subgroup, on another side"));
  CHECK(warnings("flag.cu", kLaunch + "if (threadIdx.x == 0) atomicExch(lock, 1);\n" + wait + "}\n")
            .empty());
  CHECK(warnings("flag.cu",
                 kLaunch + "if (blockIdx.x == 1) { " + wait + "}\nelse atomicExch(lock, 1); }\n")
            .empty());
}

TEST_CASE("kernel/test/warnings: a barrier that other launches may part is told from one for all") {
  const auto guarded = [](const std::string& condition) {
    return "// headway: kernel k grid 2 block 2 arg n=4\n"
           "__global__ void k(int* a, int n) {\n"
           "__shared__ int s[2];\n"
           "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "if (" +
           condition +
           ") return;\n"
           "s[threadIdx.x] = i;\n"
           "__syncthreads();\n"
           "a[i] = s[1 - threadIdx.x]; }\n";
  };
  const std::string said = warnings("guard.cu", guarded("i >= n"));
  CHECK(contains(said, "line 5 may keep some threads from this barrier"));
  CHECK(contains(said, "CUDA allows that only where the condition is the same"));
  CHECK(warnings("guard.cu", guarded("n < 0")).empty());
  CHECK(warnings("guard.cu", guarded("blockIdx.x * blockDim.x >= n")).empty());
}

TEST_CASE("kernel/test/warnings: what all threads read of one place keeps them together") {
  const auto kernel = [](const std::string& source) {
    return "// headway: kernel k grid 1 block 2 buffer next=1:zero, a=2:zero\n"
           "__global__ void k(int* next, int* a) {\n"
           "__shared__ int item;\n"
           "for (;;) {\n"
           "if (threadIdx.x == 0) item = atomicAdd(next, 1);\n"
           "__syncthreads();\n"
           "int own = " +
           source +
           ";\n"
           "__syncthreads();\n"
           "if (own >= 2) break; } }\n";
  };
  CHECK(warnings("queue.cu", kernel("item")).empty());
  // The same here, but for the text a value of its own for each thread.
  CHECK(contains(warnings("queue.cu", kernel("item + a[threadIdx.x]")), "line 9"));
}

TEST_CASE("kernel/test/warnings: OpenCL C and Vulkan ask for the same in words of their own") {
  CHECK(contains(warnings("guard.cl",
                          "// headway: kernel k grid 1 block 2 arg n=2\n"
                          "kernel void k(global int* a, int n) {\n"
                          "if (get_local_id(0) < n) barrier(CLK_LOCAL_MEM_FENCE); }\n"),
                 "in OpenCL C all work-items of a work-group come to a barrier, or none"));
  if (!headway::testing::compiles_shaders()) return;
  const auto shader = [](const std::string& condition) {
    return "#version 450\n"
           "// headway: groups 1 subgroup 2 buffer data=1:{2}\n"
           "layout(local_size_x = 2) in;\n"
           "layout(set = 0, binding = 0) buffer Data { uint n; } data;\n"
           "void main() { if (" +
           condition + " < data.n) barrier(); }\n";
  };
  CHECK(contains(warnings("guard.comp", shader("gl_LocalInvocationIndex")), "Vulkan promises"));
  CHECK(warnings("guard.comp", shader("gl_WorkGroupID.x")).empty());
}

TEST_CASE("kernel/test/warnings: a spin on a plain load is told, also where it races at once") {
  const auto spin = [](const std::string& type) {
    return "// headway: kernel k grid 2 block 1 buffer flag=1:zero\n"
           "__global__ void k(" +
           type +
           "* flag) {\n"
           "if (blockIdx.x == 0) *flag = 1; else\n"
           "while (*flag == 0); }\n";
  };
  CHECK(contains(warnings("spin.cu", spin("int")), "a compiler may move out of the loop"));
  CHECK(warnings("spin.cu", spin("volatile int")).empty());
  // A loop that counts does not wait.
  CHECK(warnings("sum.cu",
                 "// headway: kernel k grid 2 block 1 buffer a=1:zero, out=2\n"
                 "__global__ void k(int* a, int* out) {\n"
                 "if (blockIdx.x == 0) { *a = 1; return; }\n"
                 "int sum = 0; for (int i = 0; i < 3; i++) sum += *a; out[1] = sum; }\n")
            .empty());
}

TEST_CASE("kernel/test/warnings: no spin is told of what no thread of the launch writes") {
  // Each round reads another place, and only wrong data make it endless.
  const std::string chase =
      "// headway: kernel chase grid 1 block 1 buffer next=2:{1,0}\n"
      "__global__ void chase(const int* next, int* out) {\n"
      "int p = 0; while (p != -1) p = next[p];\n*out = p; }\n";
  CHECK(warnings("chase.cu", chase).empty());
  // Nor of a loop that writes elsewhere.
  const std::string search =
      "// headway: kernel bs grid 1 block 1 buffer keys=2:{1,2} buffer q=1:{5}\n"
      "__global__ void bs(const int* keys, const int* q, int* out) {\n"
      "int lo = 0, hi = 2;\n"
      "while (lo < hi) { int mid = (lo + hi) / 2;\n"
      "if (keys[mid] < q[0]) lo = mid; else hi = mid; }\n*out = lo; }\n";
  CHECK(warnings("bs.cu", search).empty());
  // Who does nothing but look may wait for the host.
  CHECK(contains(warnings("host.cu",
                          "// headway: kernel k grid 1 block 1 buffer flag=1:zero\n"
                          "__global__ void k(int* flag) { while (*flag == 0); }\n"),
                 "a compiler may move out of the loop"));
}
