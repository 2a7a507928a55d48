// What instructions of PTX compute: what CUDA's operators and functions do, and what the PTX ISA
// says where these differ.
#include <doctest/doctest.h>

#include <string>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/rows.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// Of kernels whose assertions hold.
void holds(const std::string& text, const std::string& block) {
  const TemporaryFolder folder;
  const CommandResult result =
      headway::testing::check({folder.write("a.cu", text).string(), "--grid", "1", "--block", block,
                               "--format", "csv", "-m", "fair", "--subgroup", block});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.out, ",fair,weak,pass"));
}

void fails(const std::string& text) {
  const TemporaryFolder folder;
  const CommandResult result =
      headway::testing::check({folder.write("a.cu", text).string(), "--grid", "1", "--block", "1",
                               "--format", "csv", "-m", "fair"});
  CAPTURE(result.err);
  CHECK(contains(result.out, ",fair,weak,error"));
  CHECK(contains(result.err, "assertion"));
}

// A kernel of one thread with an input and an output of each kind of register.
std::string one(const std::string& body) {
  return "__global__ void k(unsigned* o) { unsigned a, b, x = 0x80000005u, y = 7; int s;\n"
         "  unsigned long long w; float f; short h = -2; (void)a; (void)b; (void)s; (void)w; "
         "(void)f;\n"
         "  (void)x; (void)y; (void)h;\n" +
         body + " }\n";
}

}  // namespace

TEST_CASE("kernel/ptx/values: arithmetic is that of integers of a width") {
  holds(one(R"(
  asm("add.u32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x + y);
  asm("sub.s32 %0, %1, 3;" : "=r"(a) : "r"(x)); assert(a == x - 3);
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x * y);
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(x), "r"(y)); assert(w == (unsigned long long)x * y);
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(w) : "r"(x), "r"(y)); assert((long long)w == (long long)(int)x * 7);
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == __umulhi(x, y));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(s) : "r"(x), "r"(y)); assert(s == __mulhi((int)x, 7));
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(w) : "l"(~0ull), "l"(8ull)); assert(w == 7);
  asm("mad.lo.u32 %0, %1, %2, 1;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x * y + 1);
  asm("div.s32 %0, %1, %2;" : "=r"(s) : "r"(-7), "r"(2)); assert(s == -3);
  asm("rem.u32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x % y);
  asm("min.s32 %0, %1, %2;" : "=r"(s) : "r"(-4), "r"(3)); assert(s == -4);
  asm("min.u32 %0, %1, %2;" : "=r"(a) : "r"(-4), "r"(3)); assert(a == 3);
  asm("max.s32 %0, %1, %2;" : "=r"(s) : "r"(-4), "r"(3)); assert(s == 3);
  asm("not.b32 %0, %1;" : "=r"(a) : "r"(1)); assert(a == ~1u);
  asm("neg.s32 %0, %1;" : "=r"(s) : "r"(1)); assert(s == -1);
  asm("abs.s32 %0, %1;" : "=r"(s) : "r"(-9)); assert(s == 9);
  asm("xor.b32 %0, %1, 0xff;" : "=r"(a) : "r"(1)); assert(a == 0xfe);)"),
        "1");
  fails(one(R"(asm("add.u32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x);)"));
}

TEST_CASE("kernel/ptx/values: carries go from one word to the next") {
  const std::string wide =
      "  unsigned long long p = 0xffffffff00000003ull, q = 0x1234567800000009ull; unsigned c;\n";
  const auto words = [](const std::string& first, const std::string& second, const char* result) {
    return "  asm(\"{ " + first + " %0, %3, %5; " + second +
           " %1, %4, %6; addc.u32 %2, 0, 0; }\" : \"=r\"(a), \"=r\"(b), \"=r\"(c) : "
           "\"r\"((unsigned)p), \"r\"((unsigned)(p >> 32)), \"r\"((unsigned)q), "
           "\"r\"((unsigned)(q >> 32)));\n  assert(((unsigned long long)b << 32 | a) == " +
           result + ");\n";
  };
  holds(one(wide + words("add.cc.u32", "addc.cc.u32", "p + q") + "  assert(c == 1);\n" +
            words("sub.cc.u32", "subc.cc.u32", "p - q") + "  assert(c == 0);\n" +
            "  { unsigned long long t = p; p = q; q = t; }\n" +
            words("sub.cc.s32", "subc.cc.s32", "p - q") + "  assert(c == 1);\n"),
        "1");
  // A product of 64 bits each, the upper half, by words.
  holds(one(R"(
  unsigned long long p = 0xfedcba9876543210ull, q = 0x0fedcba987654321ull;
  unsigned p0 = (unsigned)p, p1 = (unsigned)(p >> 32), q0 = (unsigned)q, q1 = (unsigned)(q >> 32), r1, r2, r3;
  asm("{ mul.hi.u32 %0, %3, %5; mad.lo.cc.u32 %0, %3, %6, %0; madc.hi.u32 %1, %3, %6, 0;"
      " mad.lo.cc.u32 %0, %4, %5, %0; madc.hi.cc.u32 %1, %4, %5, %1; madc.hi.u32 %2, %4, %6, 0;"
      " mad.lo.cc.u32 %1, %4, %6, %1; addc.u32 %2, %2, 0; }"
      : "=&r"(r1), "=&r"(r2), "=&r"(r3) : "r"(p0), "r"(p1), "r"(q0), "r"(q1));
  assert(((unsigned long long)r3 << 32 | r2) == __umul64hi(p, q)); assert(r1 == (unsigned)((p * q) >> 32));
  asm("add.cc.u64 %0, %1, %2;" : "=l"(w) : "l"(p), "l"(q)); assert(w == p + q);)"),
        "1");
  const TemporaryFolder folder;
  const auto refused = headway::testing::check(
      {folder.write("a.cu", one("asm(\"addc.u32 %0, %1, 0;\" : \"=r\"(a) : \"r\"(x));")).string()});
  CHECK(contains(refused.err, "a carry that no instruction before it sets"));
}

TEST_CASE("kernel/ptx/values: halves are computed with lane by lane, and rounded once") {
  const std::string head = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  const std::string own = "  unsigned short g, d = 0x3c01, e = 0x4455, i = 0x0011; (void)g;\n";
  holds(head + one(own + R"(
  asm("add.f16 %0, %1, %2;" : "=h"(g) : "h"(d), "h"(e)); assert(g == __half_as_ushort(__hadd(__ushort_as_half(d), __ushort_as_half(e))));
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(g) : "h"(d), "h"(e)); assert(g == __half_as_ushort(__hsub(__ushort_as_half(d), __ushort_as_half(e))));
  asm("mul.f16 %0, %1, %2;" : "=h"(g) : "h"(d), "h"(e)); assert(g == __half_as_ushort(__hmul(__ushort_as_half(d), __ushort_as_half(e))));
  asm("fma.rn.f16 %0, %1, %1, %2;" : "=h"(g) : "h"(d), "h"(i)); assert(g == __half_as_ushort(__hfma(__ushort_as_half(d), __ushort_as_half(d), __ushort_as_half(i))));
  asm("min.f16 %0, %1, %2;" : "=h"(g) : "h"(d), "h"(e)); assert(g == d);
  asm("max.f16 %0, %1, %2;" : "=h"(g) : "h"(d), "h"(e)); assert(g == e);
  asm("neg.f16 %0, %1;" : "=h"(g) : "h"(d)); assert(g == 0xbc01);
  asm("abs.f16 %0, %1;" : "=h"(g) : "h"((unsigned short)0xbc01)); assert(g == d);
  asm("add.ftz.f16 %0, %1, %1;" : "=h"(g) : "h"(i)); assert(g == 0);
  asm("add.sat.f16 %0, %1, %2;" : "=h"(g) : "h"(d), "h"(e)); assert(g == 0x3c00);
  asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(a) : "h"(d), "h"(e)); assert(a == 1);
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(d)); assert(f == 1.0f + 1.0f / 1024);
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(g) : "f"(1.0f + 1.0f / 1024)); assert(g == d);
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(g) : "r"(-3)); assert(g == 0xc200);
  asm("cvt.rzi.s32.f16 %0, %1;" : "=r"(s) : "h"(e)); assert(s == 4);
  asm("cvt.ftz.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)1)); assert(f == 1.0f / (1 << 24));
  asm("cvt.rn.ftz.f16.f32 %0, %1;" : "=h"(g) : "f"(1.0f / (1 << 24))); assert(g == 1);
  asm("add.f16x2 %0, %1, %2;" : "=r"(a) : "r"(0x3c004000u), "r"(0x3c003c00u)); assert(a == 0x40004200u);
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(a) : "r"(0x3c004000u), "r"(0x40003c00u), "r"(0x3c00bc00u)); assert(a == 0x42003c00u);
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(a) : "f"(2.0f), "f"(1.0f)); assert(a == 0x40003c00u);
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(a) : "f"(2.0f), "f"(1.0f + 1.0f / 256)); assert(a == 0x40003f80u);
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(g) : "f"(1.0f + 3.0f / 256)); assert(g == 0x3f82);
  asm("cvt.f32.bf16 %0, %1;" : "=f"(f) : "h"((unsigned short)0x4040)); assert(f == 3);)"),
        "1");
  // A product and a sum of which a second rounding, of the double in between, would be seen.
  holds(head + one(own + R"(
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(g) : "h"((unsigned short)0x3c01), "h"((unsigned short)0x3bff), "h"((unsigned short)0x0001));
  assert(g == __half_as_ushort(__hfma(__ushort_as_half(0x3c01), __ushort_as_half(0x3bff), __ushort_as_half(0x0001))));)"),
        "1");
}

TEST_CASE("kernel/ptx/values: small instructions mean what the ISA says") {
  holds(one(R"(
  asm("copysign.f32 %0, %1, %2;" : "=f"(f) : "f"(-0.0f), "f"(3.0f)); assert(f == -3);
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(a) : "r"(0xff800001u), "r"(3)); assert(a == 0x800001u * 3);
  asm("mul24.hi.s32 %0, %1, %2;" : "=r"(s) : "r"(0x00800000), "r"(0x00000100)); assert(s == (int)((-8388608ll * 256) >> 16));
  asm("mad24.lo.s32 %0, %1, %2, 5;" : "=r"(s) : "r"(0x00ffffff), "r"(7)); assert(s == -2);
  asm("cnot.b32 %0, %1;" : "=r"(a) : "r"(0)); assert(a == 1);
  asm("cnot.b32 %0, %1;" : "=r"(a) : "r"(8)); assert(a == 0);
  asm("slct.u32.s32 %0, 1, 2, %1;" : "=r"(a) : "r"(-1)); assert(a == 2);
  asm("slct.u32.f32 %0, 1, 2, %1;" : "=r"(a) : "f"(-0.0f)); assert(a == 1);
  asm("slct.u32.f32 %0, 1, 2, %1;" : "=r"(a) : "f"(__int_as_float(0x7fc00000))); assert(a == 2);
  asm("slct.ftz.f32.f32 %0, %1, 0f40000000, %2;" : "=f"(f) : "f"(__int_as_float(1)), "f"(1.0f)); assert(__float_as_int(f) == 1);
  asm volatile("fence.proxy.async;" ::: "memory");
  double v; asm("min.f64 %0, %1, %2;" : "=d"(v) : "d"(__longlong_as_double(0x7ff0000000000001ll)), "d"(2.0)); assert(v == 2);)"),
        "1");
}

TEST_CASE("kernel/ptx/values: shifts by the width or more leave nothing but the sign") {
  holds(one(R"(
  asm("shl.b32 %0, %1, 32;" : "=r"(a) : "r"(x)); assert(a == 0);
  asm("shl.b32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x << 7);
  asm("shr.u32 %0, %1, %2;" : "=r"(a) : "r"(x), "r"(y)); assert(a == x >> 7);
  asm("shr.u32 %0, %1, 40;" : "=r"(a) : "r"(x)); assert(a == 0);
  asm("shr.s32 %0, %1, 40;" : "=r"(s) : "r"(x)); assert(s == -1);
  asm("shr.s32 %0, %1, 4;" : "=r"(s) : "r"(x)); assert(s == (int)x >> 4);
  asm("shl.b64 %0, %1, %2;" : "=l"(w) : "l"(5ull), "r"(64 + (int)y)); assert(w == 0);)"),
        "1");
}

TEST_CASE("kernel/ptx/values: predicates choose, guard and lead back in loops") {
  holds(one(R"(
  asm("{ .reg .pred p, q; setp.lt.s32 p|q, %1, 0; @p mov.u32 %0, 5; @!p mov.u32 %0, 6;\n"
      "  @q add.u32 %0, %0, 10; }" : "=r"(a) : "r"(x)); assert(a == 5);
  asm("{ .reg .pred p; setp.lo.u32 p, %1, 9; selp.b32 %0, 1, 2, p; }" : "=r"(a) : "r"(y)); assert(a == 1);
  asm("{ .reg .pred p; setp.lt.u32 p, %1, 9; selp.b32 %0, 1, 2, p; }" : "=r"(a) : "r"(x)); assert(a == 2);
  asm("{ .reg .pred p, q; setp.ne.u32 p, %1, 7; setp.eq.and.u32 q, %1, 7, !p; selp.u32 %0, 1, 0, q; }"
      : "=r"(a) : "r"(y)); assert(a == 1);
  asm("{ .reg .pred p; .reg .b32 i; mov.u32 %0, 0; mov.u32 i, 0; L: add.u32 %0, %0, i;\n"
      "  add.u32 i, i, 1; setp.ne.u32 p, i, 5; @p bra L; }" : "=r"(a)); assert(a == 10);
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 7; @p bra OUT_%=; trap; OUT_%=: mov.u32 %0, 3; }"
      : "=r"(a) : "r"(y)); assert(a == 3);
  if (y == 7) asm volatile("exit;");
  assert(0);)"),
        "1");
}

TEST_CASE("kernel/ptx/values: registers may be wider than what is converted, or put together") {
  holds(one(R"(
  asm("cvt.u64.u32 %0, %1;" : "=l"(w) : "r"(x)); assert(w == x);
  asm("cvt.s64.s32 %0, %1;" : "=l"(w) : "r"(x)); assert(w == (unsigned long long)(long long)(int)x);
  asm("cvt.u32.u8 %0, %1;" : "=r"(a) : "r"(0x1ff)); assert(a == 0xff);
  asm("cvt.s32.s8 %0, %1;" : "=r"(s) : "r"(0x1ff)); assert(s == -1);
  asm("cvt.s32.s16 %0, %1;" : "=r"(s) : "h"(h)); assert(s == -2);
  asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(1), "r"(2)); assert(w == 0x200000001ull);
  asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(b) : "l"(w)); assert(a == 1 && b == 2);
  asm("mov.f32 %0, 0f3F800000;" : "=f"(f)); assert(f == 1.0f);
  asm("mov.b32 %0, %1;" : "=r"(a) : "f"(1.0f)); assert(a == 0x3f800000);
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(a) : "r"(0xabcd)); assert(a == 0xbc);
  asm("bfe.s32 %0, %1, 4, 8;" : "=r"(s) : "r"(0xabcd)); assert(s == (int)0xffffffbc);
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(a) : "r"(0x12), "r"(0xabcd)); assert(a == 0xa12d);
  asm("popc.b32 %0, %1;" : "=r"(a) : "r"(0xff)); assert(a == 8);
  asm("clz.b32 %0, %1;" : "=r"(a) : "r"(0xff)); assert(a == 24);
  asm("clz.b64 %0, %1;" : "=r"(a) : "l"(0xffll)); assert(a == 56);
  asm("brev.b32 %0, %1;" : "=r"(a) : "r"(1)); assert(a == 0x80000000u);)"),
        "1");
}

TEST_CASE("kernel/ptx/values: a text that is empty leaves what it names as it is") {
  holds(one(R"(
  s = 9; asm("" : "+r"(s)); assert(s == 9);
  asm volatile(" \n" : "+r"(s) :: "memory"); assert(s == 9);
  unsigned char c = 200; asm volatile("" : "+r"(c)); assert(c == 200);
  asm volatile("// nothing\n" ::: "memory");)"),
        "1");
}

TEST_CASE("kernel/ptx/values: accesses find their bytes, and updates what was there") {
  holds(one(R"(
  o[0] = 0; o[1] = 1; o[2] = 2; o[3] = 3;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "l"(o) : "memory"); assert(a == 2 && b == 3);
  asm volatile("st.v4.b32 [%0], {%1, %1, 8, %2};" :: "l"(o), "r"(9), "r"(10) : "memory");
  assert(o[0] == 9 && o[1] == 9 && o[2] == 8 && o[3] == 10);
  asm volatile("st.u8 [%0+%2], %1;" :: "l"(o), "r"(0x1ff), "n"(1) : "memory"); assert(o[0] == 0xff09);
  asm volatile("ld.s8 %0, [%1+1];" : "=r"(s) : "l"(o) : "memory"); assert(s == -1);
  asm volatile("ld.u8 %0, [%1+1];" : "=r"(a) : "l"(o) : "memory"); assert(a == 255);
  asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];"
      : "=r"(a), "=r"(b) : "l"(o) : "memory"); assert(a == 0xff09 && b == 9);
  asm volatile("st.volatile.v2.u32 [%2], {%0, %1};"
      :: "r"(3), "r"(4), "l"(o) : "memory"); assert(o[0] == 3 && o[1] == 4);
  asm volatile("atom.add.u32 %0, [%1], 5;" : "=r"(a) : "l"(o) : "memory"); assert(a == 3 && o[0] == 8);
  asm volatile("atom.cas.b32 %0, [%1], 8, 4;" : "=r"(a) : "l"(o) : "memory"); assert(a == 8 && o[0] == 4);
  asm volatile("atom.exch.b32 %0, [%1], 1;" : "=r"(a) : "l"(o) : "memory"); assert(a == 4 && o[0] == 1);
  asm volatile("atom.inc.u32 %0, [%1], 1;" : "=r"(a) : "l"(o) : "memory"); assert(a == 1 && o[0] == 0);
  asm volatile("atom.dec.u32 %0, [%1], 6;" : "=r"(a) : "l"(o) : "memory"); assert(a == 0 && o[0] == 6);
  asm volatile("red.max.s32 [%0], -1;" :: "l"(o) : "memory"); assert(o[0] == 6);
  asm volatile("red.max.u32 [%0], -1;" :: "l"(o) : "memory"); assert(o[0] == 0xffffffff);
  asm volatile("{ .reg .u64 a; add.u64 a, %0, 4; st.u32 [a], 77; }" :: "l"(o) : "memory"); assert(o[1] == 77);
  unsigned* to; asm("mov.u64 %0, %1;" : "=l"(to) : "l"(o + 2)); *to = 5; assert(o[2] == 5);
  asm("cvta.to.global.u64 %0, %1;" : "=l"(w) : "l"(o));
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(w) : "memory"); assert(a == 0xffffffff);)"),
        "1");
}

TEST_CASE("kernel/ptx/values: addresses of shared memory are followed back to their variable") {
  const std::string kernel = R"(
__global__ void k(unsigned* o) {
  __shared__ unsigned s[4]; unsigned at, v;
  s[threadIdx.x] = threadIdx.x + 1;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(at) : "l"(s));
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at + 4 * (1 - threadIdx.x)) : "memory");
  assert(v == 2 - threadIdx.x);
  __syncthreads();
  at = (unsigned)__cvta_generic_to_shared(s + 2);
  asm volatile("st.shared.u32 [%0+-8], 9;" :: "r"(at + 4 * threadIdx.x) : "memory");
  assert(s[threadIdx.x] == 9);
  unsigned* back = (unsigned*)__cvta_shared_to_generic(__cvta_generic_to_shared(s) + 4);
  assert(back[(int)threadIdx.x - 1] == 9);
  asm volatile("{ .reg .pred p; .reg .u64 a; cvta.to.shared.u64 a, %1; setp.eq.u32 p, %2, 1;\n"
               "  @p bra OUT; st.shared.u32 [a], 3; OUT: mov.u32 %0, 4; }"
               : "=r"(v) : "l"(s), "r"(threadIdx.x) : "memory");
  __syncthreads();
  assert(s[0] == 3 && v == 4);
  o[threadIdx.x] = v;
}
)";
  holds(kernel, "2");
  // Where all is computed, as the host's runs and shuffles ask for it, parts of addresses are not.
  const std::string run = R"(
__global__ void k(unsigned* p) {
  __shared__ unsigned s[1];
  unsigned at = (unsigned)__cvta_generic_to_shared(s), v;
  asm volatile("st.shared.u32 [%0], 5;" :: "r"(at) : "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
  asm volatile("st.global.u32 [%0], %1;" :: "l"(p), "r"(__shfl_sync(1, v, 0)) : "memory");
}
int main() {
  unsigned* p;
  unsigned h = 0;
  if (cudaMalloc(&p, 4) != cudaSuccess) return 1;
  k<<<1, 1>>>(p);
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  asm volatile("" ::: "memory");
  assert(h == 5);
}
)";
  const TemporaryFolder folder;
  const CommandResult result =
      headway::testing::check({folder.write("a.cu", run).string(), "--format", "csv"});
  CAPTURE(result.out);
  CHECK(!contains(result.out, "unsupported"));
  CHECK(contains(result.out, "assertion,verified"));
}

TEST_CASE("kernel/ptx/values: the highest bit is found, and masks are made") {
  holds(one(R"(
  asm("bfind.u32 %0, %1;" : "=r"(a) : "r"(0x1000)); assert(a == 12);
  asm("bfind.u32 %0, %1;" : "=r"(a) : "r"(0)); assert(a == 0xffffffff);
  asm("bfind.s32 %0, %1;" : "=r"(a) : "r"(-5)); assert(a == 2);
  asm("bfind.s32 %0, %1;" : "=r"(a) : "r"(-1)); assert(a == 0xffffffff);
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(a) : "r"(0x1000)); assert(a == 19);
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(a) : "r"(0)); assert(a == 0xffffffff);
  asm("bfind.u64 %0, %1;" : "=r"(a) : "l"(1ull << 40)); assert(a == 40);
  asm("bfind.shiftamt.s64 %0, %1;" : "=r"(a) : "l"(~(1ll << 40))); assert(a == 23);
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(a) : "r"(4), "r"(3)); assert(a == 0x70);
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(a) : "r"(30), "r"(9)); assert(a == 0xc0000000);
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(a) : "r"(0), "r"(32)); assert(a == 0xffffffff);
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(a) : "r"(33), "r"(1)); assert(a == 0);
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(a) : "r"(33), "r"(1)); assert(a == 2);
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(a) : "r"(0), "r"(32)); assert(a == 0);)"),
        "1");
  fails(one(R"(asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(a) : "r"(4), "r"(3)); assert(a == 0x38);)"));
}

TEST_CASE("kernel/ptx/values: words are taken apart, and put together") {
  holds(one(R"(
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(3), "r"(10), "r"(1)); assert(a == 8);
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(-3), "r"(2), "r"(1)); assert(s == 6);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(a) : "r"(x), "r"(y), "r"(9)); assert(a == (x ^ y ^ 9));
  asm("lop3.b32 %0, %1, %2, %3, 0xe2;" : "=r"(a) : "r"(x), "r"(y), "r"(9)); assert(a == ((x & y) | (9 & ~y)));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(a) : "r"(0x33221180), "r"(0x77665544), "r"(0x7048)); assert(a == 0x778044ff);
  asm("prmt.b32 %0, %1, %2, 0x9000;" : "=r"(a) : "r"(0x1234), "r"(0)); assert(a == 0x343434);
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(a) : "r"(x), "r"(y), "r"(36)); assert(a == (y << 4 | x >> 28));
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(a) : "r"(x), "r"(y), "r"(36)); assert(a == x);
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(a) : "r"(x), "r"(y), "r"(4)); assert(a == (x >> 4 | y << 28));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(a) : "r"(x), "r"(y), "r"(99)); assert(a == y);
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(0xff020304), "r"(0x01010101), "r"(5)); assert(a == 269);
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(s) : "r"(0xff020304), "r"(0x02010101), "r"(5)); assert(s == 12);)"),
        "1");
  fails(one(R"(asm("prmt.b32 %0, %1, %2, 0x3210;" : "=r"(a) : "r"(x), "r"(y)); assert(a == y);)"));
}

TEST_CASE(
    "kernel/ptx/values: small reals become zeros where that is said, and others keep a range") {
  holds(one(R"(const float least = __int_as_float(0x00800000), small = __int_as_float(0x80000001);
  #define BITS(f) (unsigned)__float_as_int(f)
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(small), "f"(small)); assert(BITS(f) == 0x80000000);
  asm("add.f32 %0, %1, %2;" : "=f"(f) : "f"(small), "f"(small)); assert(BITS(f) == 0x80000002);
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(least), "f"(-0.5f)); assert(BITS(f) == 0x80000000);
  asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(small), "f"(1e30f), "f"(2.0f)); assert(f == 2);
  asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(1.0f), "f"(4.0f)); assert(f == 0.25f);
  asm("max.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(small), "f"(-1.0f)); assert(BITS(f) == 0x80000000);
  asm("neg.ftz.f32 %0, %1;" : "=f"(f) : "f"(small)); assert(BITS(f) == 0);
  asm("{ .reg .pred p; setp.lt.ftz.f32 p, %1, 0f00000000; selp.u32 %0, 1, 0, p; }" : "=r"(a) : "f"(small)); assert(a == 0);
  asm("{ .reg .pred p; setp.lt.f32 p, %1, 0f00000000; selp.u32 %0, 1, 0, p; }" : "=r"(a) : "f"(small)); assert(a == 1);
  asm("cvt.rn.ftz.f32.f64 %0, %1;" : "=f"(f) : "d"(1e-40)); assert(BITS(f) == 0);
  asm("cvt.rpi.ftz.s32.f32 %0, %1;" : "=r"(s) : "f"(__int_as_float(1))); assert(s == 0);
  asm("add.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(0.75f), "f"(0.75f)); assert(f == 1);
  asm("sub.ftz.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(0.25f), "f"(0.75f)); assert(BITS(f) == 0);
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(0.5f), "f"(0.5f), "f"(0.25f)); assert(f == 0.5f);
  asm("add.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(INFINITY), "f"(-INFINITY)); assert(BITS(f) == 0);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(3.0f)); assert(f == 1);)"),
        "1");
  fails(one(
      R"(asm("add.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(0.75f), "f"(0.75f)); assert(f == 1.5f);)"));
}

TEST_CASE("kernel/ptx/values: integers that do not fit become the nearest one where that is said") {
  holds(one(R"(
  asm("add.sat.s32 %0, %1, %2;" : "=r"(s) : "r"(2147483647), "r"(1)); assert(s == 2147483647);
  asm("add.sat.s32 %0, %1, %2;" : "=r"(s) : "r"(5), "r"(-8)); assert(s == -3);
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(s) : "r"(-2147483647), "r"(9)); assert(s == -2147483647 - 1);
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(a) : "r"(300)); assert(a == 255);
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(a) : "r"(-3)); assert(a == 0);
  asm("cvt.sat.u8.u32 %0, %1;" : "=r"(a) : "r"(0xffffffff)); assert(a == 255);
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(s) : "r"(-129)); assert(s == -128);
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(s) : "r"(100)); assert(s == 100);
  asm("cvt.sat.s32.u32 %0, %1;" : "=r"(s) : "r"(0x80000000)); assert(s == 0x7fffffff);
  asm("cvt.sat.u64.s32 %0, %1;" : "=l"(w) : "r"(-1)); assert(w == 0);
  asm("cvt.sat.s16.s64 %0, %1;" : "=r"(s) : "l"(-70000ll)); assert(s == -32768);
  asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(a) : "f"(255.6f)); assert(a == 255);)"),
        "1");
}

TEST_CASE("kernel/ptx/values: what is computed nearly is no known value, but the same one") {
  holds(one(R"(float g, h2;
  asm("rcp.rn.f32 %0, %1;" : "=f"(f) : "f"(4.0f)); assert(f == 0.25f);
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(4.0f));
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(g) : "f"(4.0f));
  asm("div.full.f32 %0, %1, %2;" : "=f"(h2) : "f"(4.0f), "f"(2.0f));
  assert(__float_as_int(f) == __float_as_int(g)); (void)h2;)"),
        "1");
  for (const char* function : {"rcp.approx", "sin.approx.ftz", "ex2.approx", "tanh.approx"}) {
    CAPTURE(function);
    const std::string text =
        std::string("asm(\"") + function + R"(.f32 %0, %1;" : "=f"(f) : "f"(1.0f));)";
    for (const char* claim : {" assert(f == 1.0f);", " assert(f != 1.0f);"}) {
      const TemporaryFolder folder;
      const CommandResult result = headway::testing::check(
          {folder.write("a.cu", one(text + claim)).string(), "--grid", "1", "--block", "1"});
      CHECK(contains(result.err, "possible assertion"));
    }
  }
}

TEST_CASE("kernel/ptx/values: a field that goes beyond the highest bit ends with it, or its sign") {
  holds(R"(__global__ void k() {
  unsigned u; int s; unsigned long long w;
  asm volatile("bfe.u32 %0, %1, 28, 8;" : "=r"(u) : "r"(0xabcdef01u));
  assert(u == 0xa);
  asm volatile("bfe.u32 %0, %1, 40, 8;" : "=r"(u) : "r"(0xabcdef01u));
  assert(u == 0);
  asm volatile("bfe.s32 %0, %1, 28, 8;" : "=r"(s) : "r"(0xabcdef01));
  assert(s == -6);
  asm volatile("bfe.s32 %0, %1, 200, 8;" : "=r"(s) : "r"(0xabcdef01));
  assert(s == -1);
  asm volatile("bfe.s32 %0, %1, 200, 8;" : "=r"(s) : "r"(0x2bcdef01));
  assert(s == 0);
  asm volatile("bfe.u64 %0, %1, 60, 64;" : "=l"(w) : "l"(0xabcdef0100000000ull));
  assert(w == 0xa);
})",
        "1");
}

TEST_CASE("kernel/ptx/values: one thread of a warp is elected") {
  holds(R"(__global__ void k(int* o) {
  int leader, is_leader;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xf; selp.b32 %1, 1, 0, p; }" : "=r"(leader), "=r"(is_leader));
  assert(leader >= 0 && leader < 4);
  assert(is_leader == (leader == (int)threadIdx.x));
})",
        "4");
}

// By the words of "shfl.sync" in the PTX ISA: what each lane of a warp has, computed from scratch.
TEST_CASE("kernel/ptx/values: lanes are shuffled within any bounds") {
  holds(R"(
__device__ void expect(int got, int there, int way, int by, int bounds) {
  const int lane = threadIdx.x, section = bounds >> 8 & 31, first = lane & section;
  const int last = first | (bounds & 31 & ~section);
  const int from = way == 0 ? first | (by & ~section) : way == 1 ? lane - by : way == 2 ? lane + by : lane ^ by;
  const int is_there = way == 1 ? from >= last : from <= last;
  assert(there == is_there);
  assert(got == 3 * (is_there ? from : lane));
}
__global__ void k(int* bounds_of) {
  const int lane = threadIdx.x, mine = 3 * lane;
  const int all[4] = {0x0005, 0x1c03, 0x1800, 0x0000};
  int got, there;
  for (int i = 0; i < 4; ++i) {
    const int bounds = all[i];
    asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %2, %3, %4, 0xff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(there) : "r"(mine), "r"(3), "r"(bounds));
    expect(got, there, 0, 3, bounds);
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, %3, %4, 0xff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(there) : "r"(mine), "r"(2), "r"(bounds));
    expect(got, there, 1, 2, bounds);
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, %4, 0xff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(there) : "r"(mine), "r"(1), "r"(bounds));
    expect(got, there, 2, 1, bounds);
    asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %2, %3, %4, 0xff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(there) : "r"(mine), "r"(2), "r"(bounds));
    expect(got, there, 3, 2, bounds);
  }
})",
        "8");
}

TEST_CASE("kernel/ptx/values: threads of a warp get what CUDA's functions give them") {
  holds(R"(
__global__ void k(unsigned* o) {
  unsigned lane = threadIdx.x, v, w;
  asm("mov.u32 %0, %%laneid;" : "=r"(v)); assert(v == lane);
  asm("mov.u32 %0, %%tid.x;" : "=r"(v)); assert(v == lane);
  asm("mov.u32 %0, %%ntid.x;" : "=r"(v)); assert(v == 4);
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v)); assert(v == (1u << lane) - 1);
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(v)); assert(v == (2u << lane) - 1);
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(v)); assert(v == ~((2u << lane) - 1));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v)); assert(v == ~((1u << lane) - 1));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(v)); assert(v == 1u << lane);
  asm volatile("shfl.sync.idx.b32 %0, %1, 2, 0x1f, 0xf;" : "=r"(v) : "r"(lane * 3)); assert(v == 6);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xf;" : "=r"(v) : "r"(lane)); assert(v == (lane ^ 1));
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 1, 0, 0xf; selp.u32 %1, 1, 0, p; }"
               : "=r"(v), "=r"(w) : "r"(lane));
  assert(w == (lane > 0) && v == (lane > 0 ? lane - 1 : 0));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 1, 0x1e1f, 0xf; selp.u32 %1, 1, 0, p; }"
               : "=r"(v), "=r"(w) : "r"(lane));
  assert(w == (lane % 2 == 0) && v == (lane | 1));
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1; vote.sync.ballot.b32 %0, p, 0xf; }"
               : "=r"(v) : "r"(lane)); assert(v == 0xc);
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1; vote.sync.any.pred p, p, 0xf; selp.u32 %0, 1, 0, p; }"
               : "=r"(v) : "r"(lane)); assert(v == 1);
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1; vote.sync.all.pred p, !p, 0xf; selp.u32 %0, 1, 0, p; }"
               : "=r"(v) : "r"(lane)); assert(v == 0);
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1; vote.sync.uni.pred p, p, 0xf; selp.u32 %0, 1, 0, p; }"
               : "=r"(v) : "r"(lane)); assert(v == 0);
  asm volatile("match.any.sync.b32 %0, %1, 0xf;" : "=r"(v) : "r"(lane / 2)); assert(v == (lane < 2 ? 3 : 12));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, 0xf; selp.u32 %1, 1, 0, p; }"
               : "=r"(v), "=r"(w) : "r"(5)); assert(v == 0xf && w == 1);
  asm volatile("redux.sync.add.u32 %0, %1, 0xf;" : "=r"(v) : "r"(lane)); assert(v == 6);
  asm volatile("redux.sync.max.s32 %0, %1, 0xf;" : "=r"(v) : "r"(-(int)lane)); assert(v == 0);
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 3; bar.red.popc.u32 %0, 0, p; }" : "=r"(v) : "r"(lane));
  assert(v == 3);
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 3; bar.red.and.pred p, 0, p; selp.u32 %0, 1, 0, p; }"
               : "=r"(v) : "r"(lane));
  assert(v == 0);
}
)",
        "4");
}

TEST_CASE("kernel/ptx/values: which thread is elected is taken for granted, and said") {
  const char* text =
      "__global__ void k(int* o) { int leads;\n"
      "  asm volatile(\"{ .reg .pred p; elect.sync _|p, 3; selp.b32 %0, 1, 0, p; }\" : "
      "\"=r\"(leads));\n"
      "  if (leads) o[0] = 1; }";
  headway::testing::check_rows({{"a.cu", text, headway::testing::kCheckTwo,
                                 "elect.sync elects the lowest lane of its mask"}});
}
