// What check says first of a kernel: what the text of its language promises of it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using headway::testing::contains;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;

namespace {

std::string kernel(const std::string& name) {
  return (source_dir() / "litmus/kernels" / name).string();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string answer(std::vector<std::string> words) {
  words.insert(words.begin(), "check");
  const auto result = headway::testing::headway(words);
  CAPTURE(result.err);
  return first_line(result.out);
}

// Thread 1 waits for thread 0 of its block, as written in the line `wait`.
std::string within_a_block(const std::string& wait) {
  return "__global__ void pair(int* f) {\n"
         "  if (threadIdx.x == 0) atomicExch(f, 1);\n"
         "  else " +
         wait + "\n}\n";
}

}  // namespace

TEST_CASE("cli/promise: of a hang it is said who waits where for whom, and what would help") {
  CHECK(
      answer({kernel("chained-scan.cu")}) ==
      "scan may hang as CUDA promises: block 1 waits at line 15 for block 0, which need not "
      "have started; ends in a cooperative launch, or if ids are drawn (docs/reference/kernels.md, "
      "\"Drawn ids\")");
  // The first line of the sentence.
  CHECK(answer({kernel("chained-scan.cl")}) ==
        "scan may hang as OpenCL promises: workgroup 1 waits at line 11 for workgroup 0, which "
        "need not have started; ends where workgroups that have started go on (OBE) and ids are "
        "drawn");
  // Waiting in both directions, no order of starting helps.
  const std::string barrier = answer({kernel("grid-barrier.cu")});
  CAPTURE(barrier);
  CHECK(contains(barrier, "for block "));
  CHECK(barrier.ends_with("; ends in a cooperative launch"));
}

TEST_CASE("cli/promise: a limit does not change what would help, but may leave it unsaid") {
  const TemporaryFolder folder;
  const std::string lock =
      folder
          .write("k.cl",
                 "// headway: kernel k grid 2 block 2 buffer lock=1:zero\n"
                 "kernel void k(global atomic_int* lock, global int* n) {\n"
                 "  int free = 0;\n"
                 "  while (!atomic_compare_exchange_strong(lock, &free, 1)) free = 0;\n"
                 "  n[0] += 1;\n"
                 "  atomic_store(lock, 0);\n}\n")
          .string();
  CHECK(contains(answer({lock}), "; ends where workgroups that have started go on (OBE)"));
  for (const int states : {20, 40, 60, 80, 100, 120}) {
    const std::string limited = answer({lock, "--max-states", std::to_string(states)});
    CAPTURE(limited);
    CHECK((!contains(limited, "; ends") || limited.ends_with(" go on (OBE)")));
  }
}

TEST_CASE("cli/promise: what ends as the text promises is said in a sentence") {
  CHECK(answer({kernel("chained-scan-drawn.cu")}) == "scan ends as CUDA promises");
  CHECK(answer({kernel("vector-add.cl")}) == "add ends as OpenCL promises");
  CHECK(answer({kernel("grid-sync.cu")}) == "meet ends as CUDA promises of a cooperative launch");
  const TemporaryFolder folder;
  const auto pair = folder.write("pair.cu", within_a_block("while (atomicAdd(f, 0) == 0) {}"));
  CHECK(answer({"--grid", "1", "--block", "2", pair.string()}) == "pair ends as CUDA promises");
}

TEST_CASE("cli/promise: threads of one workgroup wait for each other by their own numbers") {
  const TemporaryFolder folder;
  const auto pair = folder.write("pair.cl",
                                 "kernel void pair(global int* f) {\n"
                                 "  if (get_local_id(0) == 0) atomic_xchg(f, 1);\n"
                                 "  else while (atomic_add(f, 0) == 0) {}\n"
                                 "}\n");
  CHECK(answer({"--grid", "1", "--block", "2", pair.string()}) ==
        "pair may hang as OpenCL promises: thread 1 waits at line 3 for thread 0, which need not "
        "have started; ends where workgroups that have started go on (OBE)");
}

TEST_CASE("cli/promise: what hangs however threads are run is said so") {
  const TemporaryFolder folder;
  const auto never = folder.write("never.cu",
                                  "__global__ void never(int* f) {\n"
                                  "  while (atomicAdd(f, 0) == 0) {}\n"
                                  "}\n");
  CHECK(answer({"--grid", "2", "--block", "1", never.string()}) ==
        "never may hang as CUDA promises: block 0 loops at line 2, and others do not help");
}

TEST_CASE("cli/promise: rows of the language's own text, and those of the literature on demand") {
  const auto own = headway::testing::check({"--format", "csv", kernel("spin-lock.cu")});
  CHECK(own.out ==
        "test,model,fairness,verdict\n"
        "count,CUDA,weak,pass\ncount,CUDA,strong,pass\n"
        "count,CUDA-cooperative,weak,pass\ncount,CUDA-cooperative,strong,pass\n");
  const auto all =
      headway::testing::check({"--format", "csv", "--models", "all", kernel("spin-lock.cu")});
  CHECK(all.out.starts_with(own.out + "count,unfair,weak,fail\n"));
  CHECK(contains(all.out, "count,OBE,weak,pass\n"));
  // Named, they are all that there is, and no sentence is said.
  const auto named = headway::testing::check({"-m", "OBE", kernel("spin-lock.cu")});
  CHECK(first_line(named.out) == "count");
  // Of tests of another kind nothing is changed.
  const std::string lock = (source_dir() / "litmus/spin-mutex.litmus").string();
  CHECK(headway::testing::check({"-m", "all", lock}).out == headway::testing::check({lock}).out);
}

TEST_CASE("cli/promise: what is required of all is an expectation, but where a test has its own") {
  const TemporaryFolder folder;
  const std::string scan =
      "__global__ void scan(int* f) {\n"
      "  if (blockIdx.x > 0) while (atomicAdd(&f[blockIdx.x - 1], 0) == 0) {}\n"
      "  atomicExch(&f[blockIdx.x], 1);\n"
      "}\n";
  const std::string launch = "// headway: kernel scan grid 2 block 1 buffer f=2:zero\n";
  const auto silent = folder.write("silent.cu", launch + scan);
  const auto told = folder.write("told.cu", launch + "// headway: expect fail CUDA\n" + scan);
  CHECK(headway::testing::check({silent.string()}).status == 0);
  const auto unmet = headway::testing::check({"--require", "CUDA", silent.string()});
  CHECK(unmet.status == 1);
  CHECK(contains(unmet.err, "silent.cu: expected CUDA:weak to pass; it fails"));
  CHECK(headway::testing::check({"--require", "CUDA-cooperative", silent.string()}).status == 0);
  CHECK(headway::testing::check({"--require", "CUDA", told.string()}).status == 0);
  CHECK(headway::testing::check({"--require", "CUDA", "-m", "fair", silent.string()}).status == 1);
  CHECK(headway::testing::check({"--require", "CUDA", "--fairness", "strong", silent.string()})
            .status == 1);
}

TEST_CASE("cli/promise: a program with a host side is answered for in a sentence, too") {
  const TemporaryFolder folder;
  const auto program = [&](const char* name, const std::string& wait) {
    return folder
        .write(name, "#include <cuda_runtime.h>\n__global__ void k(int* f) {\n" + wait +
                         "}\nint main() {\n  int* d;\n  cudaMalloc(&d, 8);\n"
                         "  cudaMemset(d, 0, 8);\n  k<<<2, 1>>>(d);\n"
                         "  cudaDeviceSynchronize();\n  cudaFree(d);\n  return 0;\n}\n")
        .string();
  };
  const std::string right = program("right.cu", "  atomicExch(f, 1);\n");
  CHECK(answer({right}) == right + " ends as CUDA promises, and nothing goes wrong");
  const std::string wrong = program("wrong.cu",
                                    "  if (blockIdx.x) while (atomicAdd(f, 0) == 0) {}\n"
                                    "  else atomicExch(f, 1);\n");
  CHECK(answer({wrong}).starts_with(
      wrong +
      " may hang as CUDA promises: line 3 of k: block 1 waits at line 3 for block 0, which "
      "need not have started"));
  CHECK(contains(headway::testing::unfolded(headway::testing::check({wrong}).out),
                 "; launched at line 10"));
  CHECK(headway::testing::check({"--require", "CUDA", wrong}).status == 1);
}

TEST_CASE("cli/promise: a program with a host side is explained by the launch that may hang") {
  const TemporaryFolder folder;
  const std::string wait = folder
                               .write("wait.cu",
                                      "#include <cuda_runtime.h>\n"
                                      "__global__ void k(int* f) {\n"
                                      "  if (blockIdx.x) while (atomicAdd(f, 0) == 0) {}\n"
                                      "  else atomicExch(f, 1);\n"
                                      "}\n"
                                      "int main() {\n"
                                      "  int* d;\n"
                                      "  cudaMalloc(&d, 8);\n"
                                      "  cudaMemset(d, 0, 8);\n"
                                      "  k<<<2, 1>>>(d);\n"
                                      "  cudaFree(d);\n"
                                      "}\n")
                               .string();
  const auto explained = headway::testing::headway({"explain", wait});
  CAPTURE(explained.out);
  CHECK(explained.status == 0);
  CHECK(explained.out.starts_with(wait + " may hang as CUDA promises: line 3 of k: "));
  CHECK(contains(explained.out, "k, launched at line 10, under CUDA, weakly fair: fail"));
  CHECK(contains(explained.out, "if (blockIdx.x) while (atomicAdd(f, 0) == 0) {}  reads f[0] = 0"));
  CHECK_FALSE(contains(explained.out, "grid_dim"));  // of the host
  // Of the kernel alone, in a launch of headway's own.
  CHECK(contains(headway::testing::headway({"explain", "--kernel", "k", wait}).out,
                 "k under CUDA, weakly fair: fail"));
  CHECK(contains(headway::testing::headway({"explain", "--format", "json", wait}).err,
                 "is explained as text"));
}

TEST_CASE("cli/promise: among several files a kernel is called by its file, too") {
  const std::string cuda = kernel("vector-add.cu"), opencl = kernel("vector-add.cl");
  const auto both = headway::testing::check({"--format", "csv", cuda, opencl});
  CHECK(contains(both.out, cuda + ":add,CUDA,weak,pass\n"));
  CHECK(contains(both.out, opencl + ":add,OpenCL,weak,pass\n"));
  CHECK_FALSE(contains(both.out, cuda + ":add,OpenCL"));
}
