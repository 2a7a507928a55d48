// What the commands say of kernels: of their memory, and of options that are for other tests.
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::contains;

using headway::testing::TemporaryFolder;

TEST_CASE("kernel/explain: a variable that nothing has written holds what it was defined with") {
  const TemporaryFolder folder;
  const auto kernel = folder.write("lock.cu",
                                   "__device__ int lock = 3;\n"
                                   "__global__ void work() {\n"
                                   "  while (atomicCAS(&lock, 3, 7) != 3) {}\n"
                                   "  __threadfence();\n"
                                   "  atomicExch(&lock, 3);\n"
                                   "}\n");
  const auto result = headway::testing::headway(
      {"explain", "-m", "HSA", "--grid", "2", "--block", "1", kernel.string()});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.out, "reads lock = 3, writes 7"));
  CHECK(!contains(result.out, "?"));
}

TEST_CASE("kernel/explain: members of structures have their names") {
  const TemporaryFolder folder;
  const auto cuda = folder.write("queue.cu",
                                 "#include <cuda/atomic>\n"
                                 "struct Lock { int owner; int mutex; };\n"
                                 "struct Base { int kind; };\n"
                                 "struct Queue : Base { Lock locks[2]; cuda::atomic<int> tail; };\n"
                                 "__device__ Queue kept[2];\n"
                                 "__global__ void work(Queue* q, float4* v) {\n"
                                 "  __shared__ Lock l;\n"
                                 "  atomicExch(&l.mutex, 3);\n"
                                 "  atomicAdd(&q->locks[1].mutex, 1);\n"
                                 "  atomicAdd(&q[1].kind, 1);\n"
                                 "  q->tail.store(5);\n"
                                 "  atomicExch(&kept[1].locks[0].owner, 2);\n"
                                 "  atomicExch((int*)&v[1].z, 3);\n"
                                 "  while (q->tail.load() == 5) {}\n"
                                 "}\n");
  const auto result = headway::testing::headway(
      {"explain", "-m", "HSA", "--grid", "1", "--block", "1", cuda.string()});
  CAPTURE(result.out);
  CHECK(contains(result.out, "l.mutex=3"));
  CHECK(contains(result.out, "reads q->locks[1].mutex = 0, writes 1"));
  CHECK(contains(result.out, "reads q[1].kind = 0, writes 1"));
  CHECK(contains(result.out, "q->tail = 5"));
  CHECK(contains(result.out, "kept[1].locks[0].owner=2"));
  CHECK(contains(result.out, "v[1].z="));
  const auto opencl = folder.write("queue.cl",
                                   "typedef struct { int owner; int4 seats; } Table;\n"
                                   "kernel void work(global Table* t) {\n"
                                   "  local Table here;\n"
                                   "  here.owner = 1;\n"
                                   "  t->seats.y = 2;\n"
                                   "}\n");
  const auto race = headway::testing::headway(
      {"explain", "-m", "HSA", "--count-benign", "--grid", "1", "--block", "2", opencl.string()});
  CAPTURE(race.out);
  CHECK(contains(race.out, "a write and a write of 'here.owner'"));
}

TEST_CASE("kernel/explain: what is taken for granted, and what is doubtful, is said as by check") {
  const TemporaryFolder folder;
  const auto kernel = folder.write("wait.cu",
                                   "__global__ void wait(int* flag) {\n"
                                   "  if (blockIdx.x == 0) atomicExch(flag, 1);\n"
                                   "  else while (*(volatile int*)flag == 0) {}\n"
                                   "}\n");
  const std::vector<std::string> launch = {"--block", "1", "-m", "HSA", kernel.string()};
  const auto said = [&](const char* command) {
    std::vector<std::string> words = {command};
    words.insert(words.end(), launch.begin(), launch.end());
    return headway::testing::headway(words).err;
  };
  CHECK(contains(said("explain"), "note: kernel wait: "));
  CHECK(said("explain") == said("check"));
}

TEST_CASE("kernel/explain: a number of threads is refused, as a kernel has those of its launch") {
  const TemporaryFolder folder;
  const auto kernel =
      folder.write("set.cl", "kernel void set(global int* f) { atomic_xchg(f, 1); }");
  for (const char* command : {"check", "residency"}) {
    const auto result = headway::testing::headway({command, "-n", "4", kernel.string()});
    CHECK(result.status == 2);
    CHECK(contains(result.err, "give --grid and --block, not --threads"));
  }
}

TEST_CASE("kernel/explain: the steps of a large launch have the numbers of its threads") {
  const TemporaryFolder folder;
  const auto kernel =
      folder.write("two.cu", "__global__ void two(int* out) { out[threadIdx.x] = blockIdx.x; }\n");
  const auto result =
      headway::testing::check({"--format", "json", "--block", "64", kernel.string()});
  // Thread 0 of block 1, which races with thread 0 of block 0.
  CHECK(contains(result.out, "\"thread\": 64"));
}

TEST_CASE("kernel/explain: a race is shown as two accesses, and what a step folds is said") {
  const TemporaryFolder folder;
  const auto kernel = folder.write("add.cu",
                                   "__global__ void add(int* counter, int* lock, int n) {\n"
                                   "  while (atomicExch(lock, 1) != 0) {}\n"
                                   "  counter[1] = n * n;\n"
                                   "  counter[2] = n << (n & 3);\n"
                                   "  counter[0] = counter[0] + 1;\n"
                                   "  *lock = 0;\n"
                                   "}\n");
  for (const char* command : {"check", "explain"}) {
    CAPTURE(command);
    std::vector<std::string> words = {command, kernel.string(), "--grid",   "2", "--block",
                                      "1",     "--buffer",      "counter=4"};
    words.insert(words.end(), {"-m", "HSA"});
    const std::string out = headway::testing::headway(words).out;
    CAPTURE(out);
    CHECK(contains(out, "; lines 3-5, unseen by others"));
    CHECK(contains(out, "writes lock[0], unseen by others but for the race"));
    CHECK(contains(out, "counter[0]=counter[0]+1"));
    CHECK(contains(out, "counter[1]=n*n"));
    CHECK(contains(out, "counter[2]=?"));
    CHECK_FALSE(contains(out, "bv"));
    CHECK(contains(out, "\n2     0       6     *lock = 0;"));
    CHECK(contains(out, "\n3     1       2     while"));
  }
}

TEST_CASE("kernel/explain: lines that no thread reaches are named, in words and in JSON") {
  const TemporaryFolder folder;
  const auto kernel = folder
                          .write("queue.cu",
                                 "__global__ void queue(int* count, int* out) {\n"
                                 "  int n = atomicAdd(count, 0);\n"
                                 "  for (int i = 0; i < n; i++) {\n"
                                 "    while (atomicAdd(&out[i], 0) == 0) {}\n"
                                 "    __syncthreads();\n"
                                 "  }\n"
                                 "  atomicExch(&out[0], 1);\n"
                                 "}\n"
                                 "__global__ void relay(int* flag) {\n"
                                 "  if (blockIdx.x > 1)\n"
                                 "    while (atomicAdd(flag, 0) == 0) {}\n"
                                 "  if (blockIdx.x == 0) atomicExch(flag, 1);\n"
                                 "}\n")
                          .string();
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"check", kernel});
    return headway::testing::headway(more);
  };
  const auto both = check({});
  CHECK(contains(both.err,
                 "kernel queue: no thread reaches lines 4, 5 in this launch, so that nothing is "
                 "said of them; other values (--arg, --buffer) or sizes (--grid, --block) may"));
  CHECK(contains(both.err, "kernel relay: no thread reaches line 11 in this launch"));
  CHECK_FALSE(contains(check({"--kernel", "relay", "--grid", "3"}).err, "no thread reaches"));
  CHECK_FALSE(contains(
      check({"--kernel", "queue", "--buffer", "count={1}", "--buffer", "out={1}", "--block", "1"})
          .err,
      "no thread reaches"));
  const auto json = check({"--kernel", "relay", "--format", "json"});
  CHECK(contains(json.out, "\"unreached_lines\": [\n      11\n    ]"));
}

TEST_CASE("kernel/explain: where check and verify differ, both say why") {
  const TemporaryFolder folder;
  const auto spin = folder.write("spin.cu",
                                 "__global__ void spin(volatile int* flag) {\n"
                                 "  if (blockIdx.x == 0) *flag = 1;\n"
                                 "  else while (*flag == 0) {}\n"
                                 "}\n");
  const auto said = [&](const char* command, const std::string& file) {
    const auto result = headway::testing::headway({command, file, "--grid", "2", "--block", "1"});
    return result.out + result.err;
  };
  CHECK(contains(said("check", spin.string()),
                 "taken for granted: volatile accesses are relaxed atomic ones (for verify they "
                 "are plain)"));
  CHECK(contains(said("verify", spin.string()),
                 "; volatile accesses are plain ones here, and for check relaxed atomic ones"));
  // Memory may hold anything at first for verify, and holds zeros for check unless that is said.
  const auto flag = folder.write("flag.cu",
                                 "__global__ void flag(int* data, int* flag, int* out) {\n"
                                 "  if (blockIdx.x == 0) {\n"
                                 "    *data = 1;\n"
                                 "    __threadfence();\n"
                                 "    atomicExch(flag, 1);\n"
                                 "  } else {\n"
                                 "    while (atomicAdd(flag, 0) == 0) {}\n"
                                 "    __threadfence();\n"
                                 "    *out = *data;\n"
                                 "  }\n"
                                 "}\n");
  CHECK(contains(said("check", flag.string()), "flag: zeros"));
  // Which elements it is about is looked for as long as there is time.
#ifdef HEADWAY_SANITIZED
  CHECK(contains(said("verify", flag.string()), " at first"));
#else
  CHECK(contains(said("verify", flag.string()), ", where flag[0] = 1 at first"));
#endif
}

TEST_CASE("kernel/explain: of a host program what is violated stands first") {
  const TemporaryFolder folder;
  const auto program =
      folder.write("two.cu",
                   "__global__ void a(int* x) { x[0] = threadIdx.x; }\n"
                   "int main() { int* p; cudaMalloc(&p, 4); a<<<1, 2>>>(p); cudaFree(p); }\n");
  const auto result = headway::testing::headway({"check", program.string()});
  CHECK(result.status == 1);
  CHECK(contains(result.out, " goes wrong: race, line 1 of a: "));
  CHECK(result.out.find("violated") < result.out.find("assertion"));
}
