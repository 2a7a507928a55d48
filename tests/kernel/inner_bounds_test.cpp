// Ends of arrays within structs and within other arrays: an index that goes beyond one is an error
// though memory goes on behind it.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;
using headway::testing::kCheckTwo;
using headway::testing::kCheckTwoAnyN;
using headway::testing::kVerifyBounds;
using headway::testing::kVerifyTwo;

namespace {

constexpr const char* kProveShader = "verify FILE --grid 1 --bounds";

}  // namespace

TEST_CASE("kernel/inner_bounds: indices of members and of rows are within them") {
  const char* member =
      "struct S { int a[4]; int b; };\n"
      "__global__ void k(S* s, int n) { if (n >= 0 && n <= LAST) s[threadIdx.x].a[n] = 1; }";
  const char* row =
      "__global__ void k(int* out, int n) { __shared__ int t[4][4];\n"
      "  if (n >= 0 && n <= LAST) t[threadIdx.x][n] = 1; }";
  const char* counted =
      "struct S { int a[4]; int b; };\n"
      "__global__ void k(S* s) { for (int i = 0; i <= LAST; ++i) s[threadIdx.x].a[i] = i; }";
  const char* own =
      "struct S { int a[4]; int b; };\n"
      "__global__ void k(int* out, int n) { S s = {{1, 1, 1, 1}, 1}; if (n >= 0 && n <= LAST) "
      "out[threadIdx.x] = s.a[n]; }";
  const char* updated =
      "struct S { int a[4]; int b; };\n"
      "__global__ void k(S* s, int n) { if (n >= 0 && n <= LAST) atomicAdd(&s->a[n], 1); }";
  const char* below =
      "struct S { int b; int a[4]; };\n"
      "__global__ void k(S* s, int n) { if (n >= LAST - 4 && n < 4) s[threadIdx.x].a[n] = 1; }";
  const char* copied =
      "struct P { int x, y; }; struct S { P a[4]; P b; };\n"
      "__global__ void k(S* s, P p, int n) { if (n >= 0 && n <= LAST) s[threadIdx.x].a[n] = p; }";
  const char* opencl =
      "struct S { int a[4]; int b; };\n"
      "kernel void k(global struct S* s, int n) {\n"
      "  if (n >= 0 && n <= LAST) s[get_local_id(0)].a[n] = 1; }";
  for (const char* text : {member, row, counted, own, updated, below, copied}) {
    const std::string right = std::string("#define LAST ") + (text == below ? "4\n" : "3\n") + text;
    const std::string wrong = std::string("#define LAST ") + (text == below ? "3\n" : "4\n") + text;
    const char* check = text == counted ? kCheckTwo : kCheckTwoAnyN;
    check_rows({{"a.cu", wrong.c_str(), kVerifyBounds, "bounds,", ",bounds,verified"},
                {"a.cu", wrong.c_str(), check, "bounds: line 3", ",pass"},
                {"a.cu", wrong.c_str(), check, "an index of an array of 4 elements is beyond"},
                {"a.cu", right.c_str(), kVerifyBounds, ",bounds,verified"},
                {"a.cu", right.c_str(), check, ",pass"}});
  }
  const std::string right = std::string("#define LAST 3\n") + opencl;
  const std::string wrong = std::string("#define LAST 4\n") + opencl;
  check_rows({{"a.cl", wrong.c_str(), kVerifyBounds, ",bounds,violated,4"},
              {"a.cl", wrong.c_str(), kCheckTwoAnyN, "bounds: line 4", ",pass"},
              {"a.cl", right.c_str(), kVerifyBounds, ",bounds,verified but for s,"},
              {"a.cl", right.c_str(), kCheckTwoAnyN, ",pass"},
              // Without the option nobody looks.
              {"a.cl", wrong.c_str(), kVerifyTwo, ",race,verified"}});
}

TEST_CASE("kernel/inner_bounds: so are they in shaders") {
  const char* glsl =
      "layout(local_size_x = 2) in; struct S { int a[4]; int b; };\n"
      "layout(std430, binding = 0) buffer A { S s[]; };\n"
      "layout(std430, binding = 1) readonly buffer B { int n; };\n"
      "void main() { if (n >= 0 && n <= LAST) s[gl_LocalInvocationID.x].a[n] = 1; }";
  const char* rows =
      "layout(local_size_x = 2) in; shared int t[4][4];\n"
      "layout(std430, binding = 1) readonly buffer B { int n; };\n"
      "\nvoid main() { if (n >= 0 && n <= LAST) t[gl_LocalInvocationID.x][n] = 1; }";
  const char* hlsl =
      "struct S { int a[4]; int b; };\nRWStructuredBuffer<S> s;\n"
      "cbuffer C { int n; };\n[numthreads(2, 1, 1)] void main(uint3 t : SV_GroupThreadID) {\n"
      "  if (n >= 0 && n <= LAST) s[t.x].a[n] = 1; }";
  for (const char* text : {glsl, rows, hlsl}) {
    const char* file = text == hlsl ? "a.hlsl" : "a.comp";
    const std::string head = text == hlsl ? "" : "#version 450\n";
    const std::string right = head + "#define LAST 3\n" + text;
    const std::string wrong = head + "#define LAST 4\n" + text;
    check_rows({{file, wrong.c_str(), kProveShader, ",bounds,violated,6"},
                {file, wrong.c_str(), kCheckShader, "bounds: line 6", ",pass"},
                {file, right.c_str(), kProveShader, ",bounds,", "violated"},
                {file, right.c_str(), kCheckShader, ",pass"}});
  }
}

TEST_CASE("kernel/inner_bounds: the first row of a variable ends, too") {
  const char* global =
      "__device__ int t[2][4];\n__global__ void k(int n) { if (n == 5) t[0][n] = 1; }";
  const char* constant =
      "__constant__ int t[2][4];\n"
      "__global__ void k(int* o, int n) { if (n == 5) o[threadIdx.x] = t[0][n]; }";
  const char* whole = "__device__ int t[8];\n__global__ void k(int n) { if (n == 5) t[n] = 1; }";
  check_rows({{"a.cu", global, kVerifyBounds, ",bounds,violated,2"},
              {"a.cu", constant, kVerifyBounds, ",bounds,violated,2"},
              {"a.cu", whole, kVerifyBounds, ",bounds,verified"}});
}

TEST_CASE("kernel/inner_bounds: what only points behind an array, or is none, is right") {
  const char* one_behind =
      "struct S { int a[4]; int b; };\n"
      "__global__ void k(S* s) { int* end = &s[threadIdx.x].a[4];\n"
      "  for (int* p = s[threadIdx.x].a; p != end; ++p) *p = 1; }";
  const char* flexible =
      "struct S { int n; int a[1]; };\n"
      "__global__ void k(S* s, int n) { if (n >= 0 && n < 4) s->a[2 * n + threadIdx.x] = 1; }";
  const char* flat =
      "__global__ void k() { __shared__ int t[4][4]; int* p = (int*)t;\n"
      "  for (int i = threadIdx.x; i < 16; i += 2) p[i] = 1; }";
  check_rows({{"a.cu", one_behind, kCheckTwo, ",pass"},
              {"a.cu", one_behind, kVerifyBounds, ",bounds,verified but for s"},
              {"a.cu", flexible, kCheckTwo, ",pass"},
              {"a.cu", flat, kCheckTwo, ",pass"},
              {"a.cu", flat, kVerifyBounds, ",bounds,verified"}});
}

TEST_CASE("kernel/bounds: data that may be anything are no fault where nobody gave a size") {
  const char* walk =
      "__global__ void k(const int* row, const int* col, int* out) {\n"
      "  out[threadIdx.x] = col[row[threadIdx.x]] > 0 ? 1 : 2;\n"
      "}\n";
  const char* said = "unknown data lead nowhere beyond buffers whose sizes nobody gives";
  check_rows(
      {{"a.cu", walk, "check FILE -m fair --grid 1", said, ",error"},
       {"a.cu", walk, "check FILE -m fair --grid 1 --buffer col=4", ",error", said},
       {"a.cu", walk, "check FILE -m fair --grid 1 --buffer row=4:unknown(0..3)", ",pass", said}});
  // What an argument leads to is the kernel's own.
  const char* before =
      "__global__ void k(const int* in, int* out, int n) {\n"
      "  out[threadIdx.x] = in[n - 4] > 0 ? 1 : 2;\n"
      "}\n";
  check_rows({{"a.cu", before, "check FILE -m fair --grid 1", "bounds: line 2", ",pass"}});
}
