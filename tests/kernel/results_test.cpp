// What nobody wrote must not become a result: memory of a workgroup or a thread, and variables that
// were never set. A part of a struct that is copied as a whole may be anything.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;
using headway::testing::kCheckTwo;
using headway::testing::kVerifyTwo;

TEST_CASE("kernel/results: what is written to buffers has been set") {
  const char* tile =
      "__global__ void k(int* out) { __shared__ int t[4]; t[threadIdx.x] = 1; __syncthreads();\n"
      "  out[threadIdx.x] = t[threadIdx.x + 1]; }";
  const char* sum =
      "__global__ void k(const float* in, float* out) { __shared__ float t[4];\n"
      "  t[threadIdx.x] = in[threadIdx.x]; __syncthreads();\n"
      "  if (threadIdx.x == 0) { float s = 0; for (int i = 0; i < 3; ++i) s += t[i]; *out = s; } }";
  const char* counter =
      "__global__ void k(int* out) { __shared__ int n; out[threadIdx.x] = atomicAdd(&n, 1); }";
  const char* added =
      "__global__ void k(int* out) { __shared__ int t[2]; if (threadIdx.x == 0) t[0] = 1;\n"
      "  __syncthreads(); atomicAdd(out, t[threadIdx.x]); }";
  const char* array =
      "__global__ void k(int* out) { int t[4]; for (int i = 0; i < 3; ++i) t[i] = i;\n"
      "  out[threadIdx.x] = t[threadIdx.x + 2]; }";
  const char* variable =
      "__global__ void k(int* out, int n) { int v; if (n > 4) v = 1; out[threadIdx.x] = v; }";
  const char* through =
      "__global__ void k(int* out) { __shared__ int t[2]; __shared__ int u[2];\n"
      "  u[threadIdx.x] = t[threadIdx.x] + 1; __syncthreads(); out[threadIdx.x] = u[0]; }";
  const char* structs =
      "struct S { int a, b; };\n"
      "__global__ void k(S* out) { __shared__ S t[2]; out[threadIdx.x] = t[threadIdx.x]; }";
  const char* pointers =
      "__global__ void k(int** out) { __shared__ int* t[2]; out[threadIdx.x] = t[threadIdx.x]; }";
  const char* opencl =
      "kernel void k(global int* out, local int* t) { out[get_local_id(0)] = t[get_local_id(0)]; }";
  const char* vectors =
      "kernel void k(global float4* out) { local float4 t[2]; out[get_local_id(0)] = t[0]; }";
  const char* glsl =
      "#version 450\nlayout(local_size_x = 2) in; shared int t[2];\n"
      "layout(std430, binding = 0) buffer A { int a[]; };\n"
      "void main() { a[gl_LocalInvocationID.x] = t[gl_LocalInvocationID.x]; }";
  const char* hlsl =
      "RWStructuredBuffer<int> a; groupshared int t[2];\n"
      "[numthreads(2, 1, 1)] void main(uint3 i : SV_GroupThreadID) { a[i.x] = t[i.x]; }";
  constexpr const char* says = "uninitialized: line";
  check_rows(
      {{"a.cu", tile, kCheckTwo, "what is written to 'out' depends on memory that was never"},
       {"a.cu", tile, kCheckTwo, says, ",pass"},
       {"a.cu", sum, kCheckTwo, says, ",pass"},
       {"a.cu", counter, kCheckTwo, says, ",pass"},
       {"a.cu", added, kCheckTwo, says, ",pass"},
       {"a.cu", array, kCheckTwo, says, ",pass"},
       {"a.cu", variable, kCheckTwo, "depends on 'v', which was never set", ",pass"},
       {"a.cu", through, kCheckTwo, says, ",pass"},
       {"a.cu", structs, kCheckTwo, says, ",pass"},
       {"a.cu", pointers, kCheckTwo, says, ",pass"},
       {"a.cl", opencl, kCheckTwo, says, ",pass"},
       {"a.cl", vectors, kCheckTwo, says, ",pass"},
       {"a.comp", glsl, kCheckShader, says, ",pass"},
       {"a.hlsl", hlsl, kCheckShader, says, ",pass"}});
}

TEST_CASE("kernel/results: what kernels print has been set") {
  const char* tile =
      "#include <stdio.h>\n"
      "__global__ void k() { __shared__ int t[2]; printf(\"%d\\n\", t[threadIdx.x]); }";
  const char* variable =
      "#include <stdio.h>\n"
      "__global__ void k(int n) { float v; if (n > 3) v = 1; printf(\"%s %f\\n\", \"v\", v); }";
  const char* right =
      "#include <stdio.h>\n"
      "__global__ void k(int n) { float v; if (n > 3) v = 1; if (n > 3) printf(\"%f\\n\", v); }";
  const char* opencl = "kernel void k() { local int t[2]; printf(\"%d\\n\", t[get_local_id(0)]); }";
  check_rows(
      {{"a.cu", tile, kCheckTwo, "what is printed depends on memory that was never", ",pass"},
       {"a.cu", variable, kCheckTwo, "depends on 'v', which was never set", ",pass"},
       {"a.cu", right, kCheckTwo, ",pass"},
       {"a.cl", opencl, kCheckTwo, "uninitialized: line", ",pass"}});
}

TEST_CASE("kernel/results: so is memory beside writes of one value, which are no race") {
  const char* own =
      "__global__ void k(int* a, int* o) { int p[2]; a[0] = 1; o[threadIdx.x] = p[0]; }";
  const char* shared =
      "__global__ void k(int* a, int* o) { __shared__ int s[2]; a[0] = 1; o[threadIdx.x] = "
      "s[threadIdx.x]; }";
  const char* set =
      "__global__ void k(int* a, int* o) { int p[2] = {3, 4}; a[0] = 1; o[threadIdx.x] = p[0]; }";
  check_rows({{"a.cu", own, kCheckTwo, "what is written to 'o' depends on memory", ",pass"},
              {"a.cu", shared, kCheckTwo, "what is written to 'o' depends on memory", ",pass"},
              {"a.cu", set, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/results: what printf reads is a text of the program") {
  const char* memory =
      "#include <stdio.h>\n"
      "__global__ void k(char* s) { if (threadIdx.x == 0) s[0] = 1; printf(\"%d %s\", 1, s); }";
  const char* one_of_two =
      "#include <stdio.h>\n"
      "__global__ void k(char* s, int n) { printf(\"%*d %s\", 1, 2, n ? s : \"none\"); }";
  const char* format = "#include <stdio.h>\n__global__ void k(char* s, int n) { printf(s, n); }";
  const char* pointer = "#include <stdio.h>\n__global__ void k(char* s) { printf(\"%p %%s\", s); }";
  const char* texts =
      "#include <stdio.h>\n"
      "__global__ void k(int n) { const char* t = n ? \"some\" : \"none\"; if (n > 3) t += 1;\n"
      "  printf(\"%5.2f %s %s\", 1.0, \"of\", t); }";
  const char* opencl = "kernel void k() { printf(\"%s %v4d\", \"text\", (int4)(1, 2, 3, 4)); }";
  const char* says = "a '%s' in what is printed, of memory that is no text";
  check_rows({{"a.cu", memory, kCheckTwo, says, ",pass"},
              {"a.cu", memory, kVerifyTwo, ",race,unsupported,2"},
              {"a.cu", one_of_two, kCheckTwo, says, ",pass"},
              {"a.cu", format, kCheckTwo, "a format of printf that is no text", ",pass"},
              {"a.cu", pointer, kCheckTwo, ",pass"},
              {"a.cu", texts, kCheckTwo, ",pass"},
              {"a.cu", texts, kVerifyTwo, ",race,verified"},
              {"a.cl", opencl, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/results: what is only carried along, or does not matter, may be anything") {
  const char* padding =
      "struct S { char c; int i; };\n"
      "__global__ void k(S* out) { S s; s.c = 1; s.i = 2; out[threadIdx.x] = s; }";
  const char* part =
      "struct S { int a, b; };\n"
      "__global__ void k(S* out) { S s; s.a = 1; out[threadIdx.x] = s; }";
  const char* three =
      "kernel void k(global float3* out, global const float3* in) { local float3 t[2];\n"
      "  t[get_local_id(0)] = in[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[get_local_id(0)] = t[1 - get_local_id(0)]; }";
  const char* some =
      "kernel void k(global float4* out) { float4 v; v.xyz = 1.0f; out[get_local_id(0)] = v; }";
  const char* guarded =
      "__global__ void k(int* out, int n) { __shared__ int t[2];\n"
      "  if (threadIdx.x < n) t[threadIdx.x] = 1;\n"
      "  if (threadIdx.x < n) out[threadIdx.x] = t[threadIdx.x]; }";
  const char* masked =
      "__global__ void k(int* out) { __shared__ int t[2]; int v = t[threadIdx.x];\n"
      "  out[threadIdx.x] = v & 0; out[threadIdx.x + 2] = v ^ v; }";
  const char* chosen =
      "__global__ void k(int* out, int n) { int v; if (n > 4) v = 1;\n"
      "  out[threadIdx.x] = n > 4 ? v : 0; }";
  const char* within =
      "__global__ void k(int* out) { __shared__ int t[4], u[4];\n"
      "  u[threadIdx.x] = t[threadIdx.x] + 1; out[threadIdx.x] = 0; }";
  const char* reduce =
      "__global__ void k(const float* in, float* out) { __shared__ float t[4];\n"
      "  t[threadIdx.x] = in[threadIdx.x]; t[threadIdx.x + 2] = 0; __syncthreads();\n"
      "  if (threadIdx.x < 2) t[threadIdx.x] += t[threadIdx.x + 2]; __syncthreads();\n"
      "  if (threadIdx.x == 0) *out = t[0] + t[1]; }";
  check_rows({{"a.cu", padding, kCheckTwo, ",pass"},
              {"a.cu", part, kCheckTwo, ",pass"},
              {"a.cl", three, kCheckTwo, ",pass"},
              {"a.cl", some, kCheckTwo, ",pass"},
              {"a.cu", guarded, kCheckTwo, ",pass"},
              {"a.cu", masked, kCheckTwo, ",pass"},
              {"a.cu", chosen, kCheckTwo, ",pass"},
              {"a.cu", within, kCheckTwo, ",pass"},
              {"a.cu", reduce, kCheckTwo, ",pass", "note: kernel k: not looked at"}});
}

TEST_CASE("kernel/results: results of kernels that host programs launch have been set") {
  const char* copied =
      "#include <cstdio>\n"
      "__global__ void k(int* out) { __shared__ int t[2]; if (threadIdx.x == SET) t[0] = t[1] = "
      "1;\n"
      "  __syncthreads(); out[threadIdx.x] = t[threadIdx.x]; }\n"
      "int main() { int* d; int h[2]; cudaMalloc(&d, sizeof h); k<<<1, 2>>>(d);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); cudaFree(d); return 0; }";
  check_rows({{"a.cu", copied, "check FILE --main -D SET=5", "uninitialized,violated"},
              {"a.cu", copied, "check FILE --main -D SET=0", "uninitialized,verified"}});
}

TEST_CASE("kernel/results: what an answer takes for granted of variables and pointers is said") {
  const char* variable =
      "__device__ int ready = 1;\n"
      "__global__ void k(int* out) { if (ready != 1) out[0] = threadIdx.x; }";
  const char* written =
      "__device__ int last;\n"
      "__global__ void k(int* out) { out[threadIdx.x] = 1; if (threadIdx.x == 0) last = 1; }";
  const char* carried =
      "__device__ int given;\n__global__ void k(int* out) { out[threadIdx.x] = given; }";
  const char* wide =
      "__global__ void k(float* a, float* o) {\n"
      "  float4 v = ((float4*)a)[threadIdx.x]; o[threadIdx.x] = v.y; }";
  const char* typed =
      "__global__ void k(float4* a, float* o) { o[threadIdx.x] = a[threadIdx.x].y; }";
  const char* alone = "taken for granted: buffers do not overlap\n";
  check_rows({{"a.cu", variable, kCheckTwo, "ready as initialized"},
              {"a.cu", written, kCheckTwo, alone, "as initialized"},
              {"a.cu", carried, kCheckTwo, alone, "as initialized"},
              {"a.cu", wide, kCheckTwo, "; a begins at a multiple of 16 bytes"},
              {"a.cu", typed, kCheckTwo, alone, "multiple"}});
}

TEST_CASE("kernel/results: that buffers do not overlap is said of those that nobody gives") {
  const char* two = "__global__ void k(int* a, int* b) { a[threadIdx.x] = b[threadIdx.x]; }";
  const char* one = "__global__ void k(int* a) { a[threadIdx.x] = 1; }";
  const char* overlap = "buffers do not overlap";
  check_rows({{"a.cu", two, kCheckTwo, overlap},
              {"a.cu", two, "check FILE --grid 1 --block 2 -m fair --buffer a=2", ",pass", overlap},
              {"a.cu", one, kCheckTwo, ",pass", overlap},
              {"a.cu", two, kVerifyTwo, "a.cu,k,race,verified,,,buffers do not overlap\n"},
              {"a.cu", one, kVerifyTwo, "a.cu,k,race,verified,,,\n"},
              {"a.cu", two, "verify FILE --grid 1 --block 2 --assume blockDim.x==2",
               "a.cu,k,race,verified,,,blockDim.x==2; buffers do not overlap\n"}});
}

TEST_CASE("kernel/results: flags of barriers are constants, or a choice between some") {
  const std::string shared =
      "kernel void k(global int* a, int n) { size_t t = get_local_id(0); a[t] = 1; "
      "barrier(FLAGS);\n"
      "  int x = a[1 - t]; barrier(CLK_GLOBAL_MEM_FENCE); a[t] = x; }";
  const auto with = [&](const char* flags) {
    return std::string("#define FLAGS ") + flags + "\n" + shared;
  };
  const std::string argument = with("n"),
                    mixed = with("n ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE"),
                    same = with("n ? CLK_GLOBAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE"),
                    other = with("n ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE");
  check_rows(
      {{"a.cl", argument.c_str(), kCheckTwo, "unsupported: line 2: flags of a barrier", ",pass"},
       {"a.cl", argument.c_str(), kVerifyTwo, ",race,unsupported,2"},
       {"a.cl", mixed.c_str(), kCheckTwo, "where n = 0", ",pass"},
       {"a.cl", mixed.c_str(), kVerifyTwo, ",race,violated"},
       {"a.cl", same.c_str(), kCheckTwo, ",pass"},
       {"a.cl", same.c_str(), kVerifyTwo, ",race,verified"},
       {"a.cl", other.c_str(), kCheckTwo, "race: line", ",pass"},
       {"a.cl", other.c_str(), kVerifyTwo, ",race,violated"}});
}

TEST_CASE("kernel/results: a tile that is made for more threads than the default has is no error") {
  const char* transpose =
      "__global__ void k(float* out, const float* in) {\n"
      "  __shared__ float tile[8][9];\n"
      "  tile[threadIdx.y][threadIdx.x] = in[64 * blockIdx.x + 8 * threadIdx.y + threadIdx.x];\n"
      "  __syncthreads();\n"
      "  out[64 * blockIdx.x + 8 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
      "}\n";
  // None of the sizes that are tried fits this one.
  const char* odd =
      "__global__ void k(float* out, const float* in) {\n"
      "  __shared__ float tile[5][5];\n"
      "  tile[threadIdx.y][threadIdx.x] = in[25 * blockIdx.x + 5 * threadIdx.y + threadIdx.x];\n"
      "  __syncthreads();\n"
      "  out[25 * blockIdx.x + 5 * threadIdx.y + threadIdx.x] =\n"
      "      tile[4 - threadIdx.x][4 - threadIdx.y];\n"
      "}\n";
  const char* advice = "possible uninitialized: line 5";
  check_rows(
      {{"a.cu", odd, "check FILE -m fair", advice, ",error"},
       {"a.cu", odd, "check FILE -m fair", "which nobody asked for (--block)"},
       {"a.cu", transpose, "check FILE -m fair", ",pass", "uninitialized"},
       {"a.cu", transpose, "check FILE -m fair --block 8,8 --grid 1", ",pass", "uninitialized"},
       {"a.cu", transpose, "check FILE -m fair --block 8,2 --grid 1", ",error", ",pass"}});
}
