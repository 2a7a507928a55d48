// Built-in functions of arithmetic give in kernels what their definitions in C++ give on this
// machine: random operands, and those at the limits, for runs (`check`) and proofs (`verify`)
// alike, and kernel IR taken literally where it knows the operations. HEADWAY_BUILTINS=1000 looks
// at so many operands for each. A function more is a line of builtins/rows.cpp.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>

#include "kernel/builtins/rows.hpp"
#include "kernel/clang/compile.hpp"
#include "kernel/literal/interpreter.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "kernel/test/sources.hpp"
#include "support/command.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"
#include "verify/verify.hpp"

namespace {

using namespace headway::kernel;
using headway::testing::builtins::Row;

constexpr const char* kHeadOfNative = R"(
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cstdint>
#include <limits>
template <class T, class F> T __attribute__((noinline)) call(F f) { return f(); }
template <class F> auto in_mode(int mode, F f) -> decltype(f()) {
  std::fesetround(mode);
  volatile decltype(f()) result = call<decltype(f())>(f);
  std::fesetround(FE_TONEAREST);
  return result;
}
template <class F> auto up(F f) { return in_mode(FE_UPWARD, f); }
template <class F> auto down(F f) { return in_mode(FE_DOWNWARD, f); }
template <class F> auto zero(F f) { return in_mode(FE_TOWARDZERO, f); }
// By what is representable beside the nearest number.
template <class T> T directed(unsigned long long x, int way) {
  T near = (T)x;
  if (way > 0 && (unsigned __int128)near < x) near = std::nextafter(near, (T)INFINITY);
  if (way < 0 && (unsigned __int128)near > x) near = std::nextafter(near, (T)0);
  return near;
}
double value_of_half(int bits) {
  const int e = bits >> 10 & 31, f = bits & 1023;
  const double size = e == 31 ? (f != 0 ? NAN : INFINITY) : e == 0 ? std::ldexp(f, -24) : std::ldexp(1024 + f, e - 25);
  return bits >> 15 ? -size : size;
}
// Of all halves the one next to x in a direction.
unsigned short half(double x, int way) {
  if (x != x) return 0x7e00;
  const bool negative = std::signbit(x);
  const bool away = way == (x < 0 ? -1 : 1);
  int best = away ? 0x7c00 : 0;
  for (int b = 0; b <= 0x7c00; ++b) {
    const double size = value_of_half(b), wanted = std::fabs(x);
    if (away && size >= wanted) { best = b; break; }
    if (!away && size <= wanted) best = b;
  }
  return (unsigned short)(best | (negative ? 0x8000 : 0));
}
// To the nearest one, of two at the same distance the even one.
unsigned short near_half(double x) {
  if (x != x) return 0x7e00;
  const unsigned short low = half(x, 0), high = half(x, x < 0 ? -1 : 1);
  const auto size = [](int bits) { return (bits & 0x7fff) == 0x7c00 ? 65536.0 : std::fabs(value_of_half(bits)); };
  const double below = std::fabs(x) - size(low), above = size(high) - std::fabs(x);
  return below < above || (below == above && low % 2 == 0) ? low : high;
}
template <class T> T limited(__int128 x) {
  const __int128 most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  return (T)(x > most ? most : x < least ? least : x);
}
template <class T> T nearest(double x) {
  if (x != x) return 0;
  if (x >= (double)std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
  return x <= (double)std::numeric_limits<T>::min() ? std::numeric_limits<T>::min() : (T)x;
}
int taken(int x, unsigned from, unsigned n) { return n == 0 ? 0 : (int)((long long)x << (64 - from - n) >> (64 - n)); }
unsigned inserted(unsigned x, unsigned at, unsigned n) {  // the low bits of ~x
  const unsigned long long m = ((1ull << n) - 1) << at;
  return (unsigned)((x & ~m) | ((unsigned long long)~x << at & m));
}
unsigned reversed(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i); return r; }
unsigned bytes(unsigned x, unsigned y, unsigned s) {
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) r |= (unsigned)(((unsigned long long)y << 32 | x) >> ((s >> 4 * i & 7) * 8) & 255) << 8 * i;
  return r;
}
int dot(int x, int y, int z) {
  unsigned r = (unsigned)z;
  for (int i = 0; i < 4; ++i) r += (unsigned)((int)(signed char)(x >> 8 * i) * (int)(signed char)(y >> 8 * i));
  return (int)r;
}
int saturated(long long x) { return x > 2147483647 ? 2147483647 : x < -2147483647 - 1 ? -2147483647 - 1 : (int)x; }
template <class T> T from(unsigned long long bits) { T x; std::memcpy(&x, &bits, sizeof x); return x; }
unsigned long long bits(float x) { if (x != x) return 0x7fc00000; unsigned r; std::memcpy(&r, &x, 4); return r; }
unsigned long long bits(double x) { if (x != x) return 0x7ff8000000000000; unsigned long long r; std::memcpy(&r, &x, 8); return r; }
unsigned long long bits(int x) { return (unsigned)x; }
unsigned long long bits(unsigned x) { return x; }
unsigned long long bits(unsigned short x) { return x; }
unsigned long long bits(long long x) { return (unsigned long long)x; }
unsigned long long bits(unsigned long long x) { return x; }
)";
constexpr const char* kHeadOfCuda = R"(
#include <assert.h>
#include <cuda_fp16.h>
template <class T> __device__ T from(unsigned long long bits) {
  if constexpr (sizeof(T) == 4) { unsigned low = (unsigned)bits; return __builtin_bit_cast(T, low); }
  else return __builtin_bit_cast(T, bits);
}
__device__ unsigned long long bits(float x) { return x != x ? 0x7fc00000 : __builtin_bit_cast(unsigned, x); }
__device__ unsigned long long bits(double x) { return x != x ? 0x7ff8000000000000 : __builtin_bit_cast(unsigned long long, x); }
__device__ unsigned long long bits(int x) { return (unsigned)x; }
__device__ unsigned long long bits(unsigned x) { return x; }
__device__ unsigned long long bits(unsigned short x) { return (x & 0x7fff) > 0x7c00 ? 0x7e00 : x; }
__device__ unsigned long long bits(long long x) { return (unsigned long long)x; }
__device__ unsigned long long bits(unsigned long long x) { return x; }
)";
constexpr const char* kHeadOfOpencl = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define from(T, bits) as_##T(bits)
#define OF __attribute__((overloadable))
ulong OF bits(float x) { return x != x ? 0x7fc00000 : as_uint(x); }
ulong OF bits(double x) { return x != x ? 0x7ff8000000000000 : as_ulong(x); }
ulong OF bits(int x) { return (uint)x; }
ulong OF bits(uint x) { return x; }
ulong OF bits(long x) { return (ulong)x; }
ulong OF bits(ulong x) { return x; }
)";

std::string type_of(char letter, bool opencl) {
  switch (letter) {
    case 'c':
      return opencl ? "char" : "signed char";
    case 'b':
      return opencl ? "uchar" : "unsigned char";
    case 's':
      return "short";
    case 't':
      return opencl ? "ushort" : "unsigned short";
    case 'i':
      return "int";
    case 'u':
      return opencl ? "uint" : "unsigned";
    case 'l':
      return opencl ? "ulong" : "unsigned long long";
    case 'm':
      return opencl ? "long" : "long long";
    case 'f':
      return "float";
    default:
      return "double";
  }
}

int width_of(char letter) {
  switch (letter) {
    case 'c':
    case 'b':
      return 8;
    case 's':
    case 't':
      return 16;
    case 'l':
    case 'm':
    case 'd':
      return 64;
    default:
      return 32;
  }
}

class Operands {
 public:
  std::uint64_t next(char letter) {
    const int width = width_of(letter);
    if (letter == 'f' || letter == 'd') return next_real(width);
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - width), high = ones / 2 + 1;
    const std::uint64_t edges[] = {0, 1, 2, ones, ones - 1, high, high - 1, high + 1};
    switch (random_() % 4) {
      case 0:
        return edges[random_() % std::size(edges)];
      case 1:  // of any length
        return (any() & ones) >> random_() % static_cast<unsigned>(width);
      default:
        return any() & ones;
    }
  }

 private:
  std::uint64_t any() { return std::uint64_t{random_()} << 32 | random_(); }
  std::uint64_t next_real(int width) {
    const auto bits_of = [&](double value) {
      return width == 64 ? std::bit_cast<std::uint64_t>(value)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    };
    static const double edges[] = {0.0,    -0.0,      1.0,        -1.0,        0.5,     8.0,
                                   1e-10,  -1e-10,    65504.0,    65519.0,     65520.0, 1e-45,
                                   -1e-45, 3e38,      -3e38,      1e308,       5e-324,  2.5,
                                   -2.5,   1.0 / 0.0, -1.0 / 0.0, std::nan("")};
    switch (random_() % 3) {
      case 0:
        return bits_of(edges[random_() % std::size(edges)]);
      case 1:  // of the size of what people compute with
        return bits_of((static_cast<double>(random_() % 2000001) - 1e6) /
                       static_cast<double>(1 << random_() % 20));
      default:
        return width == 64 ? any() : any() & 0xffffffff;
    }
  }

  std::mt19937 random_{20261125};
};

struct Case {
  const Row* row;
  std::vector<std::uint64_t> operands;
  std::uint64_t expected = 0;
};

std::string body_of(const Case& one, bool opencl, bool native) {
  std::string text;
  for (std::size_t k = 0; one.row->types[k] != 0; ++k) {
    const char letter = one.row->types[k];
    const std::string type = type_of(letter, opencl);
    const char* bits = width_of(letter) == 64   ? "(ulong)"
                       : width_of(letter) == 32 ? "(uint)"
                       : width_of(letter) == 16 ? "(ushort)"
                                                : "(uchar)";
    text += opencl ? fmt::format("{} {} = from({}, {}{:#x}); ", type, "xyz"[k], type, bits,
                                 one.operands[k])
                   : fmt::format("{}{} {} = from<{}>({:#x}ull); ", native ? "volatile " : "", type,
                                 native ? std::string(1, "abc"[k]) : std::string(1, "xyz"[k]), type,
                                 one.operands[k]);
    if (native) text += fmt::format("{} {} = {}; ", type, "xyz"[k], "abc"[k]);
  }
  return text + "int n = 0; float p = 0; double q = 0; (void)n; (void)p; (void)q; " +
         (opencl ? "half h[2]; (void)h; " : "");
}

std::vector<Case> cases_of(const std::vector<Row>& rows, int count) {
  std::vector<Case> result;
  Operands operands;
  for (const Row& row : rows) {
    for (int i = 0; i < count; ++i) {
      Case one{&row, {}, 0};
      for (const char* letter = row.types; *letter != 0; ++letter)
        one.operands.push_back(operands.next(*letter));
      result.push_back(std::move(one));
    }
  }
  const headway::testing::TemporaryFolder folder;
  std::string text = kHeadOfNative;
  text += "int main() {\n";
  for (const Case& one : result) {
    text += fmt::format("  {{ {}std::printf(\"%llx\\n\", bits({})); }}\n",
                        body_of(one, false, true), one.row->native);
  }
  const auto source = folder.write("native.cpp", text + "}\n");
  const std::string program = (folder.path() / "native").string();
  const auto compiled =
      headway::testing::run_program({HEADWAY_CXX, "-std=c++20", "-O0", "-frounding-math", "-fwrapv",
                                     "-w", "-ffp-contract=off", source.string(), "-o", program},
                                    {});
  INFO(compiled.err);
  REQUIRE(compiled.status == 0);
  std::istringstream said(headway::testing::run_program({program}, {}).out);
  for (Case& one : result) REQUIRE((said >> std::hex >> one.expected));
  return result;
}

// Whether the claim fails for kernel IR taken literally, which knows no functions of reals.
std::optional<bool> fails_literally(const Module& module, const Function& function) {
  try {
    return !headway::testing::run_literally(module, function, {}).faults.empty();
  } catch (const std::runtime_error&) {
    return {};
  }
}

// A kernel a case, which claims what is expected, and one that claims something else.
void expect_in_kernels(const std::vector<Case>& cases, bool opencl) {
  std::string text = opencl ? kHeadOfOpencl : kHeadOfCuda;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string body = body_of(cases[i], opencl, false);
    const char* head = opencl ? "kernel" : "extern \"C\" __global__";
    const char* end = opencl ? "ul" : "ull";
    text += fmt::format("{} void ok{}() {{ {}assert(bits({}) == {:#x}{}); }}\n", head, i, body,
                        cases[i].row->call, cases[i].expected, end);
    text += fmt::format("{} void no{}() {{ {}assert(bits({}) == {:#x}{}); }}\n", head, i, body,
                        cases[i].row->call, cases[i].expected ^ 1, end);
  }
  const headway::testing::TemporaryFolder folder;
  Compiler& compiler = headway::testing::shared_compiler();
  CompileOptions compile;
  if (opencl) compile.flags = {"-cl-std=CL2.0"};
  const auto module = read_kernels(folder.write(opencl ? "all.cl" : "all.cu", text), Side::device,
                                   compile, compiler)
                          .module;
  REQUIRE(module->functions.size() == 2 * cases.size());
  headway::verify::Options proofs;
  proofs.launch.grid = {1, 1, 1};
  proofs.launch.block = {2, 1, 1};
  proofs.trials = false;
  int literal = 0;
  for (const Function& f : module->functions) {
    const Case& one = cases[static_cast<std::size_t>(std::stoul(f.name.substr(2)))];
    INFO(std::string(one.row->call), " of ", fmt::format("{:#x}", fmt::join(one.operands, ", ")),
         " is ", fmt::format("{:#x}", one.expected));
    CHECK(f.unsupported == "");
    const bool right = f.name.starts_with("ok");
    LaunchSpec spec;
    spec.grid = Size3{1, 1, 1};
    spec.block = Size3{1, 1, 1};
    const Analysis found = analyse(module, f, spec, nullptr, {});
    CHECK(found.exploration.faults.empty() == right);
    for (const auto& finding : headway::verify::verify(*module, f, proofs).findings) {
      if (finding.property != headway::verify::Property::assertion) continue;
      const auto never =
          right ? headway::verify::Verdict::violated : headway::verify::Verdict::verified;
      CHECK(finding.verdict != never);
    }
    if (const auto literally = fails_literally(*module, f)) {
      CHECK(*literally != right);
      ++literal;
    }
  }
  CHECK(literal > 0);
}

constexpr const char* kHeadOfGlsl = R"(#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer O { uint o[]; };
uint carry(uint a, uint b) { uint c; uaddCarry(a, b, c); return c; }
uint borrow(uint a, uint b) { uint c; usubBorrow(a, b, c); return c; }
uint high(uint a, uint b) { uint h, l; umulExtended(a, b, h, l); return h; }
int high(int a, int b) { int h, l; imulExtended(a, b, h, l); return h; }
uint bits(float x) { return isnan(x) ? 0x7fc00000u : floatBitsToUint(x); }
uint bits(int x) { return uint(x); }
uint bits(uint x) { return x; }
void main() { const uint t = gl_LocalInvocationIndex; uint others = 0u;
)";

// A shader that races where a case does not give what is expected, and one that does where all of
// them give something else than what is not.
void expect_in_shaders(const std::vector<Case>& cases) {
  if (!headway::testing::compiles_shaders()) return;
  std::string right = kHeadOfGlsl, wrong = kHeadOfGlsl;
  for (const Case& one : cases) {
    std::string body;
    for (std::size_t k = 0; one.row->types[k] != 0; ++k) {
      const char* form = one.row->types[k] == 'f'   ? "float {} = uintBitsToFloat({:#x}u); "
                         : one.row->types[k] == 'i' ? "int {} = int({:#x}u); "
                                                    : "uint {} = {:#x}u; ";
      body += fmt::format(fmt::runtime(form), "xyz"[k], one.operands[k]);
    }
    const std::string value = fmt::format("bits({})", one.row->call);
    right += fmt::format("{{ {}if ({} != {:#x}u) o[{}] = t; }}\n", body, value, one.expected,
                         &one - cases.data());
    wrong += fmt::format("{{ {}if ({} != {:#x}u) ++others; }}\n", body, value, one.expected ^ 1);
  }
  wrong += fmt::format("if (others == {}u) o[0] = t;\n", cases.size());
  const headway::testing::TemporaryFolder folder;
  for (const bool is_right : {true, false}) {
    const auto file = folder.write("a.comp", (is_right ? right : wrong) + "}\n");
    Compiler& compiler = headway::testing::shared_compiler();
    const auto module =
        std::make_shared<const Module>(read_source(file, Side::device, CompileOptions{}, compiler));
    const Function& f = module->functions.front();
    CHECK(f.unsupported == "");
    LaunchSpec spec;
    spec.grid = Size3{1, 1, 1};
    const Analysis found = analyse(module, f, spec, nullptr, {});
    const auto& faults = found.exploration.faults;
    // Of case n byte 4 * n.
    const std::string told = faults.empty() ? "" : faults.front().fault.detail;
    const auto byte = told.find("byte ");
    const std::size_t number =
        byte == std::string::npos ? 0 : std::stoul(told.substr(byte + 5)) / 4;
    const Case& at = cases[number];
    INFO(std::string(at.row->call), " of ", fmt::format("{:#x}", fmt::join(at.operands, ", ")),
         " is ", fmt::format("{:#x}", at.expected));
    CHECK(faults.empty() == is_right);
    headway::verify::Options proofs;
    proofs.launch.grid = {1, 1, 1};
    proofs.launch.block = {2, 1, 1};
    proofs.trials = false;
    for (const auto& finding : headway::verify::verify(*module, f, proofs).findings) {
      if (finding.property != headway::verify::Property::race) continue;
      const auto never =
          is_right ? headway::verify::Verdict::violated : headway::verify::Verdict::verified;
      CHECK(finding.verdict != never);
    }
  }
}

int operands_or(int otherwise) {
  const char* more = std::getenv("HEADWAY_BUILTINS");
  return more == nullptr ? otherwise : std::atoi(more);
}

}  // namespace

TEST_CASE("kernel/builtins: functions of CUDA give what C++ gives") {
  expect_in_kernels(cases_of(headway::testing::builtins::cuda_rows(), operands_or(2)), false);
}

TEST_CASE("kernel/builtins: functions of OpenCL C give what C++ gives") {
  expect_in_kernels(cases_of(headway::testing::builtins::opencl_rows(), operands_or(1)), true);
}

TEST_CASE("kernel/builtins: functions of GLSL give what C++ gives") {
  expect_in_shaders(cases_of(headway::testing::builtins::glsl_rows(), operands_or(2)));
}
