// What OpenCL C, GLSL, HLSL and SPIR-V mean, and what they leave to the launch or the device: small
// programs, each with a command and what it has to say. A case more is a line.
#include <doctest/doctest.h>

#include <sstream>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"

using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

struct SmallProgram {
  const char* file;
  const char* text;
  const char* command;  // the file comes last
  const char* says;
  const char* never = nullptr;
};

void expect_saying(const SmallProgram& one) {
  const TemporaryFolder folder;
  std::vector<std::string> words;
  std::istringstream command(one.command);
  for (std::string word; command >> word;) words.push_back(word);
  words.push_back(folder.write(one.file, one.text).string());
  const auto result = headway::testing::headway(words);
  INFO(std::string(one.text), "\n", std::string(one.command), "\n", result.out, result.err);
  CHECK(contains(result.out + result.err, one.says));
  if (one.never != nullptr) CHECK_FALSE(contains(result.out, one.never));
}

constexpr const char* kProve = "verify --block 4 --grid 1 --format csv";
constexpr const char* kDecide = "check --grid 2 --format csv -m fair -f weak";

#define HEAD "#version 450\nlayout(local_size_x = 4) in;\n"

}  // namespace

TEST_CASE("kernel/languages: OpenCL") {
  const SmallProgram cases[] = {
      // One dimension, unless sizes say more.
      {"a.cl",
       "kernel void k(global int* a) { a[get_work_dim() == 1 ? 0 : get_local_id(0)] = "
       "get_local_id(0); }",
       kProve, "race,violated"},
      {"a.cl",
       "kernel void k(global int* a) { a[get_work_dim() == 2 ? get_local_linear_id() : 0] "
       "= get_local_linear_id(); }",
       "verify --block 2,2 --grid 1 --format csv", "race,verified"},
      {"a.cl", "kernel void k(global int* a) { a[get_work_dim()] = 1; }",
       "verify --block 4 --grid 1", "the work dimension is the last one that is above 1"},
      {"a.cl", "kernel void k(global int* a) { a[get_global_id(0)] = 1; }",
       "verify --block 4 --grid 1", "launches have no global offset"},
      {"a.cl", "kernel void k(global int* a) { a[get_global_id(0)] = 1; }",
       "check --grid 1 --block 2 -m fair", "taken for granted: launches have no global offset"},
      {"a.cl", "kernel void k(global int* a) { a[get_local_id(0)] = 1; }",
       "verify --block 4 --grid 1", "verified", "global offset"},
      {"a.cl", "kernel void k(global int* a, global int* b) { a[get_local_id(0)] = b[0]; }",
       "verify --block 4 --grid 1", "buffers do not overlap"},
      {"a.cl", "kernel void k(global int* a) { a[get_local_id(0)] = 1; }",
       "verify --block 4 --grid 1", "verified", "do not overlap"},
      {"a.cu",
       "struct P { int *a, *b; };\n"
       "__global__ void k(P p) { p.a[threadIdx.x] = p.b[3 - threadIdx.x]; }",
       "verify --block 4 --grid 1", "buffers do not overlap"},
      {"a.cu",
       "__device__ int g[4];\n"
       "__global__ void k(int* a) { a[threadIdx.x] = g[3 - threadIdx.x]; }",
       "verify --block 4 --grid 1", "buffers do not overlap"},
      // CUDA's limits are its own.
      {"a.cl",
       "kernel void k(global int* a) { if (get_local_id(0) > 1500) a[0] = "
       "get_local_id(0); }",
       "verify --block any --grid 1 --format csv", "race,", "race,verified"},
      {"a.cu", "__global__ void k(int* a) { if (threadIdx.x > 1500) a[0] = threadIdx.x; }",
       "verify --block any --grid 1 --format csv", "race,verified"},
      {"a.cl", "kernel void k(global int* a) { a[get_local_id(0)] = 1; }",
       "verify --block any --grid 1", "a workgroup has at most 65536 threads"},
      {"a.cl", "kernel void k(global int* a) { a[get_local_id(0)] = 1; }",
       "check --grid 1 --block 2048 --format csv -m fair -f weak", "fair,weak,pass"},
      // Subgroups are as large as the launch says, which is said.
      {"a.cl",
       "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\nkernel void k(global int* a) { "
       "a[get_local_id(0)] = sub_group_reduce_add(1); }",
       "verify --block 64 --grid 1", "subgroups have 32 threads, in the order of their ids"},
      {"a.cl",
       "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\nkernel void k(global int* a) { "
       "a[get_local_id(0)] = sub_group_reduce_add(1); }",
       "check --grid 1 --block 8 --subgroup 4 --format json -m fair",
       "subgroups have 4 threads, in the order of their ids"},
      // Images race texel by texel.
      {"a.cl",
       "kernel void k(write_only image2d_t p) { write_imagei(p, (int2)(0, 1), "
       "(int4)(get_local_id(0))); }",
       kProve, "race,violated"},
      {"a.cl",
       "kernel void k(write_only image2d_t p) { write_imagei(p, (int2)(0, 1), "
       "(int4)(get_local_id(0))); }",
       "check --grid 1 --block 2 --format csv -m fair -f weak", "fair,weak,error"},
      {"a.cl",
       "kernel void k(write_only image2d_t p) { write_imagef(p, (int2)(get_global_id(0), "
       "get_global_id(1)), (float4)(get_local_id(0))); }",
       "verify --block 8,8 --grid 4,4 --format csv", "race,verified"},
      {"a.cl",
       "kernel void k(write_only image3d_t p) { write_imageui(p, (int4)(1, "
       "get_global_id(0), get_global_id(1), 0), (uint4)(get_local_id(0))); }",
       "verify --block 8,8 --grid 4,4 --format csv", "race,verified"},
      {"a.cl",
       "kernel void k(write_only image2d_t p) { write_imagef(p, (int2)(0, 1), "
       "(float4)(1)); }",
       kProve, "race,verified"},
      {"a.cl",
       "kernel void k(read_write image2d_t p) { float4 x = read_imagef(p, "
       "(int2)(get_local_id(0) + 1, 0)); write_imagef(p, (int2)(get_local_id(0), 0), x); }",
       kProve, "race,violated"},
      {"a.cl",
       "kernel void k(read_only image2d_t p, sampler_t s, global float4* a) { "
       "a[get_local_id(0)] = read_imagef(p, s, (float2)(0.5f, 0.5f)); }",
       kProve, "race,verified"},
      // A barrier that orders other memory is named.
      {"a.cl",
       "kernel void k(global int* a, local int* s) { int i = get_local_id(0); s[i] = i;\n"
       "barrier(0);\na[i] = s[3 - i]; }",
       kProve, "the barrier at line 2 between them orders no memory"},
      {"a.cl",
       "kernel void k(global int* a) { int i = get_local_id(0); a[i] = i;\n"
       "barrier(CLK_LOCAL_MEM_FENCE);\na[i + 4] = a[3 - i]; }",
       "explain --grid 1 --block 4 --model fair",
       "the barrier at line 2 between them orders memory of the workgroup alone"},
      {"a.cl",
       "kernel void k(global int* a, local int* s) { int i = get_local_id(0); s[i] = i;\n"
       "barrier(CLK_GLOBAL_MEM_FENCE);\na[i] = s[3 - i]; }",
       kProve, "the barrier at line 2 between them orders global memory alone"},
      {"a.cl",
       "kernel void k(global int* a) { a[0] = get_group_id(0);\n"
       "barrier(CLK_LOCAL_MEM_FENCE); }",
       "verify --block 1 --grid 2 --format csv", "race,violated", "between them"},
  };
  for (const SmallProgram& one : cases) expect_saying(one);
}

TEST_CASE("kernel/languages: HLSL") {
  if (!headway::testing::compiles_shaders()) return;
  const SmallProgram cases[] = {
      // Every function with a size is an entry point, whatever its name.
      {"a.hlsl",
       "RWStructuredBuffer<uint> a;\n[numthreads(4, 1, 1)]\nvoid Fill(uint3 i : "
       "SV_GroupThreadID) { a[0] = i.x; }\n",
       kProve, "Fill,race,violated"},
      {"a.hlsl",
       "#define THREADS [numthreads(4, 1, 1)]\nRWStructuredBuffer<uint> a;\n"
       "THREADS void main(uint3 i : SV_GroupThreadID) { a[i.x] = 1; }\n"
       "// [numthreads(1, 1, 1)] void Gone() {}\n"
       "[shader(\"compute\")] THREADS void Second(uint3 i : SV_GroupThreadID) { a[0] = i.x; }\n",
       kProve, "Second,race,violated", "Gone"},
      {"a.hlsl",
       "RWStructuredBuffer<uint> a;\n[numthreads(1, 1, 1)]\nvoid Wait() { uint o; do { "
       "InterlockedAdd(a[0], 0, o); } while (o == 0); }\n",
       kDecide, "Wait,fair,weak,fail"},
      {"a.hlsl",
       "groupshared uint s[4];\nRWStructuredBuffer<uint> a;\n[numthreads(4, 1, 1)]\nvoid "
       "First(uint3 i : SV_GroupThreadID) { s[i.x] = i.x; a[i.x] = s[3 - i.x]; }\n"
       "[numthreads(2, 1, 1)]\nvoid Second(uint3 i : SV_GroupThreadID) { s[i.x] = i.x; "
       "GroupMemoryBarrierWithGroupSync(); a[i.x] = s[1 - i.x]; }\n",
       "check --grid 1 --format csv -m fair -f weak", "Second,fair,weak,pass",
       "First,fair,weak,pass"},
      {"a.hlsl", "void main() {}\n", kProve, "expected a function with [numthreads(X, Y, Z)]"},
      {"a.hlsl", "[NumThreads(4, 1, 1)]\nvoid main() {}\n", kProve, "in small letters alone"},
      // Registers are of four kinds, and resources without one get one of their own.
      {"a.hlsl",
       "RWStructuredBuffer<uint> a; RWStructuredBuffer<uint> b;\n[numthreads(2, 1, 1)]\n"
       "void main(uint3 i : SV_GroupThreadID) { if (i.x == 0) a[0] = 1; else b[0] = 2; }\n",
       kProve, "race,verified"},
      {"a.hlsl",
       "StructuredBuffer<float> from : register(t0);\nRWStructuredBuffer<float> to : "
       "register(u0);\ncbuffer C : register(b0) { uint n; }\n[numthreads(4, 1, 1)]\n"
       "void main(uint3 i : SV_GroupThreadID) { to[i.x] = from[i.x + n]; }\n",
       kProve, "race,verified"},
      {"a.hlsl",
       "cbuffer C { uint n; }\ncbuffer D { uint m; }\nRWStructuredBuffer<uint> a;\n"
       "[numthreads(4, 1, 1)]\nvoid main(uint3 i : SV_GroupThreadID) { if (n != m) a[0] = "
       "i.x; }\n",
       kProve, "race,violated"},
      // What reaches other workgroups is globallycoherent.
      {"a.hlsl",
       "globallycoherent RWStructuredBuffer<uint> d; RWStructuredBuffer<uint> f;\n"
       "[numthreads(1, 1, 1)]\nvoid main(uint3 g : SV_GroupID) { uint o; if (g.x == 0) { "
       "d[0] = 1; DeviceMemoryBarrier(); InterlockedExchange(f[0], 1, o); } else { "
       "InterlockedAdd(f[0], 0, o); DeviceMemoryBarrier(); if (o == 1) d[1] = d[0]; } }\n",
       kDecide, "fair,weak,pass"},
      {"a.hlsl",
       "RWStructuredBuffer<uint> d; RWStructuredBuffer<uint> f;\n"
       "[numthreads(1, 1, 1)]\nvoid main(uint3 g : SV_GroupID) { uint o; if (g.x == 0) { "
       "d[0] = 1; DeviceMemoryBarrier(); InterlockedExchange(f[0], 1, o); } else { "
       "InterlockedAdd(f[0], 0, o); DeviceMemoryBarrier(); if (o == 1) d[1] = d[0]; } }\n",
       kDecide, "fair,weak,error"},
  };
  for (const SmallProgram& one : cases) expect_saying(one);
}

TEST_CASE("kernel/languages: GLSL") {
  if (!headway::testing::compiles_shaders()) return;
#define BUFFER(how) HEAD "layout(binding = 0) " how " buffer B { uint a[]; };\n"
#define HANDED(how)                                                                                \
  "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) " how                           \
  " buffer D { uint data; uint got; };\nlayout(binding = 1) buffer F { uint flag; };\nvoid "       \
  "main() {\n if (gl_WorkGroupID.x == 0) { data = 1; memoryBarrierBuffer(); atomicExchange(flag, " \
  "1u); }\n else if (atomicAdd(flag, 0u) == 1u) { memoryBarrierBuffer(); got = data; }\n}\n"
#define TURN "a[gl_LocalInvocationID.x + 4] = a[3 - gl_LocalInvocationID.x]; }\n"
#define SET "void main() { a[gl_LocalInvocationID.x] = gl_LocalInvocationID.x;\n"
#define GROUPS                                                                                  \
  HEAD "#extension GL_KHR_shader_subgroup_arithmetic : enable\nlayout(binding = 0) buffer B { " \
       "uint a[]; };\n"
  const SmallProgram cases[] = {
      // Only what is coherent, or volatile, is handed to other workgroups.
      {"a.comp", HANDED(""), kDecide, "fair,weak,error"},
      {"a.comp", HANDED("coherent"), kDecide, "fair,weak,pass"},
      {"a.comp", HANDED("volatile"), kDecide, "fair,weak,pass"},
      // A release in front of a barrier and an acquire behind it may be fences.
      {"a.comp", BUFFER("") SET "memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();\n" TURN,
       kProve, "race,verified"},
      {"a.comp", BUFFER("") SET "memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();\n" TURN,
       kDecide, "fair,weak,error"},  // two workgroups
      {"a.comp", BUFFER("") SET "memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();\n" TURN,
       "check --grid 1 --format csv -m fair -f weak", "fair,weak,pass"},
      {"a.comp", BUFFER("") SET "memoryBarrierBuffer(); barrier();\n" TURN, kProve,
       "the barrier at line 5 between them orders memory of the workgroup alone"},
      {"a.comp", BUFFER("") SET "barrier(); memoryBarrierBuffer();\n" TURN, kProve,
       "race,violated"},
      {"a.comp", BUFFER("") SET "memoryBarrierShared(); barrier(); memoryBarrierBuffer();\n" TURN,
       kProve, "race,violated"},
      {"a.comp",
       BUFFER("") SET "memoryBarrierBuffer(); a[gl_LocalInvocationID.x + 8] = 1; barrier(); "
                      "memoryBarrierBuffer();\n" TURN,
       "check --grid 1 --format csv -m fair -f weak", "fair,weak,pass"},
      // A clamp that the author wrote is one.
      {"a.comp",
       BUFFER("") "void main() { uint i = min(gl_LocalInvocationID.x, uint(a.length()) - 1u); a[i] "
                  "= gl_LocalInvocationID.x; }\n",
       kProve, "race,", "race,verified"},
      // What is not given is said.
      {"a.comp",
       HEAD
       "layout(constant_id = 3) const uint n = 5;\nlayout(binding = 0) buffer B { uint a[]; };\n"
       "void main() { a[gl_LocalInvocationID.x % n] = gl_LocalInvocationID.x; }\n",
       "verify --grid 1", "specialization constant 3 is 5, its default"},
      {"a.comp",
       HEAD
       "layout(constant_id = 3) const uint n = 5;\nlayout(binding = 0) buffer B { uint a[]; };\n"
       "void main() { a[gl_LocalInvocationID.x % n] = gl_LocalInvocationID.x; }\n",
       "verify --grid 1 --spec 3=2", "race", "specialization constant"},
      // Reductions have all operations, and scans start with what changes nothing.
      {"a.comp",
       GROUPS "void main() { uint p = subgroupExclusiveMul(gl_LocalInvocationID.x + 1u); "
              "a[gl_LocalInvocationID.x] = 1u / p; }\n",
       "check --grid 1 --format csv -m fair -f weak", "fair,weak,pass"},
      {"a.comp",
       GROUPS "void main() { uint p = subgroupMul(gl_LocalInvocationID.x + 1u); "
              "a[gl_LocalInvocationID.x] = 1u / (p - 24u); }\n",
       "check --grid 1 --format csv -m fair -f weak", "fair,weak,error"},
      {"a.comp",
       GROUPS
       "void main() { float p = subgroupExclusiveMin(1.0); a[0] = 1; if "
       "(gl_LocalInvocationID.x == 0 && !isinf(p)) a[gl_LocalInvocationID.x] = 1u / a[1]; }\n",
       "check --grid 1 --format csv -m fair -f weak --buffer B=2:zero", "fair,weak,pass"},
      // Ids are below the size of the workgroup.
      {"a.comp",
       GROUPS "void main() { uint i = gl_LocalInvocationID.x; if (i < 4) a[i] = subgroupAdd(a[i]); "
              "}\n",
       "verify --grid 1 --format csv", "race,verified", "unsupported"},
      {"a.comp",
       GROUPS "void main() { uint i = gl_LocalInvocationID.x; if (i < 3) a[i] = subgroupAdd(a[i]); "
              "a[i + 8] = subgroupAdd(1u); }\n",
       "verify --grid 1 --format csv", "race,unsupported"},
      // One thread is elected.
      {"a.comp",
       GROUPS
       "shared uint s[2];\nvoid main() { uint x = subgroupAdd(a[gl_LocalInvocationID.x]); if "
       "(subgroupElect()) s[gl_SubgroupID] = x; barrier(); a[gl_LocalInvocationID.x] = "
       "s[gl_SubgroupID]; }\n",
       "verify --grid 1 --subgroup 2 --format csv", "race,verified"},
  };
  for (const SmallProgram& one : cases) expect_saying(one);
}
