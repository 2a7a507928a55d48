// Pointers that outlive the variables they go to.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using namespace headway::testing;

namespace {

constexpr const char* kOutside = "outside its scope";
constexpr const char* kProgram = "check FILE";

// Locals that a function returns, hands out, captures, or puts into a structure.
constexpr const char* kReturned =
    "__device__ int* f() { int x[2]; x[0] = 7; x[1] = 8; return x; }\n"
    "__global__ void k(int* o) { int* p = f(); o[threadIdx.x] = p[0]; }";
constexpr const char* kHandedOut =
    "__device__ void f(int** g) { int x = 7; *g = &x; }\n"
    "__global__ void k(int* o) { int* p; f(&p); o[threadIdx.x] = *p; }";
constexpr const char* kWritten =
    "__device__ void f(int** g) { int x = 7; *g = &x; }\n"
    "__global__ void k(int* o) { int* p; f(&p); *p = 1; o[threadIdx.x] = 0; }";
constexpr const char* kOfLambda =
    "__device__ auto f(int a) { int x = a; return [&] { return x; }; }\n"
    "__global__ void k(int* o) { auto g = f(3); o[threadIdx.x] = g(); }";
constexpr const char* kOfStruct =
    "struct View { int* data; int size; };\n"
    "__device__ View f(int a) { int x[4] = {a, a, a, a}; return {x, 4}; }\n"
    "__global__ void k(int* o) {\n"
    "  View v = f(2); int s = 0;\n"
    "  for (int i = 0; i < v.size; ++i) s += v.data[i];\n"
    "  o[threadIdx.x] = s; }";

}  // namespace

TEST_CASE("kernel/scopes: an access to a variable whose scope has ended is an error") {
  check_rows({{"a.cu", kReturned, kCheckTwo, kOutside},
              {"a.cu", kHandedOut, kCheckTwo, kOutside},
              {"a.cu", kWritten, kCheckTwo, kOutside},
              {"a.cu", kOfLambda, kCheckTwo, kOutside},
              {"a.cu", kOfStruct, kCheckTwo, kOutside},
              {"a.cl",
               "int* f(int a) { int x = a; int* p = &x; return p; }\n"
               "kernel void k(global int* o) { o[get_global_id(0)] = *f(3); }",
               kCheckTwo, kOutside}});
}

TEST_CASE("kernel/scopes: programs of the host are looked at as kernels are") {
  check_rows({{"a.cu",
               "#include <cstdio>\n"
               "int* g;\n"
               "void set() { int x = 7; g = &x; }\n"
               "int main() { set(); printf(\"%d\\n\", *g); }",
               kProgram, kOutside},
              {"a.cu",
               "#include <cstdio>\n"
               "#include <cstring>\n"
               "char* text() { char t[8]; return strcpy(t, \"abc\"); }\n"
               "int main() { printf(\"%d\\n\", text()[1]); }",
               kProgram, kOutside},
              {"a.cu",
               "#include <cstdio>\n"
               "int* g;\n"
               "void use() { printf(\"%d\\n\", *g); }\n"
               "int main() { int x = 7; g = &x; use(); }",
               kProgram, "freed,verified", kOutside}});
}

TEST_CASE("kernel/scopes: verify does not answer for what may be outside a scope") {
  check_rows({{"a.cu", kReturned, kVerifyTwo, "unsupported", "verified"},
              {"a.cu", kHandedOut, kVerifyTwo, "unsupported", "verified"},
              {"a.cu", kOfStruct, kVerifyTwo, "outside its scope", "verified"}});
}

TEST_CASE("kernel/scopes: pointers within the scope of what they go to are right") {
  const char* inner =
      "__device__ void add(int* a, int by) { *a += by; }\n"
      "__global__ void k(int* o) {\n"
      "  for (int r = 0; r < 2; ++r) { int s = r; int* p = &s; add(p, 2); o[threadIdx.x] = *p; }\n"
      "}";
  const char* kept =
      "__global__ void k(int* o, int n) {\n"
      "  int a = 1, b = 2; int* p = &a;\n"
      "  if (n > 3) { int c = 3; p = &b; *p += c; }\n"
      "  o[threadIdx.x] = *p; }";
  const char* array =
      "__global__ void k(int* o, int n) {\n"
      "  for (int r = 0; r < 3; ++r) {\n"
      "    int a[4];\n"
      "    for (int i = 0; i < 4; ++i) a[i] = i + r;\n"
      "    o[threadIdx.x] = a[n & 3]; } }";
  const char* extended =
      "struct P { int x, y; };\n"
      "__device__ P make(int a) { return {a, a + 1}; }\n"
      "__global__ void k(int* o) { const P& p = make(3); o[threadIdx.x] = p.x + p.y; }";
  const char* jumped =
      "__global__ void k(int* o, int n) {\n"
      "  if (n > 3) goto in;\n"
      "  { int x[2]; in: x[n & 1] = 4; o[threadIdx.x] = x[n & 1]; } }";
  const char* lambda =
      "__device__ int twice(int a) { auto f = [&](int b) { return a + b; }; return f(a); }\n"
      "__global__ void k(int* o) { o[threadIdx.x] = twice(2); }";
  check_rows({{"a.cu", inner, kCheckTwo, "pass", kOutside},
              {"a.cu", kept, kCheckTwoAnyN, "pass", kOutside},
              {"a.cu", array, kCheckTwoAnyN, "pass", kOutside},
              {"a.cu", extended, kCheckTwo, "pass", kOutside},
              {"a.cu", jumped, kCheckTwoAnyN, "pass", kOutside},
              {"a.cu", lambda, kCheckTwo, "pass", kOutside},
              {"a.cu", inner, kVerifyTwo, "verified", "unsupported"},
              {"a.cu", array, kVerifyTwo, "verified", "unsupported"},
              {"a.cu", lambda, kVerifyTwo, "verified", "unsupported"}});
}
