// Files of PTX: those that clang makes of the kernels in litmus/kernels have the verdicts of their
// sources, and what is written by hand means what the PTX ISA says.
#include "support/files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "kernel/ptx/reader.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"

using headway::read_file;
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
__device__ inline int atomicCAS(int* p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
__device__ inline void __syncwarp(unsigned m = ~0u) { __nvvm_bar_warp_sync(m); }
__device__ inline int __shfl_down_sync(unsigned m, int v, unsigned d, int w = 32) {
  return __nvvm_shfl_sync_down_i32(m, v, d, (32 - w) << 8 | 31);
}
)";

// The names of the parameters of the kernel, of which each file has one.
std::vector<std::string> parameters(const std::string& source) {
  std::vector<std::string> names;
  const std::size_t open = source.find('(', source.find("__global__"));
  std::istringstream list(source.substr(open + 1, source.find(')', open) - open - 1));
  for (std::string one; std::getline(list, one, ',');) {
    const std::size_t end = one.find_last_not_of(" ") + 1;
    names.push_back(one.substr(0, end).substr(one.find_last_of(" *&", end - 1) + 1));
  }
  return names;
}

std::string directives(const std::string& source) {
  std::istringstream lines(source);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// headway:")) result += line + "\n";
  }
  return result;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

// With the directives of the source, and its names of parameters.
std::string compiled(const TemporaryFolder& folder, const fs::path& source,
                     const std::string& level) {
  const fs::path header = folder.write("toolkit.h", kCuda);
  const fs::path made = folder.path() / "made.s";
  const headway::Finished finished = headway::run_process(
      {headway::find_program("clang-19"), level, "-S", "-x", "cuda", "--cuda-device-only",
       "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib", "-w", "-include", header.string(),
       source.string(), "-o", made.string()},
      std::chrono::seconds(60));
  CAPTURE(finished.complaint);
  REQUIRE(finished.status == 0);
  const std::string text = read_file(source);
  std::string ptx = read_file(made);
  const std::vector<std::string> names = parameters(text);
  const std::size_t entry = ptx.find(".entry ") + 7;
  const std::string symbol = ptx.substr(entry, ptx.find_first_of("( \n", entry) - entry);
  for (std::size_t i = names.size(); i-- > 0;) {
    replace_all(ptx, symbol + "_param_" + std::to_string(i), names[i]);
  }
  return directives(text) + ptx;
}

CommandResult checked(const std::string& text, const std::vector<std::string>& options = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> words = {folder.write("a.ptx", text).string()};
  words.insert(words.end(), options.begin(), options.end());
  return headway::testing::check(words);
}

std::string refused(const std::string& body, const std::string& parameters = ".param .u64 p") {
  const headway::kernel::Module module = headway::kernel::ptx::read_module(
      ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(" + parameters +
          ")\n{\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;\n" + body + "\nret;\n}\n",
      "a.ptx", false);
  REQUIRE(module.functions.size() == 1);
  return std::to_string(module.functions[0].place.line) + ": " + module.functions[0].unsupported;
}

std::string wrong(const std::string& text) {
  try {
    headway::kernel::ptx::read_module(text, "a.ptx", false);
  } catch (const headway::Error& error) {
    return error.diagnostic();
  }
  return "none";
}

}  // namespace

TEST_CASE("kernel/ptx/files: what clang makes of kernels has the verdicts of their sources") {
  const TemporaryFolder folder;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(source_dir() / "litmus/kernels")) {
    const fs::path& source = entry.path();
    // Their header is the toolkit's alone.
    if (source.extension() != ".cu" || source.stem().string().starts_with("grid-sync")) continue;
    CAPTURE(source.string());
    for (const char* level : {"-O1", "-O2"}) {
      CAPTURE(level);
      // The directives say what is expected of the source.
      const CommandResult result = checked(compiled(folder, source, level));
      CAPTURE(result.out);
      CAPTURE(result.err);
      CHECK(result.status == 0);
    }
    ++files;
  }
  CHECK(files >= 38);
}

TEST_CASE("kernel/ptx/files: proofs go by PTX as by the source") {
  const TemporaryFolder folder;
  for (const char* name : {"stencil.cu", "stencil-broken.cu", "vector-add.cu", "reduce-tree.cu",
                           "histogram-broken.cu", "chained-scan-broken.cu"}) {
    CAPTURE(name);
    const fs::path file =
        folder.write("a.ptx", compiled(folder, source_dir() / "litmus/kernels" / name, "-O1"));
    const CommandResult result = headway::testing::headway({"verify", file.string()});
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.status == 0);
  }
}

TEST_CASE("kernel/ptx/files: files written by hand mean what they say") {
  for (const char* name : {"flag.ptx", "flag-broken.ptx", "named-barrier.ptx", "called.ptx",
                           "toolkit.ptx", "toolkit.cu"}) {
    CAPTURE(name);
    const fs::path file = source_dir() / "tests/data/ptx" / name;
    const CommandResult result = headway::testing::check({file.string()});
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.status == 0);
  }
  std::string text = read_file(source_dir() / "tests/data/ptx/flag.ptx");
  text.erase(0, text.find(".version"));
  replace_all(text, "st.release", "st.relaxed");
  const CommandResult relaxed = checked(text, {"--grid", "2", "--block", "1"});
  CHECK(contains(relaxed.out + relaxed.err, "race"));
}

TEST_CASE("kernel/ptx/files: parameters that are passed by value have an address") {
  const std::string text = R"(.version 8.0
.target sm_70
.address_size 64
.entry k(.param .align 8 .b8 both[16], .param .u64 out)
{
  .reg .b64 %rd<9>; .reg .b32 %r<9>;
  ld.param.u64 %rd1, [out];
  mov.b64 %rd2, both;
  ld.param.u32 %r1, [%rd2+4];
  ld.param.u64 %rd3, [%rd2+8];
  cvta.param.u64 %rd4, %rd2;
  ld.u32 %r2, [%rd4+4];
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd3], %r2;
  ret;
})";
  const CommandResult result = checked(text, {"--grid", "1", "--block", "1", "-m", "fair"});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.err, "both.8: unknown data"));
  // What is passed is followed by its name.
  const CommandResult sized =
      checked(text, {"--grid", "1", "--block", "1", "-m", "fair", "--buffer", "both.8=1"});
  CHECK(sized.status == 0);
  CHECK(!contains(sized.err, "both.8: unknown data"));
}

TEST_CASE(
    "kernel/ptx/files: what is printed changes nothing, and a kernel of clusters is refused "
    "alone") {
  const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 words[3] = {37, 100, 0};
.entry talks()
{
  .reg .b64 %rd<9>; .reg .b32 %r<9>;
  mov.u64 %rd1, words;
  cvta.global.u64 %rd2, %rd1;
  {
  .param .b64 param0;
  st.param.b64 [param0], %rd2;
  .param .b64 param1;
  st.param.b64 [param1], 0;
  .param .b32 retval0;
  call.uni (retval0), vprintf, (param0, param1);
  ld.param.b32 %r1, [retval0];
  }
  ret;
}
.entry together() .reqnctapercluster 2, 1, 1
{
  ret;
})";
  const CommandResult result = checked(text, {"-m", "fair"});
  CAPTURE(result.err);
  CHECK(contains(result.out, "talks     pass"));
  CHECK(contains(result.err, "together: unsupported"));
  CHECK(contains(result.err, "clusters of blocks: '.reqnctapercluster'"));
}

TEST_CASE("kernel/ptx/files: code that is for so many threads is looked at with them") {
  const std::string text = R"(.version 8.0
.target sm_70
.address_size 64
.entry k(.param .u64 out) .maxntid 64, 1, 1
{
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [out];
  ret;
})";
  CHECK(contains(checked(text).err, "block 64,1,1"));
  CHECK(contains(checked(text, {"--block", "8"}).err, "2 workgroups of 8 threads"));
}

TEST_CASE("kernel/ptx/files: instances of templates have short names, each its own") {
  const std::string name = "_ZN7library6detail9algorithm13DeviceKernelXI";
  const std::string type = "N7library6detail9algorithm6policyIiiiiiiiiiEE";
  const auto entry = [&](const char* last) {
    return ".entry " + name + type + last + "EEvv() { ret; }\n";
  };
  const headway::kernel::Module module =
      headway::kernel::ptx::read_module(".version 8.0\n.target sm_70\n.address_size 64\n" +
                                            entry("i") + entry("j") + ".entry plain() { ret; }\n",
                                        "a.ptx", false);
  REQUIRE(module.functions.size() == 3);
  CHECK(module.functions[0].name == "DeviceKernelX");
  CHECK(module.functions[1].name == "DeviceKernelX.2");
  CHECK(module.functions[2].name == "plain");
}

TEST_CASE("kernel/ptx/files: what is inlined from another file is at the line of its call") {
  const auto line_of = [](const std::string& lines) {
    const headway::kernel::Module module = headway::kernel::ptx::read_module(
        ".version 8.0\n.target sm_70\n.address_size 64\n.file 1 \"a.cu\"\n.file 2 \"b.h\"\n"
        ".entry k()\n{\n" +
            lines + "nonsense;\nret;\n}\n",
        "a.ptx", false);
    REQUIRE(module.functions.size() == 1);
    const headway::kernel::Place& at = module.functions[0].place;
    return module.files.at(static_cast<std::size_t>(at.file)) + ":" + std::to_string(at.line);
  };
  CHECK(line_of(".loc 1 5 1\n") == "a.cu:5");
  CHECK(line_of(".loc 2 7 1, function_name $L__info, inlined_at 1 6 2\n") == "a.cu:6");
  CHECK(line_of(".loc 2 7 1, function_name $L__info, inlined_at 1 6 2\n"
                ".loc 2 9 1, function_name $L__info, inlined_at 2 7 1\n") == "a.cu:6");
  // A function of the same file is where it stands.
  CHECK(line_of(".loc 1 9 1, function_name $L__info, inlined_at 1 6 2\n") == "a.cu:9");
  // One that is called here and there.
  CHECK(line_of(".loc 2 7 1, function_name $L__info, inlined_at 1 6 2\n"
                ".loc 2 7 1, function_name $L__info, inlined_at 1 8 2\n") == "a.cu:8");
  CHECK(line_of(".loc 1 6 2, function_name $L__info, inlined_at 1 6 2\n") == "a.cu:6");
}

TEST_CASE("kernel/ptx/files: labels may stand behind the last instruction, where nothing goes") {
  const auto text = [](const char* body) {
    return std::string(".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n") +
           body + "$L__tmp1:\n$L__func_end0:\n}\n";
  };
  CHECK(checked(text("$L__func_begin0:\nret;\n"), {"--grid", "1", "--block", "1"}).status == 0);
  const CommandResult falls =
      checked(text("bra $L__func_end0;\nret;\n"), {"--grid", "1", "--block", "1"});
  CHECK(contains(falls.err, "goes on behind its last instruction"));
}

TEST_CASE("kernel/ptx/files: what is not modelled is refused with its line") {
  CHECK(refused("ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];") == "7: ");
  CHECK(contains(refused("ld.param.u64 %rd1, [p];\ntex.1d.v4.f32.s32 %r1, %r2;"),
                 "8: 'tex.1d.v4.f32.s32' is not modelled"));
  CHECK(contains(refused("ld.param.u64 %rd1, [p];\nmul.lo.s64 %rd2, %rd1, 3;\n"
                         "ld.global.u32 %r1, [%rd2];"),
                 "9: a number that is an address, and another number, too"));
  CHECK(contains(refused("ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\n"
                         "add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r1, [%rd3];",
                         ".param .u64 p, .param .u64 q"),
                 "9: an address that is a sum of two numbers"));
  CHECK(contains(refused(".shared .b32 s;\nmov.u64 %rd1, s;\nld.global.u32 %r1, [%rd1];"),
                 "an address of shared memory, and of global memory"));
  CHECK(contains(refused(".shared .b32 s;\nld.global.u32 %r1, [s];"),
                 "the variable 's' is in another kind of memory"));
  CHECK(contains(refused(".shared .b32 s;\nmov.u64 %rd1, s;\ncvta.shared.u64 %rd2, %rd1;\n"
                         "ld.global.u32 %r1, [%rd2];"),
                 "an address that is not one of global memory"));
  CHECK(contains(refused("call f, ();"), "'f' is no function of this file"));
  CHECK(contains(refused("p : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                         "call (retval), %rd1, (x), p;"),
                 "a call of what is no function that is named"));
  CHECK(contains(refused("l: .branchtargets a, b;\na:\nb: brx.idx %r1, l;"),
                 "'brx.idx' is not modelled"));
  CHECK(contains(refused("tex.2d.v4.f32.s32 {%r1, %r1, %r1, %r1}, [t, {%r1, %r1}];"),
                 "is not modelled"));
  CHECK(contains(refused("ld.global.u32 %r1, [%rd1, {%r1}];"), "expected an address"));
  CHECK(contains(refused("ld.global.u32 %r1, [%rd1];"), "which nothing has written"));
  CHECK(contains(refused("ld.global.u32 %r1, [x];"), "'x' is no register, and no variable"));
}

TEST_CASE("kernel/ptx/files: a text that is no PTX has one message with its line") {
  const std::string head = ".version 8.0\n.target sm_70\n.address_size 64\n";
  const std::pair<std::string, const char*> rows[] = {
      {"", "a.ptx:1: a file of PTX begins with '.version'; found the end"},
      {"int main;", "a.ptx:1: a file of PTX begins with '.version'"},
      {head, "no kernel; expected an '.entry' with a body"},
      {".version 8.0\n.address_size 32\n", "a.ptx:2: expected addresses of 64 bits:"},
      {head + ".visible .entry k(", "a.ptx:4: expected '.param' of a parameter, found the end"},
      {head + ".visible .entry k()\n{\nret;", "the file ends within a function; expected '}'"},
      {head + ".entry k() {\nadd.s32 %r1", "expected ',' or ';' behind an operand of 'add.s32'"},
      {head + ".global .b32 a[2] = {1, 2, 3};", "more than the 8 bytes that 'a' has"},
      {head + ".global .b32 a = 1", "a.ptx:4: expected ';' behind a variable, found the end"},
      {head + ".section .debug_str {", "the file ends within a section; expected '}'"},
      {head + ".entry k() .nonsense 2 {}", "'.nonsense' of a function"},
      {head + ".tex .u64 t;", "'.tex' is not modelled"},
      {head + ".file 1 \"a", "a text that does not end on its line"}};
  for (const auto& row : rows) {
    CAPTURE(row.first);
    const std::string said = wrong(row.first);
    CHECK_MESSAGE(contains(said, row.second), said);
  }
}
