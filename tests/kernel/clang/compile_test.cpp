// From kernel files to bitcode that the reader takes.
#include "kernel/clang/compile.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/text/several_errors.hpp"
#include "kernel/clang/headers.hpp"
#include "kernel/llvm/reader.hpp"
#include "lang/test.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::each_of;
using headway::Error;
using headway::kernel::CompileOptions;
using headway::kernel::Compiler;
using headway::kernel::Function;
using headway::kernel::HeaderFolder;
using headway::kernel::Module;
using headway::kernel::Side;
using headway::kernel::source_kind;
using headway::kernel::SourceKind;
using headway::testing::complaint_of;
using headway::testing::contains;
using headway::testing::error_of;
using headway::testing::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

Module read(const std::string& bitcode, const std::string& path) {
  return headway::kernel::llvm::read_module(bitcode, path,
                                            {std::string(headway::kernel::kHeaderPlace)});
}

// The first folder of headers that there is now.
fs::path folder_of_headers() {
  for (const auto& entry : fs::directory_iterator(HeaderFolder::place())) {
    const std::string name = entry.path().filename();
    if (name.starts_with("headway-headers-") && fs::exists(entry.path() / "opencl")) {
      return entry.path();
    }
  }
  return {};
}

bool is_bitcode(const std::string& text) { return text.starts_with("BC"); }

}  // namespace

TEST_CASE("kernel/clang/compile: files are told apart by their names") {
  CHECK(source_kind("a.cu") == SourceKind::cuda);
  CHECK(source_kind("a.b/c.cl") == SourceKind::opencl);
  CHECK(source_kind("a.ll") == SourceKind::llvm_text);
  CHECK(source_kind("a.bc") == SourceKind::llvm_bitcode);
  CHECK(source_kind("a.litmus") == std::nullopt);
  CHECK(source_kind("cu") == std::nullopt);
}

TEST_CASE("kernel/clang/compile: a kernel of each kind, and where its steps stand") {
  const TemporaryFolder folder;
  const fs::path cuda = folder.write("a.cu",
                                     "__global__ void k(int *p) {\n"
                                     "  atomicAdd(p,\n"
                                     "            threadIdx.x);\n"
                                     "}\n");
  const fs::path opencl = folder.write("a.cl",
                                       "kernel void k(global int *p) {\n"
                                       "  atomic_add(p, get_local_id(0));\n"
                                       "}\n");
  Compiler compiler;
  for (const fs::path& file : {cuda, opencl}) {
    CAPTURE(file.string());
    const std::string bitcode = compiler.compile(file, Side::device);
    REQUIRE(is_bitcode(bitcode));
    const Module module = read(bitcode, file.string());
    REQUIRE(module.functions.size() == 1);
    const Function& function = module.functions[0];
    CHECK(function.unsupported == "");
    CHECK(function.name == "k");
    REQUIRE(function.parameters.size() == 1);
    CHECK(function.parameters[0].name == "p");
    int updates = 0;
    for (const auto& block : function.blocks) {
      for (const auto& instruction : block.code) {
        if (instruction.op != headway::kernel::Op::atomic_update) continue;
        ++updates;
        CHECK(instruction.place.line == 2);
        REQUIRE(instruction.place.file >= 0);
        CHECK(contains(module.files[static_cast<std::size_t>(instruction.place.file)], "a.c"));
      }
    }
    CHECK(updates == 1);
  }
}

TEST_CASE("kernel/clang/compile: a kernel that is called like a type has its name") {
  const TemporaryFolder folder;
  Compiler compiler;
  const fs::path file = folder.write("a.cl",
                                     "kernel void a(global int* p) { *p = 1; }\n"
                                     "kernel void s(global int* p) { *p = 2; }\n");
  const auto module = read(compiler.compile(file, Side::device), file.string());
  REQUIRE(module.functions.size() == 2);
  CHECK(module.functions[0].name == "a");
  CHECK(module.functions[1].name == "s");
}

TEST_CASE("kernel/clang/compile: LLVM's modules are read by clang, in a child") {
  const TemporaryFolder folder;
  Compiler compiler;
  const std::string taken = compiler.compile(
      folder.write("a.ll", "define i32 @f(i32 %given) {\n  ret i32 %given\n}\n"), Side::device);
  CHECK(contains(taken, "define i32 @f(i32 %given)"));
  const auto compile = [&](const char* name, const char* text) {
    return complaint_of([&] { compiler.compile(folder.write(name, text), Side::device); });
  };
  CHECK(contains(compile("b.ll", "define i32 @f() {\n  ret i64 0\n}\n"), "2:7: value"));
  CHECK(contains(compile("c.bc", "BC"), "expected top-level entity"));
}

TEST_CASE("kernel/clang/compile: both sides of a CUDA program") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.cu",
                                     "#include <stdio.h>\n"
                                     "#include <iostream>\n"
                                     "__constant__ int c;\n"
                                     "template <class T> __global__ void k(T *p) { p[0] = c; }\n"
                                     "int main() {\n"
                                     "  int *p; cudaMalloc(&p, 4);\n"
                                     "  int one = 1; cudaMemcpyToSymbol(c, &one, sizeof one);\n"
                                     "  k<<<1, 2>>>(p);\n"
                                     "  std::cout << \"done\" << std::endl;\n"
                                     "  printf(\"%d\\n\", cudaDeviceSynchronize());\n"
                                     "}\n");
  Compiler compiler;
  const auto [device, host] = compiler.compile_both(file);
  CHECK(read(device, file.string()).functions.size() == 1);
  CHECK(contains(host, "__cudaRegisterFunction"));
  CHECK(contains(host, "__cudaRegisterVar"));
  CHECK(contains(host, "cudaMemcpyToSymbol"));
  CHECK(contains(host, "__device_stub__"));
}

TEST_CASE("kernel/clang/compile: errors are clang's, at their place") {
  const TemporaryFolder folder;
  Compiler compiler;
  const auto complaint = [&](const std::string& name, const std::string& text,
                             const CompileOptions& options = {}) {
    const fs::path file = folder.write(name, text);
    return complaint_of([&] { compiler.compile(file, Side::device, options); });
  };
  CHECK(contains(complaint("a.cu", "__global__ void k() {\n  x = 1;\n}\n"),
                 "2:3: use of undeclared identifier 'x'"));
  CHECK(contains(complaint("a.cl", "kernel void k() {\n  x = 1; y = 2;\n}\n"),
                 "2:3: use of undeclared identifier 'x'"));
  // A wrong call of ours is shown where it stands.
  CHECK(contains(complaint("a.cu", "__global__ void k(char *p) {\n\n  atomicAdd(p, 1);\n}\n"),
                 "3:3: no matching function for call to 'atomicAdd'"));
  CHECK(contains(complaint("a.cl", "kernel void k() {\n  no_such_function(1);\n}\n"), "2:3: "));
  CHECK(contains(complaint("a.cu", "#include <regex>\n"),
                 "1:10: 'regex' file not found; headway brings"));
  CHECK(contains(complaint("a.cu", "#include <cub/cub.cuh>\n"), "not found; headway brings"));
  CHECK(contains(complaint("a.cu", "#include \"a.h\"\n"), "'a.h' file not found; -I FOLDER says"));
  CHECK(contains(complaint("a.cu", "", {{"-fno-such-flag"}, {}}),
                 "clang: unknown argument: '-fno-such-flag'"));
  CHECK(contains(complaint("a.cu", "", {{"-std=c++99"}, {}}),
                 "a.cu: clang: invalid value 'c++99' in '-std=c++99'"));
  CHECK(contains(complaint("a.txt", ""), "expected a kernel file: .cu, .cl, .ll or .bc"));
  CHECK(contains(complaint("a.cu", "int x = __COUNTER__\n"), "expected ';'"));
  const auto picture = error_of(
      [&] { compiler.compile(folder.write("b.cu", "int x;\nint y = z;\n"), Side::device); });
  REQUIRE(picture);
  CHECK(contains(picture->diagnostic(), "int y = z;"));
  const fs::path opencl = folder.write("c.cl", "");
  CHECK(contains(complaint_of([&] { compiler.compile(opencl, Side::host); }),
                 "only CUDA files have a host program"));
  CHECK(complaint_of([&] { compiler.compile("/no/such.cu", Side::device); }) != "no error");
}

TEST_CASE("kernel/clang/compile: the user's flags, whatever they say of optimization") {
  const TemporaryFolder folder;
  folder.write("value.h", "#define VALUE 3\n");
  const fs::path file = folder.write("a.cu",
                                     "#include \"value.h\"\n"
                                     "#if VALUE == 3 && N == 4 && __cplusplus == 202002L\n"
                                     "__global__ void k(int *p) { while (*p == 0); }\n"
                                     "#endif\n");
  Compiler compiler;
  const std::string bitcode = compiler.compile(
      file, Side::device, {{"-DN=4", "-std=c++20", "-O3", "-o", "x", "-c", "-g0"}, {}});
  const Module module = read(bitcode, file.string());
  REQUIRE(module.functions.size() == 1);
  // The loop with its load is still there.
  int loads = 0;
  for (const auto& block : module.functions[0].blocks) {
    for (const auto& instruction : block.code) {
      loads += instruction.op == headway::kernel::Op::load ? 1 : 0;
    }
  }
  CHECK(loads == 1);
}

TEST_CASE("kernel/clang/compile: flags from a compilation database") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.cu", "#if N == 5\n__global__ void k() {}\n#endif\n");
  folder.write(
      "compile_commands.json",
      R"([{"directory": ")" + folder.path().string() +
          R"(", "file": "a.cu", "command": "nvcc -arch=sm_90 -DN=5 -O3 -c a.cu -o a.o"}])");
  Compiler compiler;
  const std::string bitcode = compiler.compile(file, Side::device, {{}, folder.path()});
  CHECK(read(bitcode, file.string()).functions.size() == 1);
}

TEST_CASE("kernel/clang/compile: versions of OpenCL C") {
  const TemporaryFolder folder;
  Compiler compiler;
  const auto compile = [&](const std::string& text, const std::vector<std::string>& flags = {}) {
    const fs::path file = folder.write("a.cl", text);
    return complaint_of([&] { compiler.compile(file, Side::device, {flags, {}}); });
  };
  const std::string version = "#if __OPENCL_C_VERSION__ != ";
  // 1.2 as the standard says, 2.0 where the text is of it, or else does not compile.
  CHECK(compile(version + "120\n#error\n#endif\n") == "no error");
  CHECK(compile(version + "200\n#error\n#endif\nkernel void k(global atomic_int *p) {"
                          " atomic_store(p, 1); }\n") == "no error");
  CHECK(compile("kernel void k(global int *p) { int *q = p; *q = 1; }\n") == "no error");
  CHECK(compile(version + "300\n#error\n#endif\n", {"-cl-std=CL3.0"}) == "no error");
  CHECK(compile("kernel void k(global int *p) { int *q = p; }\n", {"-cl-std=CL1.2"}) != "no error");
}

TEST_CASE("kernel/clang/compile: a clang that is missing is named with its package") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.cu", "");
  const char* before = std::getenv("PATH");
  const std::string path = before != nullptr ? before : "";
  ::setenv("HEADWAY_CLANG", "/no/such/clang", 1);
  Compiler named;
  CHECK(contains(complaint_of([&] { named.compile(file, Side::device); }),
                 "HEADWAY_CLANG names /no/such/clang, which is no program"));
  ::unsetenv("HEADWAY_CLANG");
  Compiler gone("/no/such/clang");
  CHECK(contains(complaint_of([&] { gone.compile(file, Side::device); }), "cannot be started"));
  ::setenv("PATH", folder.path().c_str(), 1);
  if (!fs::exists("/usr/lib/llvm-19/bin/clang")) {
    Compiler none;
    CHECK(contains(complaint_of([&] { none.compile(file, Side::device); }), "Debian: clang-19"));
  }
  ::setenv("PATH", path.c_str(), 1);
}

TEST_CASE("kernel/clang/compile: all errors that clang has, up to five") {
  const TemporaryFolder folder;
  Compiler compiler;
  const auto errors = [&](int number) {
    std::string text = "__global__ void k() {\n";
    for (int i = 0; i < number; ++i) text += fmt::format("  x{} = 1;\n", i);
    const fs::path file = folder.write("a.cu", text + "}\n");
    std::vector<std::string> said;
    try {
      compiler.compile(file, Side::device);
    } catch (const Error& error) {
      for (const Error& each : each_of(error))
        said.push_back(fmt::format("{}: {}", each.where().line, each.what()));
    }
    return said;
  };
  CHECK(errors(2) == std::vector<std::string>{"2: use of undeclared identifier 'x0'",
                                              "3: use of undeclared identifier 'x1'"});
  REQUIRE(errors(9).size() == 5);
  CHECK(errors(9).back() == "6: use of undeclared identifier 'x4' (and more)");
}

TEST_CASE("kernel/clang/compile: a limit of time") {
  const TemporaryFolder folder;
  const fs::path sleeper = folder.write("clang", "#!/bin/sh\nsleep 100\n");
  ::chmod(sleeper.c_str(), 0700);
  Compiler compiler(sleeper.string());
  CompileOptions options;
  options.limit = std::chrono::seconds(0);
  CHECK(contains(
      complaint_of([&] { compiler.compile(folder.write("a.cu", ""), Side::device, options); }),
      "clang takes longer than 0 s"));
}

TEST_CASE("kernel/clang/compile: a clang that crashes is told by its signal") {
  const TemporaryFolder folder;
  const fs::path crashing = folder.write("clang", "#!/bin/sh\nkill -SEGV $$\n");
  ::chmod(crashing.c_str(), 0700);
  Compiler compiler(crashing.string());
  const auto error = error_of([&] { compiler.compile(folder.write("a.cu", ""), Side::device); });
  REQUIRE(error);
  CHECK(error->where().file.ends_with("a.cu"));
  CHECK(contains(error->what(), "clang 19 crashed on it (signal 11)"));
}

TEST_CASE("kernel/clang/compile: a clang that somebody ends has not crashed on the file") {
  const TemporaryFolder folder;
  const fs::path ended = folder.write("clang", "#!/bin/sh\nkill -KILL $$\n");
  ::chmod(ended.c_str(), 0700);
  Compiler compiler(ended.string());
  CHECK(contains(complaint_of([&] { compiler.compile(folder.write("a.cu", ""), Side::device); }),
                 "clang 19 was ended from outside (signal 9, as where memory is short)"));
}

TEST_CASE("kernel/clang/compile: a deadline is a limit, not an error of the file") {
  const TemporaryFolder folder;
  const fs::path sleeper = folder.write("clang", "#!/bin/sh\nsleep 100\n");
  ::chmod(sleeper.c_str(), 0700);
  Compiler compiler(sleeper.string());
  CompileOptions options;
  options.deadline = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(compiler.compile(folder.write("a.cu", ""), Side::device, options),
                  headway::lang::Undecided);
}

TEST_CASE("kernel/clang/compile: headers are written where the environment says") {
  const TemporaryFolder folder;
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  CHECK(HeaderFolder::place() == folder.path());
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", old.c_str(), 1);
  }
}

TEST_CASE("kernel/clang/compile: headers that are read once for many files say the same") {
  const auto all = [](const std::string& bitcode, const std::string& path) {
    const Module module = read(bitcode, path);
    std::string text;
    for (const Function& function : module.functions) {
      text += headway::kernel::print(module, function);
    }
    return text;
  };
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(headway::testing::source_dir() / "litmus/kernels")) {
    const auto kind = source_kind(entry.path());
    if (kind == SourceKind::cuda || kind == SourceKind::opencl) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  Compiler once;
  constexpr std::size_t kApart = 9;  // each takes a second
  for (std::size_t i = 0; i < files.size(); i += kApart) {
    CAPTURE(files[i].string());
    for (const Side side : {Side::device, Side::host}) {
      if (side == Side::host && source_kind(files[i]) != SourceKind::cuda) continue;
      const std::string first = all(once.compile(files[i], side), files[i]);
      for (int use = 2; use <= 3; ++use) once.compile(files[i], side);
      CHECK(all(once.compile(files[i], side), files[i]) == first);  // not read again
    }
  }
}

TEST_CASE("kernel/clang/compile: nothing is left behind") {
  const TemporaryFolder folder;
  // As a process that was killed leaves it, long ago.
  const fs::path old = HeaderFolder::place() / "headway-headers-abandoned";
  fs::create_directory(old);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
  fs::path headers;
  {
    Compiler compiler;
    compiler.compile(folder.write("a.cu", ""), Side::device);
    headers = folder_of_headers();
    CHECK_FALSE(headers.empty());
    for (const auto& entry : fs::directory_iterator(headers)) {
      CHECK(entry.path().extension() != ".bc");
    }
  }
  CHECK_FALSE(fs::exists(old));
}

TEST_CASE("kernel/clang/compile: alignas() may stand behind __shared__, as nvcc takes it") {
  const TemporaryFolder folder;
  Compiler compiler;
  const Module module =
      read(compiler.compile(folder.write("a.cu",
                                         "struct alignas(8) S { int x; };\n"
                                         "__global__ void k(int* o) {\n"
                                         "  __shared__ alignas(64) char a[64]; __shared__ S s;\n"
                                         "  a[0] = 1; s.x = 2; o[0] = a[0] + s.x; }\n"),
                            Side::device),
           "a.cu");
  std::vector<int> alignments;
  for (const auto& object : module.objects) alignments.push_back(object.align);
  CHECK(std::ranges::find(alignments, 64) != alignments.end());
  CHECK(std::ranges::find(alignments, 8) != alignments.end());
}

TEST_CASE("kernel/clang/compile: a macro of the user's changes nothing that is always there") {
  const TemporaryFolder folder;
  CompileOptions options;
  options.flags = {"-DT=2", "-DN=8", "-Dto=a", "-DTWICE(x)=((x)*T)"};
  Compiler compiler;
  CHECK_NOTHROW(
      compiler.compile(folder.write("a.cu", "__global__ void k(int* a) { *to = TWICE(N); }\n"),
                       Side::device, options));
  CHECK_NOTHROW(
      compiler.compile(folder.write("a.cl", "kernel void k(global int* a) { *to = TWICE(N); }\n"),
                       Side::device, options));
}
