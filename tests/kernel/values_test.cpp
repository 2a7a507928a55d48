// What values, pointers and memory are, where languages leave much open: what was never set, where
// arrays begin and how they are aligned, functions from outside, conversions and shifts. Each class
// has kernels that go wrong by it, and others that only look as if they did.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;
using headway::testing::kCheckShaderAnyN;
using headway::testing::kCheckTwo;
using headway::testing::kCheckTwoAnyN;
using headway::testing::kVerifyBounds;
using headway::testing::kVerifyTwo;

TEST_CASE(
    "kernel/values: what was never set is any value, and an error where something hangs on it") {
  const char* sometimes =
      "__global__ void k(int* a, int n) { int v; if (n > 4) v = 1; if (v == 7) a[0] = threadIdx.x; "
      "}";
  const char* barrier =
      "__global__ void k(int n) { int v; if (n > 4) v = 0; if (v) __syncthreads(); }";
  const char* again =
      "__global__ void k(int* a, int n) { for (int i = 0; i < 3; ++i) { int v; if (i == 0) v = 1;\n"
      "  if (v == 7) a[0] = threadIdx.x; } }";
  const char* called =
      "__device__ int f(int n) { int v; if (n > 4) v = 1; return v; }\n"
      "__global__ void k(int* a, int n) { if (f(n) == 7) a[0] = threadIdx.x; }";
  const char* member =
      "struct S { int u, v; };\n"
      "__global__ void k(int* a, int n) { S s; s.u = 1; if (n > 4) s.v = 1; if (s.v == 7) a[0] = "
      "threadIdx.x; }";
  const char* array =
      "__global__ void k(int* a, int n) { int s[4]; for (int i = 0; i < 3; ++i) s[i] = 1;\n"
      "  if (s[3] == 7) a[0] = threadIdx.x; }";
  const char* chosen =
      "__global__ void k(int* a, int n) { int v; if (n > 4) v = 1;\n"
      "  switch (v) { case 7: a[0] = threadIdx.x; } }";
  const char* opencl =
      "kernel void k(global int* a, int n) { int v; if (n > 4) v = 1;\n"
      "  if (v == 7) a[0] = get_local_id(0); }";
  const char* glsl =
      "#version 450\nlayout(local_size_x = 2) in;\n"
      "layout(std430, binding = 0) buffer A { int n; int a[]; };\n"
      "void main() { int v; if (n > 4) v = 1; if (v == 7) a[0] = int(gl_LocalInvocationID.x); }";
  // Set wherever it is used.
  const char* together =
      "__global__ void k(int* a, int n) { int v; if (n > 4) v = 1;\n"
      "  if (n > 4 && v == 7) a[0] = threadIdx.x; }";
  const char* unused =
      "__global__ void k(int* a, int n) { int v; if (n > 4) v = 2 * n; a[threadIdx.x] = n; }";
  check_rows({{"a.cu", sometimes, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cu", sometimes, kCheckTwo, "depends on 'v', which was never set", ",pass"},
              {"a.cu", barrier, kVerifyTwo, ",divergence,possible", ",divergence,verified"},
              {"a.cu", barrier, kCheckTwo, "depends on 'v', which was never set", ",pass"},
              {"a.cu", again, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cu", again, kCheckTwo, "which was never set", ",pass"},
              {"a.cu", called, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cu", called, kCheckTwo, "depends on 'v', which was never set", ",pass"},
              {"a.cu", member, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cu", member, kCheckTwo, "never written", ",pass"},
              {"a.cu", array, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cu", array, kCheckTwo, "never written", ",pass"},
              {"a.cu", chosen, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cu", chosen, kCheckTwo, "depends on 'v', which was never set", ",pass"},
              {"a.cl", opencl, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cl", opencl, kCheckTwo, "depends on 'v', which was never set", ",pass"},
              {"a.comp", glsl, "verify FILE --grid 1", ",race,possible", ",race,verified"},
              {"a.comp", glsl, kCheckShader, "never set", ",pass"},
              {"a.cu", together, kVerifyTwo, ",race,verified"},
              {"a.cu", together, kCheckTwo, ",pass"},
              {"a.cu", unused, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/values: what was never set unsets no more than where it is stored") {
  const char* shared =
      "#include <assert.h>\n"
      "__global__ void k() { int u; __shared__ int s[4]; s[threadIdx.x] = u; s[threadIdx.x] = 7;\n"
      "  __syncthreads(); assert(s[0] == 7 && s[1] == 7); }";
  const char* element =
      "#include <assert.h>\n"
      "__global__ void k(int n) { int u, s[4]; for (int i = 0; i < 4; ++i) s[i] = i; s[0] = u;\n"
      "  assert(s[n & 1 | 2] > 1); }";
  const char* itself =
      "#include <assert.h>\n"
      "__global__ void k(int n) { int u, s[4]; for (int i = 0; i < 4; ++i) s[i] = i; s[n & 3] = "
      "u;\n"
      "  assert(s[2] == 2); }";
  check_rows({{"a.cu", shared, kCheckTwo, ",pass", "error"},
              {"a.cu", shared, kVerifyTwo, ",assertion,verified"},
              {"a.cu", element, kCheckTwo, ",pass", "error"},
              {"a.cu", element, kVerifyTwo, ",assertion,verified"},
              {"a.cu", itself, kCheckTwo, "never set", ",pass"},
              {"a.cu", itself, kVerifyTwo, ",assertion,", ",assertion,verified"}});
}

TEST_CASE("kernel/values: what a loop of unknown rounds has counted is known behind it") {
  const auto counts = [](const char* claim) {
    return fmt::format(
        "#include <assert.h>\n"
        "__global__ void k(int n) {{ int even = 0, all = 0;\n"
        "  for (int i = 0; i < n; ++i) {{ all += 1; if (i & 1) continue; even += 1; }}\n"
        "  assert({}); }}",
        claim);
  };
  const std::string none = counts("all == 0"), few = counts("n < 3 || even < 2"),
                    both = counts("n < 0 || (all == n && even == (n + 1) / 2)");
  check_rows({{"a.cu", none.c_str(), kCheckTwo, "assertion", ",pass"},
              {"a.cu", few.c_str(), kCheckTwo, "assertion", ",pass"},
              {"a.cu", both.c_str(), kCheckTwo, ",pass", "error"}});
}

TEST_CASE("kernel/values: arrays that a launch sizes begin at one address, arguments do not") {
  const char* aliases =
      "extern __shared__ int a[]; extern __shared__ float b[];\n"
      "__global__ void k(int* out) { a[threadIdx.x] = 1; b[1 - threadIdx.x] = 2.0f; }";
  const char* arguments =
      "kernel void k(local int* a, local float* b) { a[get_local_id(0)] = 1; b[1 - "
      "get_local_id(0)] = 2.0f; }";
  const char* beyond =
      "// headway: kernel k grid 1 block 4 shared 16\nextern __shared__ int s[];\n"
      "__global__ void k() { s[threadIdx.x + 1] = 1; }";
  const char* inside =
      "// headway: kernel k grid 1 block 4 shared 16\nextern __shared__ int s[];\n"
      "__global__ void k() { s[threadIdx.x] = 1; }";
  const char* by_value =
      "struct S { int v[4]; };\n"
      "__global__ void k(S s, int* out, int n) { out[threadIdx.x] = s.v[n & LAST]; }";
  check_rows({{"a.cu", by_value, "verify FILE --grid 1 --block 2 --bounds --flag=-DLAST=7",
               ",bounds,", ",bounds,verified"},
              {"a.cu", by_value, "verify FILE --grid 1 --block 2 --bounds --flag=-DLAST=3",
               ",bounds,verified"},
              {"a.cu", aliases, kVerifyTwo, ",race,violated"},
              {"a.cu", aliases, kCheckTwo, "race: line"},
              {"a.cl", arguments, kVerifyTwo, ",race,verified"},
              {"a.cl", arguments, kCheckTwo, ",pass"},
              {"a.cu", beyond, "verify FILE --bounds", ",bounds,violated"},
              {"a.cu", inside, "verify FILE --bounds", ",bounds,verified"}});
}

TEST_CASE(
    "kernel/values: pointers begin where their type allows, and may be null where that is asked") {
  const char* any_byte =
      "__global__ void k(char* p) { if ((unsigned long long)p % 2) p[0] = threadIdx.x; }";
  const char* any_int =
      "__global__ void k(int* p) { if ((unsigned long long)p % 4) p[0] = threadIdx.x; }";
  const char* steps =
      "__global__ void k(float* a, float* o) { float2 v = *(float2*)(a + 3 * threadIdx.x); "
      "o[threadIdx.x] = v.y; }";
  const char* pairs =
      "__global__ void k(float* a, float* o) { float2 v = *(float2*)(a + 2 * threadIdx.x); "
      "o[threadIdx.x] = v.y; }";
  const char* strided =
      "__global__ void k(float* a, float* o, int n) {\n"
      "  for (int i = 4 * threadIdx.x; i < n; i += 4 * blockDim.x) o[i] = ((float4*)(a + i))->y; }";
  const char* packed =
      "struct __attribute__((packed)) P { char c; int i; };\n"
      "__global__ void k(P* a, int* o) { o[threadIdx.x] = a[threadIdx.x].i; }";
  const char* null = "__global__ void k(int* p) { if (!p) p[threadIdx.x] = 1; }";
  const char* guarded = "__global__ void k(int* p) { if (p != nullptr) p[threadIdx.x] = 1; }";
  check_rows({{"a.cu", any_byte, kVerifyTwo, ",race,violated", ",race,verified"},
              {"a.cu", any_byte, kCheckTwo, "race: line"},
              {"a.cu", any_int, kVerifyTwo, ",race,verified"},
              {"a.cu", any_int, kCheckTwo, ",pass"},
              {"a.cu", steps, kVerifyBounds, ",alignment,violated"},
              {"a.cu", steps, kCheckTwo, "alignment: line"},
              {"a.cu", pairs, kVerifyBounds, ",alignment,verified"},
              {"a.cu", pairs, kCheckTwo, ",pass"},
              {"a.cu", strided, kVerifyBounds, ",alignment,verified"},
              {"a.cu", packed, kVerifyBounds, ",alignment,verified"},
              {"a.cu", null, kVerifyBounds, ",null,possible", ",null,verified"},
              {"a.cu", guarded, kVerifyBounds, ",null,verified"}});
}

TEST_CASE("kernel/values: the address of a variable of one's own is of no use to others") {
  const char* of_thread =
      "#include <cassert>\n"
      "__global__ void k() { __shared__ int* p; int x = 5 + threadIdx.x; if (threadIdx.x == 0) p = "
      "&x;\n"
      "  __syncthreads(); assert(*p == 5); __syncthreads(); }";
  const char* written =
      "__global__ void k(int* o) { __shared__ int* p; int x = 0; if (threadIdx.x == 0) p = &x;\n"
      "  __syncthreads(); *p = threadIdx.x; __syncthreads(); o[threadIdx.x] = *p; __syncthreads(); "
      "}";
  const char* of_group =
      "__device__ int* p; __device__ int f;\n"
      "__global__ void k(int* o) { __shared__ int x; x = 5;\n"
      "  if (blockIdx.x == 0) { p = &x; __threadfence(); atomicExch(&f, 1); }\n"
      "  else if (atomicAdd(&f, 0) == 1) { __threadfence(); *o = *p; } }";
  const char* own =
      "__global__ void k(int* o) { int x = threadIdx.x; int* p = &x; o[threadIdx.x] = *p; }";
  check_rows({{"a.cu", of_thread, kCheckTwo, "an access to 'x' of another thread"},
              {"a.cu", of_thread, kVerifyTwo, ",assertion,possible"},
              {"a.cu", written, kCheckTwo, "an access to 'x' of another thread"},
              {"a.cu", written, kVerifyTwo, ",race,possible"},
              {"a.cu", of_group, "check FILE --grid 2 --block 1 -m fair", "of another workgroup"},
              {"a.cu", own, kCheckTwo, ",pass"},
              {"a.cu", own, kVerifyTwo, ",race,verified"}});
}

TEST_CASE("kernel/values: what is read by __ldg is not written") {
  const char* written =
      "__global__ void k(int* a, int* o) { int t = threadIdx.x; a[t] = t; __syncthreads();\n"
      "  o[t] = __ldg(&a[1 - t]); }";
  const char* other =
      "__global__ void k(const int* a, int* o) { int t = threadIdx.x; const int* p = a + 1;\n"
      "  o[t] = __ldg(p - t); }";
  check_rows({{"a.cu", written, kCheckTwo, "a read by __ldg() of what the kernel writes"},
              {"a.cu", written, kVerifyTwo, "a read by __ldg() of what the kernel writes"},
              {"a.cu", other, kCheckTwo, ",pass"},
              {"a.cu", other, kVerifyTwo, ",race,verified"}});
}

TEST_CASE("kernel/values: a function that comes from outside may be any") {
  const char* argument =
      "__device__ int f(int x) { return x; }\n__device__ int (*kept)(int) = f;\n"
      "__global__ void k(int* a, int (*g)(int)) { a[g(threadIdx.x)] = threadIdx.x; }";
  const char* table =
      "__device__ int f(int x) { return x; }\n__device__ int (*kept)(int) = f;\n"
      "__global__ void k(int* a, int (**g)(int)) { a[g[1](threadIdx.x)] = threadIdx.x; }";
  const char* by_value =
      "__device__ int f(int x) { return x; }\n__device__ int (*kept)(int) = f;\n"
      "struct S { int (*g)(int); };\n"
      "__global__ void k(int* a, S s) { a[s.g(threadIdx.x)] = threadIdx.x; }";
  const char* own =
      "__device__ int f(int x) { return x; }\n__device__ int h(int x) { return x + 8; }\n"
      "__global__ void k(int* a, int n) { int (*g)(int) = n > 0 ? f : h; a[g(threadIdx.x)] = "
      "threadIdx.x; }";
  check_rows({{"a.cu", argument, kVerifyTwo, "a call by a pointer", ",race,verified"},
              {"a.cu", argument, kCheckTwo, "a call by a pointer", ",pass"},
              {"a.cu", table, kVerifyTwo, "a call by a pointer", ",race,verified"},
              {"a.cu", by_value, kVerifyTwo, "a call by a pointer", ",race,verified"},
              {"a.cu", own, kVerifyTwo, ",race,verified"},
              {"a.cu", own, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/values: atomic accesses of two widths to one word race") {
  const char* halves =
      "__global__ void k(unsigned long long* a) {\n"
      "  if (threadIdx.x == 0) atomicAdd(a, 1ull); else atomicOr((unsigned*)a, 1u); }";
  const char* apart =
      "__global__ void k(unsigned long long* a) {\n"
      "  if (threadIdx.x == 0) atomicAdd(a + 1, 1ull); else atomicOr((unsigned*)a, 1u); }";
  const char* volatiles =
      "__global__ void k(volatile unsigned* a) {\n"
      "  if (threadIdx.x == 0) a[0] = 1; else ((volatile unsigned short*)a)[1] = 2; }";
  check_rows({{"a.cu", halves, kVerifyTwo, ",race,violated"},
              {"a.cu", halves, kCheckTwo, "of 8 and 4 bytes"},
              {"a.cu", apart, kVerifyTwo, ",race,verified"},
              {"a.cu", apart, kCheckTwo, ",pass"},
              {"a.cu", volatiles, kCheckTwo, "race: line"}});
}

TEST_CASE(
    "kernel/values: conversions saturate on NVIDIA's devices, and shifts by the width have no "
    "value") {
  const char* saturates =
      "#include <assert.h>\n__global__ void k(float f, double d) {\n"
      "  float much = 5e9f, less = -3.0f;\n"
      "  assert((int)much == 2147483647); assert((unsigned)less == 0u);\n"
      "  assert(__float2uint_rz(9e9f) == 0xffffffffu);\n"
      "  assert(__float2int_rz(-5e9f) == -2147483647 - 1);\n"
      "  assert(__float2ll_rz(1e30f) == 0x7fffffffffffffffll);\n"
      "  assert(__float2int_rz(__int_as_float(0x7fffffff)) == 0);\n"
      "  assert(__double2ll_rz(__longlong_as_double(0x7ff8000000000000ll)) == (long long)(1ull << "
      "63)); }";
  const char* shift = "__global__ void k(int* a, int n) { if (1u << n == 5) a[0] = threadIdx.x; }";
  const char* masked =
      "kernel void k(global int* a, int n) { if (1u << n == 5) a[0] = get_local_id(0); }";
  const char* masked_by_hlsl =
      "RWStructuredBuffer<uint> a; cbuffer C { uint n; };\n"
      "[numthreads(2, 1, 1)] void main(uint3 t : SV_GroupThreadID) {\n"
      "  if (n == 37u && (1u << n) != 32u) a[0] = t.x;\n"
      "  if (n == 65u && (int(0x80000000u) >> n) != int(0xc0000000u)) a[0] = t.x; }";
  const char* hlsl =
      "RWStructuredBuffer<uint> a; cbuffer C { uint n; };\n"
      "[numthreads(2, 1, 1)] void main(uint3 t : SV_GroupThreadID) {\n"
      "  if (n == 37u && (1u << n) == 32u) a[0] = t.x; }";
  const char* glsl =
      "#version 450\nlayout(local_size_x = 2) in;\n"
      "layout(std430, binding = 0) buffer A { uint n; uint a[]; };\n"
      "void main() { if (n == 37u && (1u << n) != 32u) a[0] = gl_LocalInvocationID.x; }";
  const char* masked_wide =
      "kernel void k(global int* a, ulong n) {\n"
      "  if (n == 69 && (1ul << n) != 32ul) a[0] = get_local_id(0);\n"
      "  uchar c = 1; if (n == 33 && (c << n) != 2) a[0] = get_local_id(0); }";
  check_rows({{"a.hlsl", masked_by_hlsl, "verify FILE --grid 1", ",race,verified"},
              {"a.hlsl", masked_by_hlsl, kCheckShaderAnyN, ",pass"},
              {"a.hlsl", hlsl, "verify FILE --grid 1", ",race,violated"},
              {"a.hlsl", hlsl, kCheckShaderAnyN, "race: line"},
              {"a.comp", glsl, "verify FILE --grid 1", ",race,possible", ",race,verified"},
              {"a.comp", glsl, kCheckShader, "a shift by as many bits as there are", ",pass"},
              {"a.cl", masked_wide, kVerifyTwo, ",race,verified"},
              {"a.cl", masked_wide, kCheckTwoAnyN, ",pass"}});
  check_rows({{"a.cu", saturates, "check FILE --grid 1 --block 1 -m fair", ",pass"},
              {"a.cu", shift, "check FILE --grid 1 --block 2 -m fair --arg n=32",
               "a shift by as many bits as there are", ",pass"},
              {"a.cu", shift, kCheckTwoAnyN, "a shift by as many bits as there are", ",pass"},
              {"a.cu", shift, "check FILE --grid 1 --block 2 -m fair --arg n=31", ",pass"},
              {"a.cu", shift, kVerifyTwo, ",race,possible", ",race,verified"},
              {"a.cl", masked, kCheckTwoAnyN, ",pass"}});
}

TEST_CASE("kernel/values: what is written counts, though nobody reads it") {
  const char* cuda =
      "__global__ void k(int* a) { __shared__ int s[2]; s[INDEX] = threadIdx.x; a[threadIdx.x] = "
      "1; }";
  const char* opencl =
      "kernel void k(global int* a) { local int s[2]; s[INDEX] = get_local_id(0); "
      "a[get_local_id(0)] = 1; }";
  const char* glsl =
      "#version 450\nlayout(local_size_x = 2) in; shared uint s[2];\n"
      "layout(std430, binding = 0) buffer A { uint a[]; };\n"
      "void main() { uint t = gl_LocalInvocationID.x; s[INDEX] = t; a[t] = 1; }";
  const char* hlsl =
      "RWStructuredBuffer<uint> a; groupshared uint s[2];\n"
      "[numthreads(2, 1, 1)] void main(uint3 t : SV_GroupThreadID) { s[INDEX] = t.x; a[t.x] = 1; "
      "}";
  const auto rows = [](const char* file, const std::string& text, const char* own,
                       const std::string& check, const std::string& verify) {
    const std::string at = " --flag=-DINDEX=", alone = own;
    for (const std::string& index : {std::string("0"), alone, alone + "+1"}) {
      const std::string checks = check + at + index, proves = verify + at + index + " --bounds";
      check_rows({{file, text.c_str(), checks.c_str(), index == alone ? ",pass" : ",error"},
                  {file, text.c_str(), proves.c_str(),
                   index == "0"     ? ",race,violated"
                   : index == alone ? ",bounds,verified but for "
                                    : ",bounds,violated"}});
    }
  };
  rows("a.cu", cuda, "threadIdx.x", kCheckTwo, kVerifyTwo);
  rows("a.cl", opencl, "get_local_id(0)", kCheckTwo, kVerifyTwo);
  rows("a.comp", glsl, "t", kCheckShader, "verify FILE --grid 1");
  rows("a.hlsl", hlsl, "t.x", kCheckShader, "verify FILE --grid 1");
  // An image that a function is given is the one that it is.
  const char* image =
      "Texture2D<float4> image; SamplerState s; RWStructuredBuffer<float4> o;\n"
      "float4 get(Texture2D<float4> i, float2 at) { return i.SampleLevel(s, at, 0); }\n"
      "[numthreads(2, 1, 1)] void main(uint3 t : SV_GroupThreadID) { o[t.x] = get(image, "
      "float2(t.xy)); }";
  check_rows({{"a.hlsl", image, "verify FILE --grid 1", ",race,verified"},
              {"a.hlsl", image, kCheckShader, ",pass"},
              {"a.hlsl", hlsl, "check FILE --groups 1 --flag=-DINDEX=t.x", ",pass"}});
}

TEST_CASE("kernel/values: what a file of LLVM leaves undefined is no value") {
  const std::string head =
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  // What a branch asks of a value that is undefined: each goes wrong by one thread's write alone.
  const std::string tail =
      "  %c = icmp eq i32 %v, 7\n  br i1 %c, label %z, label %e\n"
      "z:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  store i32 %t, ptr %a\n"
      "  br label %e\ne:\n  ret void\n}\n";
  const std::string kernel = "define void @k(ptr %a, i1 %n) {\n";
  const std::string kept = head + kernel +
                           "  %x = alloca i32\n  store i32 undef, ptr %x\n"
                           "  br i1 %n, label %i, label %j\n"
                           "i:\n  store i32 3, ptr %x\n  br label %j\n"
                           "j:\n  %v = load i32, ptr %x\n" +
                           tail;
  const std::string product = head +
                              "define i32 @f(i32 %x) {\n  %y = mul i32 %x, 4\n"
                              "  %z = add i32 %y, 3\n  ret i32 %z\n}\n" +
                              kernel + "  %v = call i32 @f(i32 undef)\n" + tail;
  const std::string returned = head +
                               "define i32 @f(i1 %n) {\n  br i1 %n, label %i, label %j\n"
                               "i:\n  ret i32 3\nj:\n  ret i32 poison\n}\n" +
                               kernel + "  %v = call i32 @f(i1 %n)\n" + tail;
  const std::string inside = head +
                             "define i32 @f() {\n  %y = mul i32 undef, 4\n  %z = add i32 "
                             "%y, 3\n  ret i32 %z\n}\n" +
                             kernel + "  %v = call i32 @f()\n" + tail;
  const std::string chosen = head + kernel + "  %v = select i1 %n, i32 3, i32 poison\n" + tail;
  const std::string unused = head + kernel +
                             "  %x = alloca i32\n  store i32 undef, ptr %x\n"
                             "  store i32 3, ptr %x\n  %v = load i32, ptr %x\n" +
                             tail;
  for (const std::string* one : {&kept, &product, &returned, &inside, &chosen}) {
    check_rows({{"a.ll", one->c_str(), kVerifyTwo, ",race,possible", ",race,verified"},
                {"a.ll", one->c_str(), kCheckTwo, "uninitialized: line", ",pass"}});
  }
  check_rows({{"a.ll", unused.c_str(), kVerifyTwo, ",race,verified"},
              {"a.ll", unused.c_str(), kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/values: a fused operation of bfloat16 is rounded once") {
  const char* fused =
      "#include <assert.h>\n#include <cuda_bf16.h>\n__global__ void k() {\n"
      "  __nv_bfloat16 x = __float2bfloat16(1.0078125f), z = __float2bfloat16(-1.015625f);\n"
      "  assert(__bfloat162float(__hfma(x, x, z)) == 0.00006103515625f);\n"
      "  assert(__bfloat162float(__hadd(__hmul(x, x), z)) == 0.0f);\n"
      "  __nv_bfloat162 xx = __bfloat162bfloat162(x), zz = __bfloat162bfloat162(z);\n"
      "  assert(__high2float(__hfma2(xx, xx, zz)) == 0.00006103515625f); }";
  check_rows({{"a.cu", fused, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/values: a constant beyond all integers is converted as the device does") {
  const char* most =
      "#include <cassert>\n__global__ void k() { assert((int)1e20f == 0x7fffffff); }";
  const char* least = "#include <cassert>\n__global__ void k() { assert((unsigned)-1.5f == 0); }";
  check_rows({{"a.cu", most, kCheckTwo, ",pass"}, {"a.cu", least, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/values: infinity is equal to itself, and less itself no number") {
  const char* difference =
      "#include <assert.h>\n"
      "__global__ void k(float x) { if (x == x) assert(x - x == 0.0f); }";
  const char* equal =
      "#include <assert.h>\n"
      "__global__ void k(float x) { if (x == x) assert(!(x != x)); if (x - x == 0) assert(x == x); "
      "}";
  check_rows({{"a.cu", difference, kCheckTwo, "assertion", ",pass"},
              {"a.cu", difference, kVerifyTwo, ",assertion,possible"},
              {"a.cu", equal, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/values: constant memory is not written") {
  const char* always = "__constant__ int c[4]; __global__ void k() { ((int*)c)[threadIdx.x] = 1; }";
  const char* never =
      "__constant__ int c[4];\n"
      "__global__ void k() { if (threadIdx.x > 5) ((int*)c)[threadIdx.x] = 1; }";
  check_rows({{"a.cu", always, kVerifyTwo, ",constant,violated"},
              {"a.cu", always, kCheckTwo, "constant: line"},
              {"a.cu", never, kVerifyTwo, ",race,verified", ",constant,"}});
}

TEST_CASE(
    "kernel/values: what a device rounds as it likes is unknown, and what texts name is not") {
  const auto cuda = [](const char* claim) {
    return fmt::format("#include <assert.h>\n__global__ void k(float* a) {{ assert({}); }}", claim);
  };
  // A device gives 2 or its neighbour below, whose integer is 1.
  const std::string rounded = cuda("(int)cbrtf(8.0f) == 2");
  const std::string other = cuda("(int)cbrtf(8.0f) != 2");
  const std::string power = cuda("(int)powf(10.0f, 2.0f) == 100");
  const std::string named = cuda("expf(0.0f) == 1.0f && logf(1.0f) == 0.0f && isnan(logf(-1.0f))");
  const std::string root = cuda("sqrtf(9.0f) == 3.0f && fmodf(7.0f, 4.0f) == 3.0f");
  const std::string same = cuda("__float_as_int(sinf(0.5f)) == __float_as_int(sinf(0.5f))");
  const char* fault = "possible assertion";
  check_rows({{"a.cu", rounded.c_str(), kCheckTwo, fault, ",pass"},
              {"a.cu", other.c_str(), kCheckTwo, fault, ",pass"},
              {"a.cu", power.c_str(), kCheckTwo, fault, ",pass"},
              {"a.cu", named.c_str(), kCheckTwo, ",pass", fault},
              {"a.cu", root.c_str(), kCheckTwo, ",pass", fault},
              {"a.cu", same.c_str(), kCheckTwo, ",pass", fault}});
  const char* shader =
      "#version 450\nlayout(local_size_x = 2) in;\n"
      "layout(std430, binding = 0) buffer A { uint a[]; };\n"
      "void main() { if (sqrt(float(4u + gl_LocalInvocationID.y)) != 2.0) a[0] = "
      "gl_LocalInvocationID.x; }";
  check_rows({{"a.comp", shader, kCheckShader, "possible race", ",pass"}});
}

TEST_CASE("kernel/values: what is left of a division of a negative number is open in shaders") {
  const auto glsl = [](const char* index) {
    return fmt::format(
        "#version 450\nlayout(local_size_x = 4) in; shared uint s[4];\n"
        "layout(std430, binding = 0) buffer A {{ uint a[]; }};\n"
        "void main() {{ int t = int(gl_LocalInvocationID.x); s[t] = t; barrier();\n"
        "  a[t] = s[{}]; }}",
        index);
  };
  const std::string left = glsl("(t - 1) % 4"), round = glsl("(t + 3) % 4"),
                    by = glsl("t % (0 - 4)");
  const char* cuda =
      "#include <assert.h>\n"
      "__global__ void k() { int t = threadIdx.x; assert((t - 1) % 4 == t - 1); }";
  const char* wgsl =
      "@group(0) @binding(0) var<storage, read_write> o: array<i32, 4>;\n"
      "@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) t: u32) {\n"
      "  o[(i32(t) - 1) % 4 + 1] = 1; }";
  constexpr const char* verify = "verify FILE --grid 1 --bounds";
  check_rows({{"a.comp", left.c_str(), kCheckShader, "bounds", ",pass"},
              {"a.comp", left.c_str(), verify, ",bounds,", ",bounds,verified"},
              {"a.comp", by.c_str(), kCheckShader, "bounds", ",pass"},
              {"a.comp", round.c_str(), kCheckShader, ",pass"},
              {"a.comp", round.c_str(), verify, ",bounds,verified"},
              {"a.cu", cuda, kCheckTwo, ",pass"},
              {"a.wgsl", wgsl, kCheckShader, ",pass"}});
}

TEST_CASE("kernel/values: threads that name different ones to a broadcast of Vulkan get anything") {
  const auto glsl = [](const char* id) {
    return fmt::format(
        "#version 450\n#extension GL_KHR_shader_subgroup_ballot : enable\n"
        "layout(local_size_x = 4) in; shared uint s[4];\n"
        "layout(std430, binding = 0) buffer A {{ uint n; uint a[]; }};\n"
        "void main() {{ uint t = gl_LocalInvocationID.x; s[subgroupBroadcast(t, {})] = 0; }}",
        id);
  };
  const std::string apart = glsl("3 - t"), together = glsl("2");
  constexpr const char* check = "check FILE --groups 1 --subgroup 4 -m fair";
  check_rows({{"a.comp", apart.c_str(), check, "bounds", ",pass"},
              {"a.comp", together.c_str(), check, ",pass"}});
}

TEST_CASE("kernel/values: constant memory holds what it is initialized with, which is said") {
  const auto text = [](const char* initial) {
    return fmt::format(
        "#include <assert.h>\n__constant__ int c[4]{};\n"
        "__global__ void k() {{ assert(c[1] == 4); }}",
        initial);
  };
  const std::string given = text(" = {2, 4, 6, 8}"), open = text(""), other = text(" = {1, 2, 3}");
  check_rows({{"a.cu", given.c_str(), kCheckTwo, ",pass"},
              {"a.cu", given.c_str(), kCheckTwo, "c as initialized"},
              {"a.cu", open.c_str(), kCheckTwo, "assertion", ",pass"},
              {"a.cu", other.c_str(), kCheckTwo, "assertion", ",pass"}});
}
