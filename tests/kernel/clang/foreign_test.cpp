// Modules that clang makes with headers of its own, or with none, mean what their sources mean to
// headway with its headers.
#include "kernel/clang/foreign.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/file.hpp"
#include "base/process.hpp"
#include "support/budget.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::find_program;
using headway::Finished;
using headway::read_file;
using headway::kernel::foreign_module;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

// What a CUDA program finds in the toolkit's headers, in terms of clang's builtins alone.
constexpr const char* kCuda = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };
#include <__clang_cuda_builtin_vars.h>
#define __threadfence __nvvm_membar_gl
#define __threadfence_block __nvvm_membar_cta
__device__ inline int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ inline unsigned atomicAdd(unsigned* p, unsigned v) {
  return __nvvm_atom_add_gen_i((int*)p, v);
}
__device__ inline int atomicExch(int* p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
__device__ inline unsigned atomicExch(unsigned* p, unsigned v) {
  return __nvvm_atom_xchg_gen_i((int*)p, v);
}
__device__ inline int atomicCAS(int* p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
__device__ inline int __shfl_down_sync(unsigned m, int v, unsigned d) {
  return __nvvm_shfl_sync_down_i32(m, v, d, 31);
}
)";

struct Foreign {
  std::string level;  // of optimization
  std::string kind;   // "-S" or "-c"
  bool names = true;  // of values are kept, which clang as it is released does not
};

// Of a kernel of litmus/kernels, with its directives.
fs::path compiled(const TemporaryFolder& folder, const fs::path& source, const Foreign& how) {
  const bool text = std::string_view(how.kind) == "-S";
  const fs::path made =
      folder.path() / (source.stem().string() + how.level + (text ? ".ll" : ".bc"));
  std::vector<std::string> words = {
      find_program("clang-19"), how.level, how.kind, "-emit-llvm", "-g", "-Xclang",
      "-disable-O0-optnone",    "-w"};
  if (source.extension() == ".cl") {
    const std::string content = read_file(source);
    const bool later = contains(content, "memory_order") || contains(content, "work_group_");
    for (const char* word : {"--target=spir64", "-Xclang", "-finclude-default-header"}) {
      words.emplace_back(word);
    }
    words.emplace_back(later ? "-cl-std=CL2.0" : "-cl-std=CL1.2");
  } else {
    const fs::path header = folder.write("toolkit.h", kCuda);
    for (const char* word : {"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70",
                             "-nocudainc", "-nocudalib", "-include"}) {
      words.emplace_back(word);
    }
    words.push_back(header.string());
  }
  words.insert(words.end(), {source.string(), "-o", made.string()});
  if (how.names) words.emplace_back("-fno-discard-value-names");
  const Finished finished = headway::run_process(words, std::chrono::seconds(60));
  CAPTURE(finished.complaint);
  REQUIRE(finished.status == 0);
  return made;
}

// The directives of a source as a module has them.
std::string directives(const fs::path& source) {
  std::istringstream lines(read_file(source));
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find("// headway:");
    if (at != std::string::npos) result += ";" + line.substr(at + 2) + "\n";
  }
  return result;
}

// The rows of a table in CSV behind the name of the test.
std::string verdicts(const CommandResult& result) {
  std::istringstream lines(result.out);
  std::string rows;
  for (std::string line; std::getline(lines, line);) rows += line.substr(line.find(',')) + "\n";
  return rows;
}

}  // namespace

TEST_CASE(
    "kernel/clang/foreign: modules of clang's own headers have the verdicts of their sources") {
  const TemporaryFolder folder;
  bool optimized = false;  // by turns, and both of each language
  for (const std::string name :
       {"spin-lock.cl", "spin-lock-broken.cl", "chained-scan.cl", "grid-barrier-broken.cl",
        "reduce-tree.cl", "reduce-tree-broken.cl", "histogram.cl", "subgroup-lock.cl",
        "spin-lock.cu", "spin-lock-broken.cu", "chained-scan-drawn.cu", "grid-barrier.cu",
        "reduce-shuffle.cu", "reduce-shuffle-broken.cu", "transpose-broken.cu"}) {
    const fs::path source = source_dir() / "litmus/kernels" / name;
    const CommandResult ours = headway::testing::check({"--format", "csv", source.string()});
    const std::string level = optimized ? "-O1" : "-O0";
    optimized = !optimized;
    CAPTURE(name);
    CAPTURE(level);
    const fs::path module = compiled(folder, source, {level, "-S"});
    headway::write_file(module, directives(source) + read_file(module));
    const CommandResult result = headway::testing::check({"--format", "csv", module.string()});
    CAPTURE(result.err);
    CHECK(result.status == ours.status);
    CHECK(verdicts(result) == verdicts(ours));
  }
}

TEST_CASE("kernel/clang/foreign: bitcode is read as its assembly is, with the names of variables") {
  const TemporaryFolder folder;
  const fs::path source = source_dir() / "litmus/kernels/reduce-tree-broken.cl";
  const fs::path module = compiled(folder, source, {"-O0", "-c", false});
  const CommandResult result =
      headway::testing::check({"--grid", "1", "--block", "4", module.string()});
  CAPTURE(result.err);
  CHECK(result.status == 1);
  CHECK(contains(result.out, "divergence"));
  CHECK_FALSE(contains(result.err, "arg0"));
}

TEST_CASE("kernel/clang/foreign: parameters without a name have numbers") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.ll",
                                     "target triple = \"spir64\"\n"
                                     "define spir_kernel void @f(ptr addrspace(1) %0, i32 %1) {\n"
                                     "  store i32 %1, ptr addrspace(1) %0\n  ret void\n}\n");
  const CommandResult result = headway::testing::check(
      {"--grid", "1", "--block", "1", "--arg", "arg1=4", "-m", "fair", file.string()});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.err, "kernel f:"));  // not "float", as "f" is in mangled names
  CHECK(contains(result.err, "arg0: "));
}

TEST_CASE(
    "kernel/clang/foreign: what bitcode has been damaged is refused, and brings nothing down") {
  const TemporaryFolder folder;
  const fs::path source = source_dir() / "litmus/kernels/histogram.cl";
  const std::string whole = read_file(compiled(folder, source, {"-O0", "-c"}));
  std::uint32_t random = 1;
  int refused = 0;
  for (int i = 0; i < headway::testing::budget(16); ++i) {
    std::string bytes = whole;
    const auto next = [&] { return random = random * 1664525 + 1013904223; };
    if (i % 8 == 0) bytes.resize(next() % bytes.size());
    for (int k = 0; k < 3 && !bytes.empty(); ++k) {
      const std::size_t at = (next() >> 8) % bytes.size();
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << (next() >> 8) % 8);
    }
    const CommandResult result =
        headway::testing::check({"--grid", "1", "--block", "2", "--timeout", "5", "-m", "fair",
                                 folder.write("damaged.bc", bytes).string()});
    CAPTURE(i);
    CAPTURE(result.err);
    CHECK((result.status >= 0 && result.status <= 3));
    refused += result.status == 2;
  }
  CHECK(refused > 5);
}

TEST_CASE("kernel/clang/foreign: modules of neither target, and with nothing to link, stay") {
  CHECK_FALSE(foreign_module("define void @f() {\n  ret void\n}\n"));
  const auto spir = foreign_module(
      "target triple = \"x86_64-pc-linux-gnu\"\ndefine spir_kernel void @f() {\n  ret void\n}\n");
  REQUIRE(spir);
  CHECK(spir->header.empty());
  CHECK(contains(spir->text, "target triple = \"spir64\""));
}

TEST_CASE("kernel/clang/foreign: updates of CUDA's functions are relaxed, intrinsics renamed") {
  const auto module = foreign_module(
      "define ptx_kernel void @k(ptr %a) {\n"
      "  %x = atomicrmw add ptr %a, i32 1 seq_cst, align 4\n"
      "  %y = cmpxchg ptr %a, i32 1, i32 2 seq_cst seq_cst\n"
      "  fence seq_cst\n"
      "  call void @llvm.nvvm.barrier0()\n"
      "  call void @llvm.nvvm.cp.async.wait.all()\n  ret void\n}\n");
  REQUIRE(module);
  CHECK(module->header == "cuda/nvvm.h");
  CHECK(contains(module->text, "add ptr %a, i32 1 monotonic, align 4"));
  CHECK(contains(module->text, "i32 2 monotonic monotonic"));
  CHECK(contains(module->text, "fence seq_cst"));
  CHECK(contains(module->text, "@__headway_nvvm.barrier0()"));
  CHECK(contains(module->text, "@llvm.nvvm.cp.async.wait.all()"));
}

TEST_CASE("kernel/clang/foreign: a value that is used where it is not defined is refused") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.ll",
                                     "target triple = \"spir64\"\n"
                                     "define spir_kernel void @f(ptr addrspace(1) %p, i1 %c) {\n"
                                     "  br i1 %c, label %a, label %b\na:\n"
                                     "  %x = add i32 1, 2\n  br label %b\nb:\n"
                                     "  store i32 %x, ptr addrspace(1) %p\n  ret void\n}\n");
  const CommandResult result = headway::testing::check({file.string()});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "no valid module of LLVM 19"));
}

TEST_CASE("kernel/clang/foreign: a call with too few arguments is refused") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.ll",
                                     "target triple = \"nvptx64-nvidia-cuda\"\n"
                                     "define ptx_kernel void @f(ptr %p) {\n"
                                     "  %x = call i32 @__headway_atomic_u32(i32 3)\n"
                                     "  store i32 %x, ptr %p\n  ret void\n}\n"
                                     "declare i32 @__headway_atomic_u32(i32)\n");
  const CommandResult result = headway::testing::check({file.string()});
  CHECK(contains(result.err, "a call with too few arguments"));
}
