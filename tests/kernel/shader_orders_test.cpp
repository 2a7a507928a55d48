// What orders memory in shaders, and what does not: each barrier, fence and qualifier has a row
// that is right by it, and others that lack it.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"

using headway::testing::check_rows;

namespace {

// `code` between a store and what another thread reads, in a workgroup of two threads.
std::string between(const char* memory, const std::string& code, const char* qualifier = "") {
  return std::string(
             "#version 450\n#extension GL_KHR_memory_scope_semantics : require\n"
             "#extension GL_KHR_shader_subgroup_basic : require\n"
             "layout(local_size_x = 2) in; shared uint s[2];\nlayout(std430, binding = 0) ") +
         qualifier + " buffer A { uint a[]; };\nvoid main() { uint t = gl_LocalInvocationID.x; " +
         memory + "[t] = t; " + code + " uint r = " + memory + "[1 - t]; a[2 + t] = r; }";
}

// One workgroup writes, and tells another one.
std::string told(const std::string& sets, const std::string& sees,
                 const char* qualifier = "coherent") {
  return std::string(
             "#version 450\n#extension GL_KHR_memory_scope_semantics : require\n"
             "#define BUFFER gl_StorageSemanticsBuffer\n"
             "#define RELEASE gl_SemanticsRelease\n#define ACQUIRE gl_SemanticsAcquire\n"
             "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) ") +
         qualifier +
         " buffer A { uint d; uint f; uint o; };\nvoid main() { if (gl_WorkGroupID.x == 0) { d = "
         "1; " +
         sets + " } else if (" + sees + " o = d; }";
}

std::string in_hlsl(const char* memory, const char* code) {
  return std::string(
             "RWStructuredBuffer<uint> a; groupshared uint s[2];\n"
             "[numthreads(2, 1, 1)] void main(uint3 id : SV_GroupThreadID) { uint t = id.x; ") +
         memory + "[t] = t; " + code + " uint r = " + memory + "[1 - t]; a[2 + t] = r; }";
}

void expect_race(const char* file, const std::string& text, bool races, bool groups = false) {
  const char* check =
      groups ? "check FILE --groups 2 -m fair --buffer A=3:zero" : "check FILE --groups 1 -m fair";
  const char* verify =
      groups ? "verify FILE --groups 2 --buffer A=3:zero" : "verify FILE --groups 1";
  if (races) {
    check_rows({{file, text.c_str(), check, "race: line", ",pass"},
                {file, text.c_str(), verify, ",race,violated"}});
  } else {
    check_rows(
        {{file, text.c_str(), check, ",pass"}, {file, text.c_str(), verify, ",race,verified"}});
  }
}

}  // namespace

TEST_CASE("kernel/shader_orders: barriers and fences order the memory that they are for") {
  const auto glsl = [](const char* memory, const char* code, bool races) {
    expect_race("a.comp", between(memory, code), races);
  };
  glsl("s", "barrier();", false);
  glsl("s", "groupMemoryBarrier();", true);
  glsl("s", "subgroupMemoryBarrierShared();", true);
  glsl("s", "subgroupBarrier();", false);
  glsl("a", "barrier();", true);
  glsl("a", "memoryBarrierShared(); barrier(); memoryBarrierShared();", true);
  glsl("a", "memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();", false);
  const std::string control = "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, ";
  const char* orders = "gl_SemanticsAcquireRelease);";
  glsl("a", (control + "gl_StorageSemanticsBuffer, " + orders).c_str(), false);
  glsl("a", (control + "gl_StorageSemanticsShared, " + orders).c_str(), true);
  glsl("a", (control + "0, 0);").c_str(), true);
}

TEST_CASE("kernel/shader_orders: what one workgroup tells another one") {
  const auto glsl = [](const char* sets, const char* sees, bool races,
                       const char* qualifier = "coherent") {
    expect_race("a.comp", told(sets, sees, qualifier), races, true);
  };
  const char* asks = "atomicOr(f, 0u) == 1u) { memoryBarrier();";
  const char* takes = "atomicLoad(f, gl_ScopeDevice, BUFFER, ACQUIRE) == 1u) {";
  const auto closed = [](const char* text) {
    return std::string(text) + " o = d; } else if (false)";
  };
  const std::string asked = closed(asks), taken = closed(takes);
  glsl("memoryBarrier(); atomicExchange(f, 1u);", asked.c_str(), false);
  glsl("memoryBarrier(); atomicExchange(f, 1u);", asked.c_str(), true, "");
  glsl("memoryBarrierShared(); atomicExchange(f, 1u);", asked.c_str(), true);
  glsl("groupMemoryBarrier(); atomicExchange(f, 1u);", asked.c_str(), true);
  glsl("atomicExchange(f, 1u);", asked.c_str(), true);
  glsl("atomicStore(f, 1u, gl_ScopeDevice, BUFFER, RELEASE);", taken.c_str(), false);
  glsl("atomicStore(f, 1u, gl_ScopeWorkgroup, BUFFER, RELEASE);", taken.c_str(), true);
  glsl("atomicStore(f, 1u, gl_ScopeDevice, gl_StorageSemanticsShared, RELEASE);", taken.c_str(),
       true);
  glsl("atomicStore(f, 1u, gl_ScopeDevice, 0, 0);", taken.c_str(), true);
}

TEST_CASE("kernel/shader_orders: barriers of HLSL, and buffers that are named otherwise") {
  const auto hlsl = [](const char* memory, const char* code, bool races) {
    expect_race("a.hlsl", in_hlsl(memory, code), races);
  };
  hlsl("s", "GroupMemoryBarrierWithGroupSync();", false);
  hlsl("s", "GroupMemoryBarrier();", true);
  hlsl("a", "GroupMemoryBarrierWithGroupSync();", true);
  hlsl("a", "DeviceMemoryBarrierWithGroupSync();", false);
  hlsl("s", "AllMemoryBarrierWithGroupSync();", false);
  const auto two = [](const std::string& first, const std::string& second) {
    return first + "\n" + second +
           "\n[numthreads(2, 1, 1)] void main(uint3 t : SV_GroupThreadID) {\n"
           "  if (t.x == 0) a[0] = 1; else b[0] = 2; }";
  };
  const std::string buffer = "RWStructuredBuffer<uint> ";
  expect_race("a.hlsl", two(buffer + "a : register(u0);", buffer + "b : register(u0, space1);"),
              false);
  expect_race("a.hlsl", two(buffer + "a;", buffer + "b;"), false);
}

TEST_CASE("kernel/shader_orders: what is available to some alone others do not see") {
  const auto handed = [](const char* qualifier, const char* sets, const char* sees) {
    return std::string(
               "#version 450\n#pragma use_vulkan_memory_model\n"
               "#extension GL_KHR_memory_scope_semantics : enable\n"
               "layout(local_size_x = 1) in;\n"
               "layout(binding = 0) buffer F { uint f; uint o; };\nlayout(binding = 1) ") +
           qualifier +
           " buffer D { uint d; };\nvoid main() { if (gl_WorkGroupID.x == 0) { d = 5; " + sets +
           " atomicExchange(f, 1u); } else if (atomicAdd(f, 0u) == 1u) { " + sees + " o = d; } }";
  };
  constexpr const char* check = "check FILE --groups 2 -m fair --buffer F=2:zero --buffer D=1:zero";
  constexpr const char* verify = "verify FILE --groups 2 --buffer F=2:zero --buffer D=1:zero";
  const char* fence = "memoryBarrierBuffer();";
  const char* release =
      "memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | "
      "gl_SemanticsMakeAvailable);";
  const char* acquire =
      "memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | "
      "gl_SemanticsMakeVisible);";
  const std::string subgroup = handed("subgroupcoherent", fence, fence),
                    workgroup = handed("workgroupcoherent", fence, fence),
                    device = handed("coherent", fence, fence),
                    made = handed("workgroupcoherent", release, acquire),
                    mixed = handed("workgroupcoherent", release, fence);
  check_rows({{"a.comp", subgroup.c_str(), check, "race: line", ",pass"},
              {"a.comp", subgroup.c_str(), verify, ",race,unsupported"},
              {"a.comp", workgroup.c_str(), check, "race: line", ",pass"},
              {"a.comp", workgroup.c_str(), verify, ",race,", ",race,verified"},
              {"a.comp", device.c_str(), check, ",pass"},
              {"a.comp", made.c_str(), check, ",pass"},
              {"a.comp", mixed.c_str(), check, "beside others that do", ",pass"}});
}
