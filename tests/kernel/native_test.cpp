// Random functions of integers, with arrays, structs, narrow types and loops, give in a kernel what
// the machine's own compiler has them give.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "kernel/clang/compile.hpp"
#include "kernel/machine/host.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/command.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

namespace {

using namespace headway::kernel;

class FunctionText {
 public:
  explicit FunctionText(unsigned seed) : random_(seed) {}

  std::string function(int number) {
    std::string text =
        "HERE int f" + std::to_string(number) +
        "(int a, int b) {\n  unsigned u = a; unsigned char c = b; short s = a; long long w = b;\n"
        "  int v[4] = {a, b, 1, 2}; struct { char x; int y; short z[2]; } r = {1, b, {3, 4}};\n";
    const int count = 3 + pick(6);
    for (int i = 0; i < count; ++i) text += "  " + statement();
    return text +
           "  return (int)(u + c + s + w + v[0] * 3 + v[1] + v[2] + v[3] + r.x + r.y + r.z[0] + "
           "r.z[1]);\n}\n";
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(pick(static_cast<int>(words.size())))];
  }
  std::string place() {
    return of({"u", "c", "s", "w", "v[0]", "v[u & 3]", "v[c & 3]", "r.x", "r.y", "r.z[s & 1]"});
  }
  std::string value(int depth = 2) {
    if (depth == 0 || pick(4) == 0)
      return pick(3) == 0 ? std::to_string(pick(2000) - 1000) : place();
    const std::string a = value(depth - 1);
    const std::string b = value(depth - 1);
    switch (pick(12)) {
      case 0:
        return "(" + a + " / ((" + b + ") | 1))";
      case 1:
        return "((unsigned)" + a + " % (((unsigned)" + b + ") | 1u))";
      case 2:
        return "(" + a + " << ((" + b + ") & 7))";
      case 3:
        return "((unsigned)" + a + " >> ((" + b + ") & 31))";
      case 4:
        return "((int)" + a + " >> ((" + b + ") & 31))";
      case 5:
        return "(" + a + " < " + b + " ? " + a + " : " + b + ")";
      case 6:
        return "(" + a + " & " + b + ")";
      case 7:
        return "(" + a + " ^ " + b + ")";
      case 8:
        return "(" + a + " * " + b + ")";
      case 9:
        return "((unsigned)" + a + " > (unsigned)" + b + ")";
      case 10:
        return "(int)((float)((" + a + ") & 0xffff) * 0.5f)";
      default:
        return "(" + a + (pick(2) == 0 ? " + " : " - ") + b + ")";
    }
  }
  std::string statement() {
    switch (pick(6)) {
      case 0:
        return "if (" + value() + " > " + value() + ") " + place() + " = " + value() + ";\n";
      case 1:
        return "for (int i = 0; i < " + std::to_string(1 + pick(5)) + "; ++i) " + place() +
               " += " + value() + " + i;\n";
      case 2:
        return "switch (" + place() + " & 3) { case 0: " + place() + " = " + value() +
               "; break; case 2: " + place() + " ^= 5; default: s += 1; }\n";
      case 3:
        return "{ int* p = &v[" + place() + " & 1]; p[1] = " + value() + "; p[0] ^= p[1]; }\n";
      default:
        return place() + " = " + value() + ";\n";
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("kernel/native: functions give in kernels what they give on the machine") {
  const char* more = std::getenv("HEADWAY_KERNELS_NATIVE");
  const int count = more == nullptr ? 60 : std::atoi(more);
  constexpr int kInputs[][2] = {{0, 0}, {1, -1}, {123456789, 7}, {-2147483647, 255}};
  FunctionText texts(20261123);
  std::string functions;
  for (int i = 0; i < count; ++i) functions += texts.function(i);
  const headway::testing::TemporaryFolder folder;
  // What the machine says.
  std::string native = "#include <cstdio>\n#define HERE static\n" + functions + "int main() {\n";
  for (int i = 0; i < count; ++i) {
    for (const auto& in : kInputs) {
      native += "  std::printf(\"%d\\n\", f" + std::to_string(i) + "(" + std::to_string(in[0]) +
                ", " + std::to_string(in[1]) + "));\n";
    }
  }
  const auto source = folder.write("native.cpp", native + "}\n");
  const std::string program = (folder.path() / "native").string();
  REQUIRE(headway::testing::run_program({HEADWAY_CXX, "-O0", "-fwrapv", "-w", "-ffp-contract=off",
                                         source.string(), "-o", program},
                                        {})
              .status == 0);
  const std::string said = headway::testing::run_program({program}, {}).out;
  // The kernel has to say the same.
  std::string cuda = "#include <assert.h>\n#define HERE __device__\n" + functions +
                     "__global__ void k(int* out, int a, int b) {\n";
  for (int i = 0; i < count; ++i)
    cuda += "  out[" + std::to_string(i) + "] = f" + std::to_string(i) + "(a, b);\n";
  cuda += "}\nint main() {\n  int* d; static int h[" + std::to_string(count) +
          "]; cudaMalloc(&d, sizeof(h));\n";
  std::size_t at = 0;
  std::vector<std::string> numbers;
  for (std::size_t end; (end = said.find('\n', at)) != std::string::npos; at = end + 1)
    numbers.push_back(said.substr(at, end - at));
  REQUIRE(numbers.size() == static_cast<std::size_t>(count) * std::size(kInputs));
  for (std::size_t input = 0; input < std::size(kInputs); ++input) {
    cuda += "  k<<<1, 1>>>(d, " + std::to_string(kInputs[input][0]) + ", " +
            std::to_string(kInputs[input][1]) +
            ");\n"
            "  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);\n";
    for (int i = 0; i < count; ++i) {
      cuda += "  assert(h[" + std::to_string(i) + "] == (int)(" +
              numbers[static_cast<std::size_t>(i) * std::size(kInputs) + input] + "ll));\n";
    }
  }
  Compiler& compiler = headway::testing::shared_compiler();
  const ReadProgram read =
      read_program(folder.write("program.cu", cuda + "  cudaFree(d);\n}\n"), {}, compiler);
  const HostResult result = run_host_program(*read.host, *read.device, {});
  for (const HostFault& fault : result.faults) {
    MESSAGE(std::string(fault.kernel)
            << " line " << fault.place.line << ": " << fault.fault.detail);
  }
  CHECK(result.faults.empty());
  if (result.obstacle)
    MESSAGE(result.obstacle->fault.detail << " line " << result.obstacle->place.line);
  CHECK(result.complete);
}
