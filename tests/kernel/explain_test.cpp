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
