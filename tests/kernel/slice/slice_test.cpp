// Slices have the verdicts of their kernels under every model; what cannot be one is refused.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "checker/check.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/budget.hpp"
#include "support/command.hpp"
#include "support/compiler.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"

namespace fs = std::filesystem;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

struct Sliced {
  bool goes_wrong = false;
  std::string refusal, text;
  bool same = false;  // the verdicts
};

Sliced sliced(const fs::path& file, headway::kernel::Compiler& compiler) {
  Sliced result;
  headway::kernel::KernelOptions options;
  options.analysis.explore.max_states = 100'000;
  const auto test = headway::kernel::read_kernel_tests(file, options, compiler).front();
  static const headway::models::Library library;
  const auto models = library.all();
  headway::checker::Checker checker;
  const auto program = headway::lang::make_program(test);
  const auto of_kernel = checker.check(*program, models);
  result.goes_wrong = of_kernel.error.has_value();
  try {
    result.text = headway::kernel::slice_text(test, {});
    const auto made = headway::lang::parse(result.text, "slice");
    const auto of_slice = checker.check(*headway::lang::make_program(made), models);
    result.same = !of_slice.error && of_slice.complete && of_kernel.complete &&
                  of_slice.verdicts == of_kernel.verdicts;
  } catch (const headway::lang::Undecided& why) {
    result.refusal = why.what();
  }
  return result;
}

std::vector<fs::path> library_files() {
  std::vector<fs::path> result;
  const bool shaders = headway::testing::compiles_shaders();
  for (const char* folder : {"litmus/kernels", "litmus/shaders"}) {
    for (const auto& entry : fs::directory_iterator(headway::testing::source_dir() / folder)) {
      const std::string ending = entry.path().extension();
      if (ending == ".cu" || ending == ".cl" || (shaders && ending == ".comp")) {
        result.push_back(entry.path());
      }
    }
  }
  return result;
}

Sliced sliced_text(const std::string& name, const std::string& text) {
  headway::kernel::Compiler& compiler = headway::testing::shared_compiler();
  const TemporaryFolder folder;
  return sliced(folder.write(name, text), compiler);
}

}  // namespace

TEST_CASE(
    "kernel/slice: kernels and shaders that do not go wrong have slices with their verdicts") {
  std::vector<fs::path> files = library_files();
  files.resize(files.size() / headway::testing::kShare);
  std::vector<Sliced> all(files.size());
  headway::kernel::Compiler& compiler = headway::testing::shared_compiler();
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < files.size();) all[i] = sliced(files[i], compiler);
  };
  std::thread other(work);
  work();
  other.join();
  int slices = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i].string());
    CAPTURE(all[i].refusal);
    CAPTURE(all[i].text);
    CHECK(all[i].goes_wrong == !all[i].refusal.empty());
    CHECK(all[i].same == all[i].refusal.empty());
    slices += all[i].same ? 1 : 0;
  }
  CHECK(slices >= 46 / headway::testing::kShare);  // 68 with the shaders
}

TEST_CASE("kernel/slice: loops stay loops and variables keep their names") {
  const auto file = headway::testing::source_dir() / "litmus/kernels/chained-scan-drawn.cu";
  headway::kernel::Compiler& compiler = headway::testing::shared_compiler();
  const Sliced scan = sliced(file, compiler);
  CHECK(contains(scan.text,
                 "    store(block, fetch_add(next, 1));\n"
                 "    if (load(block) > 0) {\n"
                 "      while (load(ready[load(block) - 1]) == 0);\n    }\n"
                 "    store(ready[load(block)], 1);\n"));
  CHECK(!contains(scan.text, "sums"));
  const Sliced lock = sliced_text(
      "lock.cu",
      "// headway: kernel f grid 3 block 1 buffer next=1:zero, serving=1:zero, out=3:zero\n"
      "__global__ void f(int* next, int* serving, int* out) {\n"
      "  int ticket = atomicAdd(next, 1), turns = 0;\n"
      "  while (atomicAdd(serving, 0) != ticket) turns = 1;\n"
      "  out[blockIdx.x] = 1;\n  atomicAdd(serving, 1);\n}\n");
  CHECK(lock.same);
  CHECK(contains(lock.text,
                 "int(0..2) ticket = fetch_add(next, 1);\n"
                 "  while (load(serving) != ticket);\n  fetch_add(serving, 1);\n}"));
}

TEST_CASE("kernel/slice: all kinds of control flow come out as they were") {
  const std::string head =
      "// headway: kernel f grid 3 block 1 buffer a=4:zero, b=4:zero\n"
      "__global__ void f(int* a, int* b) {\n  int me = blockIdx.x;\n";
  const std::vector<std::string> bodies = {
      // Leaving two loops at once, and going on with the outer one.
      "for (int i = 0; i < 3; i++) {\n"
      "  for (;;) {\n"
      "    int seen = atomicAdd(&a[i], 0);\n"
      "    if (seen == 1) goto next;\n    if (seen == 2) goto out;\n"
      "    if (atomicCAS(&b[i], 0, 1) == 0) { atomicExch(&a[i], me == 1 ? 2 : 1); break; }\n"
      "  }\n  next:;\n}\nout: atomicAdd(&a[3], 1);\n",
      // A switch in a loop that waits.
      "int state = 0;\nwhile (state != 3) {\n  switch (atomicAdd(&a[0], 0) + state) {\n"
      "    case 0: if (me == 0) atomicExch(&a[0], 1); break;\n"
      "    case 1: state = 2; break;\n    case 3: state = 3; break;\n"
      "    default: atomicAdd(&b[0], 1); state = 3;\n  }\n}\n",
      // Two values that change places, and a loop that ends in its middle.
      "int x = me, y = me + 1;\nfor (int i = 0; i < 2; i++) {\n  int t = x; x = y; y = t + 1; }\n"
      "do {\n  if (atomicAdd(&a[x % 4], 0) != 0) return;\n  atomicExch(&a[y % 4], 1);\n"
      "} while (atomicAdd(&b[0], 0) == 0 || x == 9);\n",
      // A look-back over several blocks.
      "atomicExch(&a[me], me == 0 ? 2 : 1);\nint at = me - 1;\nwhile (at >= 0) {\n"
      "  int seen = atomicAdd(&a[at], 0);\n  if (seen == 0) continue;\n  if (seen == 2) break;\n"
      "  at--;\n}\natomicExch(&a[me], 2);\n",
      // Conditions that are computed in parts, with accesses on both sides.
      "while (atomicAdd(&a[0], 0) < 2 && (me != 2 || atomicAdd(&b[1], 0) == 0)) {\n"
      "  if (atomicAdd(&b[2], 1) == 0 || me == 1) atomicAdd(&a[0], 1);\n"
      "  if (me == 0) atomicExch(&b[1], 1);\n"
      "  if (atomicAdd(&b[2], 0) > 3) break;\n}\n",
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Sliced made = sliced_text("a.cu", head + bodies[i] + "}\n");
    CAPTURE(i);
    CAPTURE(made.refusal);
    CAPTURE(made.text);
    CHECK(!made.goes_wrong);
    CHECK((made.same || contains(made.refusal, "swap their values")));
  }
}

TEST_CASE("kernel/slice: what an idiom cannot say is refused with its place") {
  const auto refusal = [](const std::string& sizes, const std::string& body) {
    return sliced_text("a.cu", "// headway: kernel f " + sizes +
                                   "\n__global__ void f(int* a, int* b) {\n" + body + "\n}\n")
        .refusal;
  };
  const std::string two = "grid 2 block 1 buffer a=1:zero, b=2";
  CHECK(contains(refusal(two, "while (atomicAdd(a, 0) < (b[blockIdx.x] & 1));"),
                 "unsupported: line 3"));
  CHECK(contains(
      refusal(two,
              "if (blockIdx.x) atomicExch(a, 2000000000);\nelse while (atomicAdd(a, 0) == 0);"),
      "'a' holds values from 0 to 2000000000"));
  CHECK(contains(refusal(two,
                         "float* f = (float*)a;\nif (blockIdx.x) atomicExch(f, 1.0f);\nelse while "
                         "(atomicAdd(f, 0.0f) == 0);"),
                 "unsupported: line"));
  CHECK(contains(refusal("grid 5 block 16 buffer a=1:zero, b=1:zero",
                         "if (threadIdx.x == 0 && blockIdx.x == 0) atomicExch(a, 1);"),
                 "80 threads"));
  CHECK(contains(refusal("grid 1 block 2 buffer a=1:zero, b=1:zero",
                         "if (threadIdx.x == 0) __syncwarp(1);\natomicAdd(a, 1);"),
                 "some threads of a subgroup"));
}

TEST_CASE("kernel/slice: the command prints a test that check decides as it expects") {
  headway::testing::CommandOptions options;
  options.folder = headway::testing::source_dir();
  const auto made = headway::testing::headway({"slice", "litmus/kernels/grid-barrier.cu"}, options);
  CHECK(made.status == 0);
  CHECK(contains(made.out, "while (load(arrived) < WORKGROUPS);"));
  CHECK(contains(made.out, "pass fair;"));
  CHECK(headway::testing::check({"-"}, headway::testing::input(made.out)).status == 0);
  const auto refused =
      headway::testing::headway({"slice", "litmus/kernels/grid-barrier-broken.cu"}, options);
  CHECK(refused.status == 3);
  CHECK(refused.out.empty());
  CHECK(contains(refused.err, "race"));
  CHECK(headway::testing::headway({"slice", "README.md"}, options).status == 2);
}
