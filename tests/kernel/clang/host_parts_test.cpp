// What of a file its host alone needs is found, and taken out where it stands in the way.
#include "kernel/clang/host_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::kernel::HostParts;
using headway::kernel::top_level_parts;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> result;
  for (const auto& part : top_level_parts(text)) {
    result.push_back(text.substr(part.begin, part.end - part.begin));
  }
  return result;
}

// What is left of a text without what stands around a line; lines as they were.
std::string without(const std::string& text, int line) {
  HostParts parts(text);
  if (!parts.take_out(line)) return "nothing";
  CHECK(parts.text().size() == text.size());
  CHECK(std::ranges::count(parts.text(), '\n') == std::ranges::count(text, '\n'));
  std::string left = parts.text();
  std::erase_if(left, [](char c) { return c == ' ' || c == '\n'; });
  return left;
}

}  // namespace

TEST_CASE("kernel/host_parts: definitions and declarations are told apart") {
  using Parts = std::vector<std::string>;
  CHECK(parts_of("int a; void f() { if (a) { } }\nint b = 3;") ==
        Parts{"int a;", "void f() { if (a) { } }", "int b = 3;"});
  CHECK(parts_of("struct S { int a; } s; enum class E { a, b };") ==
        Parts{"struct S { int a; } s;", "enum class E { a, b };"});
  CHECK(parts_of("int a[] = {1, 2}, b{3};\nauto f = [](int i) { return i; };") ==
        Parts{"int a[] = {1, 2}, b{3};", "auto f = [](int i) { return i; };"});
  // Of namespaces what is in them.
  CHECK(parts_of("namespace a::b { extern \"C\" { int f(); } int g() { } } using namespace a;") ==
        Parts{"int f();", "int g() { }", "using namespace a;"});
  CHECK(parts_of("template <class T> struct A { T a; };\nstruct A<int> f(struct A<int> a) { }") ==
        Parts{"template <class T> struct A { T a; };", "struct A<int> f(struct A<int> a) { }"});
  // Braces that are none.
  CHECK(parts_of("void f() { g(\"}\\\"}\", '}'); /* } */ // }\n}\nint a = 1'000;") ==
        Parts{"void f() { g(\"}\\\"}\", '}'); /* } */ // }\n}", "int a = 1'000;"});
  CHECK(parts_of("auto t = R\"x(}; )\" )x\"; int b;") ==
        Parts{"auto t = R\"x(}; )\" )x\";", "int b;"});
  CHECK(parts_of("#define A { \\\n {\nint a;\n#if 1\nint b;\n#endif\n") ==
        Parts{"int a;", "int b;"});
  // The end is that of the text where one is missing.
  CHECK(parts_of("void f() { (") == Parts{"void f() { ("});
  CHECK(parts_of("} ) int a;").size() <= 2);
}

TEST_CASE("kernel/host_parts: what stands in the way is taken out, and nothing of the device") {
  CHECK(without("#include <thread>\nint a;", 1) == "inta;");
  CHECK(without("#include \"own.h\"\nint a;", 1) == "nothing");
  CHECK(without("#define A\nint a;", 1) == "nothing");
  CHECK(without("void f() {\n  g();\n}\nint a;", 2) == "inta;");
  CHECK(without("namespace n {\nvoid f() {\n  g();\n}\n}", 3) == "namespacen{}");
  CHECK(without("__global__ void k() {\n  g();\n}", 2) == "nothing");
  // Also where macros say that it is.
  const std::string macros = "#define HD __host__ __device__\n#define KERNEL __global__ void\n";
  CHECK(without(macros + "HD int f() {\n  g();\n}", 4) == "nothing");
  CHECK(without(macros + "KERNEL k() {\n  g();\n}", 4) == "nothing");
  CHECK(without("STRANGE int f() {\n  g();\n}", 2) == "nothing");
  CHECK(without("PYBIND11_MODULE(a, m) {\n  g();\n}", 2) == "");
  // What code of the device, or a macro, may mean by the name is not.
  CHECK(without("int f() {\n  g();\n}\n__device__ int h() { return f(); }", 2) == "nothing");
  CHECK(without("int f() {\n  g();\n}\n#define H f()", 2) == "nothing");
  CHECK(without("int f() {\n  g();\n}\nint h() { return f(); }", 2) == "inth(){returnf();}");
  CHECK(without("constexpr int a = 1;\nint b;", 1) == "nothing");
  CHECK(without("const int a = 1;\nint b;", 1) == "nothing");
  CHECK(without("const int* a(int) {\n}\nint b;", 1) == "intb;");
  CHECK(without("static_assert(a == 1, \"\");\nint b;", 1) == "nothing");
  CHECK(without("using a = int;\nint b;", 1) == "nothing");
  CHECK(without("template <class T>\nstruct S<T*> {\n int a;\n};", 3) == "nothing");
  CHECK(without("template <int BLOCK_SIZE>\nvoid f() {\n g();\n}", 3) == "");
  // Nor the header that a condition around or within it may hang on.
  const std::string device = "__global__ void k() {\n#if FAST\n  f();\n#endif\n}\n";
  CHECK(without("#include <a>\n" + device, 1) == "nothing");
  CHECK(without("#include <a>\n#ifdef FAST\n__global__ void k() {}\n#endif\n", 1) == "nothing");
  CHECK(without("#include <a>\n#define FAST 1\n" + device, 1) != "nothing");
  CHECK(without("#include <a>\n#if FAST\nvoid f() {}\n#endif\n__global__ void k() {}\n", 1) !=
        "nothing");
  CHECK(without("#include \"nccl.h\"\nint a;", 1) == "inta;");
  CHECK(without("struct S {\n __device__ int f();\n std::thread t;\n};", 3) == "nothing");
  CHECK(without("template <>\nstruct S<int> {\n int a;\n};", 3) == "nothing");
  CHECK(without("template <class T>\nvoid f() {\n g(T());\n}", 3) == "");
  CHECK(without("int a;", 7) == "nothing");
  // Lines of the preprocessor stay, as some may belong to what stands around. Braces of both sides
  // count.
  CHECK(without("#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n  h();\n}\nint a;", 6) ==
        "#ifA#else#endif");
  HostParts parts("#include <a>\n#include <b/c>\nvoid f()\n{}\nint a;\nvoid g() {}\n");
  CHECK(parts.what_is_missing() == "");
  CHECK(parts.take_out(1));
  CHECK(parts.take_out(2));
  CHECK(parts.what_is_missing() == "without <a>, <b/c>");
  CHECK(parts.take_out(3));
  CHECK(parts.take_out(6));
  CHECK(parts.what_is_missing() ==
        "without <a>, <b/c>, and without what the host has in lines 3-4 and 6");
}

TEST_CASE("kernel/host_parts: kernels are read where a library of the host is not here") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& command, const std::string& text) {
    return headway::testing::headway({command, folder.write("k.cu", text).string()});
  };
  const std::string includes = "#include <thread>\n#include <cub/cub.cuh>\n#include <cstdio>\n";
  const std::string host =
      "struct Pool { std::thread one; };\n"
      "void sort(int* keys) {\n  size_t n = 0;\n"
      "  cub::DeviceRadixSort::SortKeys(nullptr, n, keys, keys, 8);\n}\n"
      "int main() {\n  Pool pool;\n  sort(nullptr);\n  pool.one.join();\n}\n";
  const std::string right =
      "__global__ void k(int* a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }\n";
  const std::string wrong = "__global__ void k(int* a) { a[threadIdx.x / 2] = threadIdx.x; }\n";
  for (const char* command : {"check", "verify"}) {
    CAPTURE(command);
    const auto good = run(command, includes + right + host);
    CHECK(good.status == 0);
    CHECK(contains(
        good.out + good.err,
        "the file without <thread>, <cub/cub.cuh>, and without what the host has in lines 5-14"));
    // At the lines of the file.
    const auto bad = run(command, includes + wrong + host);
    CHECK(bad.status == 1);
    CHECK(contains(bad.out, command == std::string("check") ? "line 4" : "k, line 4"));
  }
  // A kernel that needs it is refused by what is missing.
  const auto needs = run("check",
                         "#include <cub/cub.cuh>\n__global__ void k(int* a) {\n"
                         "  a[0] = cub::LaneId();\n}\n");
  CHECK(needs.status == 2);
  CHECK(contains(needs.err, "k.cu:1:"));
  CHECK(contains(needs.err, "'cub/cub.cuh' file not found"));
  // Headers of one's own are asked for, as macros may come from them.
  const auto own = run("check", "#include \"sizes.h\"\n" + right);
  CHECK(own.status == 2);
  CHECK(contains(own.err, "'sizes.h' file not found"));
  // A mistake in a file that asks for nothing else is one, also on the host.
  CHECK(run("verify", right + "int f() { return undeclared; }\n").status == 2);
  CHECK(run("verify", right + "void f() { cudaFunctionOfTomorrow(1); }\n").status == 0);
  CHECK(run("check", "__global__ void k(int* a) { b[0] = 1; }\n").status == 2);
}
