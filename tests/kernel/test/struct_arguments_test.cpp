// Structures that are passed by value: what their pointers go to is memory that the launch has.
#include <doctest/doctest.h>

#include <string>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::contains;

namespace {

// A lock as textbooks have it, whose unlock() is `given`.
std::string locking(const std::string& given) {
  return "struct Lock {\n"
         "  int* mutex;\n"
         "  __device__ void lock() { while (atomicCAS(mutex, 0, 1) != 0); __threadfence(); }\n"
         "  __device__ void unlock() { __threadfence(); " +
         given +
         " }\n"
         "};\n"
         "__global__ void sum(Lock lock, int* c) {\n"
         "  if (threadIdx.x == 0) { lock.lock(); *c += 1; lock.unlock(); }\n"
         "}\n";
}

std::string storing(const std::string& index) {
  return "struct Rows { float scale; float* to; const float* from; };\n"
         "__global__ void k(Rows rows) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  rows.to[" +
         index + "] = rows.scale * rows.from[i];\n}\n";
}

}  // namespace

TEST_CASE(
    "kernel/struct_arguments: a lock whose word a structure points to is taken and given back") {
  const std::string right = locking("atomicExch(mutex, 0);");
  check_rows({{"a.cu", right.c_str(), "check FILE -m OBE", ",pass", "unsupported"},
              {"a.cu", right.c_str(), "check FILE -m HSA", ",fail"},
              {"a.cu", locking("").c_str(), "check FILE -m OBE", ",fail"}});
  const headway::testing::TemporaryFolder folder;
  const auto result = headway::testing::check({folder.write("a.cu", right).string()});
  CHECK(contains(result.err, "lock.mutex: zeros"));
}

TEST_CASE("kernel/struct_arguments: what pointers in a structure go to is given by their names") {
  const std::string right = locking("atomicExch(mutex, 0);");
  // Who finds the lock taken at first waits for ever.
  check_rows({{"a.cu", right.c_str(), "check FILE -m fair --buffer lock.mutex={1}", ",fail"},
              {"a.cu", right.c_str(), "check FILE -m fair --buffer lock.mutex=1:zero", ",pass"},
              {"a.cu", storing("i").c_str(),
               "check FILE -m fair --buffer rows.to=8:zero --buffer rows.from=7:zero",
               "byte 28 of 'rows.from', which has 28"}});
  const headway::testing::TemporaryFolder folder;
  const auto result = headway::testing::check(
      {folder.write("a.cu", right).string(), "--buffer", "lock.mutx=1:zero"});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "has no parameter 'lock.mutx'; it has lock, lock.mutex"));
}

TEST_CASE("kernel/struct_arguments: each pointer goes to a buffer of its own, of unknown data") {
  check_rows({{"a.cu", storing("i").c_str(), "check FILE -m fair", ",pass"},
              {"a.cu", storing("i / 2").c_str(), "check FILE -m fair", "race: line 4"},
              {"a.cu", storing("i + 1").c_str(), "check FILE -m fair", ",pass"}});
  const headway::testing::TemporaryFolder folder;
  const auto result = headway::testing::check({folder.write("a.cu", storing("i")).string()});
  CHECK(contains(result.err, "rows.to: unknown data"));
  CHECK(contains(result.err, "buffers do not overlap"));
}
