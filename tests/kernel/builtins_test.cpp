// Built-in functions of arithmetic give in kernels what their definitions in C++ give on this
// machine: random operands, and those at the limits, for runs (`check`) and proofs (`verify`)
// alike. HEADWAY_BUILTINS=1000 looks at so many operands for each. A function more is a line.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <random>
#include <sstream>

#include "kernel/clang/compile.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "verify/verify.hpp"

namespace {

using namespace headway::kernel;

// What is called, on x, y and z of the types that the letters of `types` name: i int, u unsigned,
// l and m long long without and with a sign, f float, d double. `native` is C++; `up`, `down` and
// `zero` round what they are given as a lambda.
struct Row {
  const char* types;
  const char* call;
  const char* native;
};

const std::vector<Row>& cuda_rows() {
  static const std::vector<Row> rows = {
      {"ff", "__fadd_ru(x, y)", "up([&] { return x + y; })"},
      {"ff", "__fadd_rd(x, y)", "down([&] { return x + y; })"},
      {"ff", "__fadd_rz(x, y)", "zero([&] { return x + y; })"},
      {"ff", "__fadd_rn(x, y)", "x + y"},
      {"ff", "__fsub_ru(x, y)", "up([&] { return x - y; })"},
      {"ff", "__fsub_rz(x, y)", "zero([&] { return x - y; })"},
      {"ff", "__fmul_ru(x, y)", "up([&] { return x * y; })"},
      {"ff", "__fmul_rd(x, y)", "down([&] { return x * y; })"},
      {"ff", "__fdiv_ru(x, y)", "up([&] { return x / y; })"},
      {"ff", "__fdiv_rz(x, y)", "zero([&] { return x / y; })"},
      {"f", "__frcp_rd(x)", "down([&] { return 1.0f / x; })"},
      {"f", "__fsqrt_ru(x)", "up([&] { return std::sqrt(x); })"},
      {"f", "__fsqrt_rz(x)", "zero([&] { return std::sqrt(x); })"},
      {"fff", "__fmaf_ru(x, y, z)", "up([&] { return std::fma(x, y, z); })"},
      {"fff", "__fmaf_rd(x, y, z)", "down([&] { return std::fma(x, y, z); })"},
      {"fff", "fmaf(x, y, z)", "std::fma(x, y, z)"},
      {"dd", "__dadd_ru(x, y)", "up([&] { return x + y; })"},
      {"dd", "__dsub_rd(x, y)", "down([&] { return x - y; })"},
      {"dd", "__dmul_rz(x, y)", "zero([&] { return x * y; })"},
      {"dd", "__ddiv_ru(x, y)", "up([&] { return x / y; })"},
      {"d", "__drcp_ru(x)", "up([&] { return 1.0 / x; })"},
      {"d", "__dsqrt_rd(x)", "down([&] { return std::sqrt(x); })"},
      {"ddd", "__fma_rz(x, y, z)", "zero([&] { return std::fma(x, y, z); })"},
      {"i", "__int2float_ru(x)", "up([&] { return (float)x; })"},
      {"i", "__int2float_rd(x)", "down([&] { return (float)x; })"},
      {"i", "__int2float_rz(x)", "zero([&] { return (float)x; })"},
      {"u", "__uint2float_ru(x)", "up([&] { return (float)x; })"},
      {"m", "__ll2float_rz(x)", "zero([&] { return (float)x; })"},
      {"m", "__ll2float_ru(x)", "up([&] { return (float)x; })"},
      {"m", "__ll2double_rd(x)", "down([&] { return (double)x; })"},
      {"l", "__ull2float_rd(x)", "directed<float>(x, -1)"},
      {"l", "__ull2double_ru(x)", "directed<double>(x, 1)"},
      {"d", "__double2float_ru(x)", "up([&] { return (float)x; })"},
      {"d", "__double2float_rd(x)", "down([&] { return (float)x; })"},
      {"d", "__double2float_rz(x)", "zero([&] { return (float)x; })"},
      {"f", "__half_as_ushort(__float2half_rz(x))", "half(x, 0)"},
      {"f", "__half_as_ushort(__float2half_ru(x))", "half(x, 1)"},
      {"f", "__half_as_ushort(__float2half_rd(x))", "half(x, -1)"},
      {"i", "__half_as_ushort(__int2half_rz(x))", "half(x, 0)"},
      {"i", "__half_as_ushort(__int2half_ru(x))", "half(x, 1)"},
      {"f", "frexpf(x, &n)", "std::frexp(x, &n)"},
      {"f", "(isfinite(x) ? (frexpf(x, &n), n) : 0)",
       "std::isfinite(x) ? (std::frexp(x, &n), n) : 0"},
      {"d", "frexp(x, &n)", "std::frexp(x, &n)"},
      {"d", "(isfinite(x) ? (frexp(x, &n), n) : 0)",
       "std::isfinite(x) ? (std::frexp(x, &n), n) : 0"},
      {"f", "modff(x, &p)", "std::modf(x, &p)"},
      {"f", "(modff(x, &p), p)", "(std::modf(x, &p), p)"},
      {"d", "modf(x, &q)", "std::modf(x, &q)"},
      {"f", "logbf(x)", "std::logb(x)"},
      {"d", "logb(x)", "std::logb(x)"},
      {"f", "(isfinite(x) && x != 0 ? ilogbf(x) : 0)",
       "std::isfinite(x) && x != 0 ? std::ilogb(x) : 0"},
      {"ff", "nextafterf(x, y)", "std::nextafter(x, y)"},
      {"dd", "nextafter(x, y)", "std::nextafter(x, y)"},
      {"ff", "remquof(x, y, &n)", "std::remquo(x, y, &n)"},
      {"ff", "(fabsf(x / y) < 100000 ? (remquof(x, y, &n), n & 7) : 0)",
       "std::fabs(x / y) < 100000 ? (std::remquo(x, y, &n), n & 7) : 0"},
      {"f", "rintf(x)", "std::rint(x)"},
      {"f", "roundf(x)", "std::round(x)"},
      {"f", "truncf(x)", "std::trunc(x)"},
      {"ff", "fminf(x, y)", "std::fmin(x, y)"},
      {"ff", "copysignf(x, y)", "std::copysign(x, y)"},
      {"fi", "ldexpf(x, y % 300)", "std::ldexp(x, y % 300)"},
      {"f", "__saturatef(x)", "x != x ? 0.0f : x < 0 ? 0.0f : x > 1 ? 1.0f : x + 0.0f"},
      {"i", "__clz(x)", "x == 0 ? 32 : __builtin_clz(x)"},
      {"m", "__clzll(x)", "x == 0 ? 64 : __builtin_clzll(x)"},
      {"i", "__ffs(x)", "__builtin_ffs(x)"},
      {"u", "__popc(x)", "__builtin_popcount(x)"},
      {"u", "__brev(x)", "reversed(x)"},
      {"ii", "__mulhi(x, y)", "(int)(((long long)x * y) >> 32)"},
      {"uu", "__umulhi(x, y)", "(unsigned)(((unsigned long long)x * y) >> 32)"},
      {"mm", "__mul64hi(x, y)", "(long long)(((__int128)x * y) >> 64)"},
      {"ll", "__umul64hi(x, y)", "(unsigned long long)(((unsigned __int128)x * y) >> 64)"},
      {"ii", "__mul24(x, y)", "(int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8))"},
      {"iiu", "__sad(x, y, z)", "z + (unsigned)std::llabs((long long)x - y)"},
      {"ii", "__hadd(x, y)", "(int)(((long long)x + y) >> 1)"},
      {"ii", "__rhadd(x, y)", "(int)(((long long)x + y + 1) >> 1)"},
      {"uuu", "__byte_perm(x, y, z)", "bytes(x, y, z)"},
      {"uuu", "__funnelshift_l(x, y, z)",
       "(unsigned)((((unsigned long long)y << 32 | x) << (z & 31)) >> 32)"},
      {"uuu", "__funnelshift_rc(x, y, z)",
       "(unsigned)(((unsigned long long)y << 32 | x) >> (z < 32 ? z : 32))"},
      {"iii", "__dp4a(x, y, z)", "dot(x, y, z)"},
  };
  return rows;
}

const std::vector<Row>& opencl_rows() {
  static const std::vector<Row> rows = {
      {"f", "frexp(x, &n)", "std::frexp(x, &n)"},
      {"f", "(isfinite(x) ? (frexp(x, &n), n) : 0)",
       "std::isfinite(x) ? (std::frexp(x, &n), n) : 0"},
      {"d", "frexp(x, &n)", "std::frexp(x, &n)"},
      {"f", "modf(x, &p)", "std::modf(x, &p)"},
      {"f", "(isfinite(x) ? fract(x, &p) : 0)",
       "std::isfinite(x) ? std::fmin(x - std::floor(x), 0x1.fffffep-1f) : 0"},
      {"f", "logb(x)", "std::logb(x)"},
      {"d", "logb(x)", "std::logb(x)"},
      {"ff", "nextafter(x, y)", "std::nextafter(x, y)"},
      {"dd", "nextafter(x, y)", "std::nextafter(x, y)"},
      {"ff", "(fabs(x / y) < 100000 ? (remquo(x, y, &n), n & 7) : 0)",
       "std::fabs(x / y) < 100000 ? (std::remquo(x, y, &n), n & 7) : 0"},
      {"f", "(x != floor(x) && fabs(x) < 1000000 ? (lgamma_r(x, &n), n) : 1)",
       "x != std::floor(x) && std::fabs(x) < 1000000 ? x < 0 && std::fmod(std::floor(x), 2) != 0 ? "
       "-1 : 1 : 1"},
      {"ii", "mul_hi(x, y)", "(int)(((long long)x * y) >> 32)"},
      {"mm", "mul_hi(x, y)", "(long long)(((__int128)x * y) >> 64)"},
      {"ii", "hadd(x, y)", "(int)(((long long)x + y) >> 1)"},
      {"ii", "rhadd(x, y)", "(int)(((long long)x + y + 1) >> 1)"},
      {"ii", "add_sat(x, y)", "saturated((long long)x + y)"},
      {"ii", "sub_sat(x, y)", "saturated((long long)x - y)"},
      {"iii", "mad_sat(x, y, z)", "saturated((long long)x * y + z)"},
      {"ii", "(int)abs_diff(x, y)", "(int)(unsigned)std::llabs((long long)x - y)"},
      {"uu", "rotate(x, y)", "(y & 31) == 0 ? x : x << (y & 31) | x >> (32 - (y & 31))"},
      {"i", "clz(x)", "x == 0 ? 32 : __builtin_clz(x)"},
      {"i", "popcount(x)", "__builtin_popcount(x)"},
  };
  return rows;
}

constexpr const char* kHeadOfNative = R"(
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cstdint>
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

class Operands {
 public:
  std::uint64_t next(char letter) {
    const bool is_wide = letter == 'l' || letter == 'm' || letter == 'd';
    const std::uint64_t any =
        (std::uint64_t{random_()} << 32 | random_()) & (is_wide ? ~0ULL : 0xffffffffULL);
    const bool is_real = letter == 'f' || letter == 'd';
    if (random_() % 3 != 0 || !is_real) {
      if (is_real && random_() % 2 == 0) {  // of the size of what people compute with
        const double value = (static_cast<double>(random_() % 2000001) - 1e6) /
                             static_cast<double>(1 << random_() % 20);
        return letter == 'd' ? std::bit_cast<std::uint64_t>(value)
                             : std::bit_cast<std::uint32_t>(static_cast<float>(value));
      }
      if (random_() % 4 == 0)
        return random_() % 3 == 0 ? 0 : any >> random_() % (is_wide ? 64 : 32);
      return any;
    }
    static const double edges[] = {0.0,    -0.0,      1.0,        -1.0,        0.5,     8.0,
                                   1e-10,  -1e-10,    65504.0,    65519.0,     65520.0, 1e-45,
                                   -1e-45, 3e38,      -3e38,      1e308,       5e-324,  2.5,
                                   -2.5,   1.0 / 0.0, -1.0 / 0.0, std::nan("")};
    const double value = edges[random_() % std::size(edges)];
    return letter == 'd' ? std::bit_cast<std::uint64_t>(value)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }

 private:
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
    const bool is_wide = letter == 'l' || letter == 'm' || letter == 'd';
    text += opencl ? fmt::format("{} {} = from({}, {}{:#x}); ", type, "xyz"[k], type,
                                 is_wide ? "(ulong)" : "(uint)", one.operands[k])
                   : fmt::format("{}{} {} = from<{}>({:#x}ull); ", native ? "volatile " : "", type,
                                 native ? std::string(1, "abc"[k]) : std::string(1, "xyz"[k]), type,
                                 one.operands[k]);
    if (native) text += fmt::format("{} {} = {}; ", type, "xyz"[k], "abc"[k]);
  }
  return text + "int n = 0; float p = 0; double q = 0; (void)n; (void)p; (void)q; ";
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
  Compiler compiler;
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
  for (const Function& f : module->functions) {
    const Case& one = cases[static_cast<std::size_t>(std::stoul(f.name.substr(2)))];
    INFO(one.row->call, " of ", fmt::format("{:#x}", fmt::join(one.operands, ", ")), " is ",
         fmt::format("{:#x}", one.expected));
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
  }
}

int operands_or(int otherwise) {
  const char* more = std::getenv("HEADWAY_BUILTINS");
  return more == nullptr ? otherwise : std::atoi(more);
}

}  // namespace

TEST_CASE("kernel/builtins: functions of CUDA give what C++ gives") {
  expect_in_kernels(cases_of(cuda_rows(), operands_or(4)), false);
}

TEST_CASE("kernel/builtins: functions of OpenCL C give what C++ gives") {
  expect_in_kernels(cases_of(opencl_rows(), operands_or(4)), true);
}
