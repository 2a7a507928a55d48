// headway check: files of several kinds, and files that are none.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::read_file;
using headway::testing::check;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;

namespace {

const char* const kFlag =
    "litmus flag\nlocations m;\nthread 0 { m = 1; }\nthread 1 { while (Load(m) == 0); }\n";

std::string memory_test() { return read_file(source_dir() / "examples/memory/lock.litmus"); }

}  // namespace

TEST_CASE("cli/check: a folder of tests of memory and of others has an answer for each") {
  const TemporaryFolder folder;
  // Whichever comes first.
  for (const char* name : {"a.litmus", "z.litmus"}) {
    CAPTURE(name);
    const TemporaryFolder mixed;
    mixed.write(name, memory_test());
    mixed.write("flag.litmus", kFlag);
    const CommandResult result = check({mixed.path().string()});
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(contains(result.out, "flag"));
    CHECK(contains(result.out, "rc11"));
    CHECK(contains(result.out, "does not hold"));
  }
}

TEST_CASE("cli/check: rows of tests of two kinds do not go into one list") {
  const TemporaryFolder folder;
  folder.write("a.litmus", memory_test());
  folder.write("flag.litmus", kFlag);
  for (const char* format : {"csv", "json", "junit"}) {
    CAPTURE(format);
    const CommandResult result = check({"--format", format, "."}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(contains(result.err, "a.litmus asks what memory may do, and"));
    CHECK(contains(result.err, "expected tests of one kind with --format"));
  }
}

TEST_CASE("cli/check: a link in a circle is named, and the others are decided") {
  const TemporaryFolder folder;
  folder.write("flag.litmus", kFlag);
  for (const char* name : {"round.litmus", "round.txt"}) {
    std::filesystem::create_symlink(name, folder.path() / name);
    CAPTURE(name);
    const CommandResult result = check({name, "flag.litmus"}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(contains(result.out, "flag"));
    CHECK(contains(result.err, std::string(name) + ": cannot open: Too many levels of symbolic"));
  }
}

#ifdef HEADWAY_KERNELS
TEST_CASE("cli/check: files without a kernel are passed over in a folder, and no others") {
  const TemporaryFolder folder;
  folder.write("all/k.cu", "__global__ void k(int* a) { a[blockIdx.x * 4 + threadIdx.x] = 1; }\n");
  folder.write("all/util.cuh", "__device__ inline int f(int a) { return a; }\n");
  folder.write("all/host.cu", "int twice(int a) { return 2 * a; }\n");
  folder.write("none/util.cuh", "__device__ inline int f(int a) { return a; }\n");
  const std::string message = "util.cuh: there is no kernel in this file";
  for (const char* command : {"check", "verify"}) {
    CAPTURE(command);
    const auto asked = [&](const std::string& path) {
      return headway::testing::headway({command, path, "--block", "4", "--grid", "2"},
                                       in(folder.path()));
    };
    const CommandResult all = asked("all");
    CHECK(all.status == 0);
    CHECK(contains(all.err, "note: all/" + message));
    CHECK(contains(all.err, "note: all/host.cu: there is no kernel in this file"));
    const CommandResult one = asked("all/util.cuh");
    CHECK(one.status == 2);
    CHECK(contains(one.err, message));
    CHECK_FALSE(contains(one.err, "note: all/"));
    CHECK(asked("none").status == 2);
  }
}

TEST_CASE("cli/check: programs of a folder are run where somebody asks, and named otherwise") {
  const TemporaryFolder folder;
  folder.write(
      "races.cu",
      "__global__ void k(int* a) { *a = 1; }\n"
      "int main() { int *h, *d; cudaMallocHost(&h, 4); cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
      "  cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); int x = *h; cudaFree(d);\n"
      "  cudaFreeHost(h); return x & 0; }\n");
  folder.write("kernel.cu", "__global__ void one(int* a) { a[threadIdx.x] = 1; }\n");
  const std::string path = folder.path().string();
  const CommandResult kernels = headway::testing::headway({"check", path});
  CHECK(kernels.status == 0);
  CHECK(contains(kernels.err, "races.cu: of a program with a function main in a folder"));
  const CommandResult programs = headway::testing::headway({"check", path, "--main"});
  CHECK(programs.status == 1);
  CHECK(contains(programs.out, "races.cu goes wrong: race"));
  CHECK_FALSE(contains(programs.err, "with a function main"));
}

TEST_CASE("cli/check: a kernel that is a link in a circle, or in UTF-16, is named") {
  const TemporaryFolder folder;
  folder.write("k.cu", "__global__ void k(int* a) { a[threadIdx.x + 4 * blockIdx.x] = 1; }\n");
  std::filesystem::create_symlink("round.cu", folder.path() / "round.cu");
  const CommandResult round = check({"round.cu", "k.cu"}, in(folder.path()));
  CHECK(round.status == 2);
  CHECK(contains(round.out, "k.cu:k"));
  CHECK(contains(round.err, "round.cu: cannot open: Too many levels of symbolic"));
  const std::string wide("\xff\xfe#\0v\0", 6);
  for (const char* name : {"wide.comp", "wide.hlsl"}) {
    CAPTURE(name);
    folder.write(name, wide);
    const CommandResult result = check({name}, in(folder.path()));
    CHECK(result.status == 2);
    CHECK(contains(result.err, std::string(name) + ":1:1: UTF-16; expected a text file in UTF-8"));
  }
}
#endif
