// What commands answer to who asks about a kernel of his own, without options: no wrong alarm, no
// invented number, an exit status that tells the worst.
#ifdef HEADWAY_KERNELS
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;
using headway::testing::unfolded;

namespace {

CommandResult asked(const std::string& text, std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.push_back(folder.write("a.cu", text).string());
  return headway::testing::headway(words);
}

constexpr const char* kReduce =
    "__global__ void sum(const float* in, float* out) {\n"
    "  float v = in[threadIdx.x];\n"
    "  for (int o = 16; o > 0; o >>= 1)\n"
    "    v += __shfl_down_sync(0xffffffff, v, o);\n"
    "  if (threadIdx.x == 0) atomicAdd(out, v);\n}\n";

std::string waiting(int blocks) {
  return "__global__ void wait(int* flag) {\n"
         "  if (blockIdx.x == gridDim.x - 1) atomicExch(flag, 1);\n"
         "  else\n"
         "    while (atomicAdd(flag, 0) == 0);\n}\n"
         "int main() {\n"
         "  int* flag;\n  cudaMalloc(&flag, 4);\n  cudaMemset(flag, 0, 4);\n  wait<<<" +
         std::to_string(blocks) +
         ", 1>>>(flag);\n  cudaDeviceSynchronize();\n  cudaFree(flag);\n}\n";
}

}  // namespace

TEST_CASE("cli/kernel_answers: a lane that the default block lacks is no fault of the kernel") {
  std::string bounded = kReduce;
  bounded.insert(bounded.find("void"), "__launch_bounds__(4) ");
  const CommandResult result = asked(bounded, {"check"});
  CHECK(result.status == 3);
  const std::string said = unfolded(result.out + result.err);
  CHECK(contains(said, "line 4"));
  CHECK(contains(said,
                 "which takes no part in this shuffle, in workgroups of 4 threads, which "
                 "nobody asked for; --block 32 fills a subgroup"));
  CHECK(asked(kReduce, {"check", "--block", "32", "--grid", "1"}).status == 0);
  CHECK(asked(kReduce, {"check"}).status == 0);
  // Who asks for such a block is told of an error.
  const CommandResult small = asked(kReduce, {"check", "--block", "4", "--grid", "1"});
  CHECK(small.status == 1);
  CHECK(contains(unfolded(small.err), "which takes no part in this shuffle"));
}

TEST_CASE("cli/kernel_answers: what goes wrong counts for more than what is open") {
  const std::string both =
      "__global__ void bad(int* a) { a[0] = threadIdx.x; }\n"
      "__global__ void open(int* a) { asm(\"vadd.s32.s32.s32 %0, %0, %0;\" : \"+r\"(*a)); }\n";
  CHECK(asked(both, {"check", "--kernel", "open"}).status == 3);
  for (const char* command : {"check", "verify"}) {
    CAPTURE(command);
    CHECK(asked(both, {command}).status == 1);
  }
}

TEST_CASE("cli/kernel_answers: a program that hangs says who waits for whom, and invents no room") {
  const CommandResult two = asked(waiting(2), {"check"});
  CHECK(two.status == 1);
  const std::string said = unfolded(two.out);
  CHECK(contains(said, "block 0 waits at line 4 for block 1, which need not have started"));
  CHECK(contains(said, "it needs 2 blocks at once, which a cooperative launch has"));
  CHECK_FALSE(contains(said, "2 fit"));
  CHECK(contains(unfolded(asked(waiting(3), {"check"}).out), "it needs 3 blocks at once, which"));
}

TEST_CASE(
    "cli/kernel_answers: a program is warned of what lockstep makes endless, as a kernel is") {
  const std::string program =
      "__device__ int lock, counter;\n"
      "__global__ void count() {\n"
      "  while (atomicCAS(&lock, 0, 1) != 0);\n"
      "  __threadfence(); counter++; __threadfence();\n"
      "  atomicExch(&lock, 0);\n}\n"
      "int main() { count<<<1, 2>>>(); cudaDeviceSynchronize(); }\n";
  const CommandResult whole = asked(program, {"check"});
  CHECK(whole.status == 0);
  CHECK(contains(unfolded(whole.err),
                 "line 3 of count: a loop waits for line 5 of another thread "
                 "of its subgroup, which in lockstep"));
  const std::string apart =
      "__global__ void one() {}\nint main() { one<<<1, 2>>>(); cudaDeviceSynchronize(); }\n";
  CHECK_FALSE(contains(asked(apart, {"check"}).err, "lockstep"));
}

TEST_CASE("cli/kernel_answers: directives may stand behind a byte order mark") {
  const std::string text =
      "// headway: kernel k grid 1 block 2\n"
      "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n";
  const CommandResult marked = asked("\xef\xbb\xbf" + text, {"check"});
  CHECK(marked.status == 0);
  CHECK(marked.out == asked(text, {"check"}).out);
}

TEST_CASE("cli/kernel_answers: a kernel takes no command more time than it has") {
  const std::string endless =
      "__global__ void k(unsigned* a, unsigned* b, int n) {\n"
      "  for (unsigned i = 0; i < 2000000000u; i += 1 + (a[i & 7] & 1)) b[threadIdx.x] += i;\n}\n";
  const CommandResult residency = asked(endless, {"residency", "--timeout", "1"});
  CHECK(residency.status == 3);
  CHECK(contains(residency.err, "unknown: "));
  const CommandResult report = asked(endless, {"report", "-o", "-", "--timeout", "1"});
  CHECK(report.status == 3);
  CHECK(contains(report.err, "unknown: "));
}

TEST_CASE("cli/kernel_answers: where proofs do not help, a smaller launch is named") {
  const std::string scan =
      "__global__ void k(const int* in, int* state, int* out, int n) {\n"
      "  if (blockIdx.x > 0) while (atomicAdd(&state[blockIdx.x - 1], 0) == 0);\n"
      "  for (int i = 0; i < n; ++i) atomicAdd(&out[in[i] & 7], 1);\n"
      "  atomicExch(&state[blockIdx.x], 1);\n}\n";
  const CommandResult open = asked(scan, {"check", "--max-states", "300"});
  CHECK(open.status == 3);
  CHECK(contains(unfolded(open.err), "a smaller launch (--grid, --block)"));
}

TEST_CASE("cli/kernel_answers: that too many executions end is proved, where nobody waits") {
  const std::vector<std::string> some = {"check", "--block", "32", "--max-states", "500"};
  const char* counts =
      "__global__ void k(unsigned* next, int* out) {\n"
      "  unsigned c = atomicAdd(next, 1); out[threadIdx.x + blockDim.x * blockIdx.x] = c; }\n";
  const CommandResult proved = asked(counts, some);
  CHECK(proved.status == 0);
  CHECK(contains(proved.out, "ends as CUDA promises"));
  CHECK(contains(unfolded(proved.err), "is proved as by 'headway verify'"));
  // A race, a barrier that some threads miss, and a thread that waits are none of a proof.
  const char* races =
      "__global__ void k(unsigned* next, int* out) {\n"
      "  unsigned c = atomicAdd(next, 1); if (c == 31 || c == 63) out[0] = c; }\n";
  const char* misses =
      "__global__ void k(unsigned* next) {\n"
      "  if (atomicAdd(next, 1) != 40) __syncthreads(); }\n";
  const char* waits =
      "__global__ void k(unsigned* next) {\n"
      "  if (atomicAdd(next, 1) > 50) while (atomicAdd(next + 1, 0) == 0); }\n";
  const char* last =
      "__global__ void k(unsigned* next, unsigned n) {\n"
      "  for (unsigned i = 0; i != n; i += 2) atomicAdd(next, 1); }\n";
  for (const char* text : {races, misses, waits, last}) {
    INFO(text);
    const CommandResult open = asked(text, some);
    CHECK(open.status != 0);
    CHECK_FALSE(contains(unfolded(open.err), "is proved"));
  }
  // What the proof does not look at may go wrong in executions that nobody looked at.
  const char* divides =
      "__global__ void k(unsigned* next, int* out) {\n"
      "  unsigned c = atomicAdd(next, 1); out[threadIdx.x + blockDim.x * blockIdx.x] = 7 / (c - "
      "62); }\n";
  const char* shifts =
      "__global__ void k(unsigned* next, int* out) {\n"
      "  unsigned c = atomicAdd(next, 1); out[threadIdx.x + blockDim.x * blockIdx.x] = 7 << c; }\n";
  const char* reads =
      "__global__ void k(unsigned* next, int* out) { __shared__ int tile[32];\n"
      "  unsigned c = atomicAdd(next, 1); if (c == 62 && tile[threadIdx.x] == 1) *out = 1; }\n";
  for (const char* text : {divides, shifts, reads}) {
    INFO(text);
    const CommandResult open = asked(text, some);
    CHECK(open.status == 3);
    CHECK(contains(unfolded(open.err),
                   "is proved as by 'headway verify', and not that all values "
                   "are set, and numbers divided by others than 0"));
  }
  const char* leaves =
      "__device__ int row[4];\n__global__ void k(unsigned* next) {\n"
      "  unsigned c = atomicAdd(next, 1); if (c < 62 && c > 60) row[c] = 1; }\n";
  const CommandResult beyond = asked(leaves, {"check", "--block", "32", "--max-states", "40"});
  CHECK(beyond.status == 3);
  CHECK(contains(unfolded(beyond.err), "and not that accesses stay within their memory"));
}
#endif
