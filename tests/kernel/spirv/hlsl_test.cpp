// What glslang leaves out of HLSL: a choice reads the side that it takes, and atomic operations
// convert.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>

#include "support/rows.hpp"
#include "support/shaders.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;

namespace {

std::string over_tile(const std::string& body) {
  return "StructuredBuffer<uint> a : register(t0);\n"
         "RWStructuredBuffer<uint> b : register(u0);\n"
         "groupshared uint s[8];\n"
         "[numthreads(8, 1, 1)]\n"
         "void main(uint3 id : SV_GroupThreadID) {\n"
         "  uint t = id.x;\n"
         "  s[t] = a[t];\n"
         "  GroupMemoryBarrierWithGroupSync();\n" +
         body + "}\n";
}

// One workgroup writes data and sets a flag, another one waits for the flag and reads.
std::string handed(const std::string& declarations) {
  return declarations +
         "[numthreads(1, 1, 1)]\n"
         "void main(uint3 g : SV_GroupID) {\n"
         "  uint o;\n"
         "  if (g.x == 0) { Data[0] = 7; DeviceMemoryBarrier(); InterlockedExchange(Flag[0], 1, "
         "o); "
         "}\n"
         "  else { InterlockedAdd(Flag[0], 0u, o); DeviceMemoryBarrier(); if (o == 1) Data[1] = "
         "Data[0]; }\n"
         "}\n";
}

std::string handed_bytes(const std::string& declarations) {
  return declarations +
         "[numthreads(1, 1, 1)]\n"
         "void main(uint3 g : SV_GroupID) {\n"
         "  uint o;\n"
         "  if (g.x == 0) { Data.Store(0, 7); DeviceMemoryBarrier(); Flag.InterlockedExchange(0, "
         "1, "
         "o); }\n"
         "  else { Flag.InterlockedAdd(0, 0u, o); DeviceMemoryBarrier(); if (o == 1) Data.Store(4, "
         "Data.Load(0)); }\n"
         "}\n";
}

}  // namespace

TEST_CASE("kernel/spirv/hlsl: globallycoherent is said of a variable, not of its type") {
  if (!headway::testing::compiles_shaders()) return;
  const char* two = "check FILE --groups 2 -m fair -f weak";
  const auto with = [](const char* data, const char* flag) {
    return handed(std::string(flag) + "RWStructuredBuffer<uint> Flag : register(u0);\n" + data +
                  "RWStructuredBuffer<uint> Data : register(u1);\n");
  };
  const char* coherent = "globallycoherent ";
  const std::string data = with(coherent, ""), flag = with("", coherent),
                    both = with(coherent, coherent);
  const std::string none = with("", ""), held = with("volatile ", "");
  const std::string listed = handed(
      "RWStructuredBuffer<uint> Flag;\ngloballycoherent RWStructuredBuffer<uint> X : "
      "register(u3),\n Data : register(u4);\n");
  const std::string macro = handed(
      "#define SHARED globallycoherent\nRWStructuredBuffer<uint> Flag;\n"
      "SHARED RWStructuredBuffer<uint> Data;\n");
  const std::string bytes =
      handed_bytes("RWByteAddressBuffer Flag;\ngloballycoherent RWByteAddressBuffer Data;\n");
  const std::string swapped =
      handed_bytes("globallycoherent RWByteAddressBuffer Flag;\nRWByteAddressBuffer Data;\n");
  check_rows({{"a.hlsl", data.c_str(), two, ",pass"},
              {"a.hlsl", flag.c_str(), two, "race: line"},
              {"a.hlsl", both.c_str(), two, ",pass"},
              {"a.hlsl", none.c_str(), two, "race: line"},
              {"a.hlsl", held.c_str(), two, ",pass"},
              {"a.hlsl", listed.c_str(), two, ",pass"},
              {"a.hlsl", macro.c_str(), two, ",pass"},
              {"a.hlsl", bytes.c_str(), two, ",pass"},
              {"a.hlsl", swapped.c_str(), two, "race: line"}});
}

TEST_CASE("kernel/spirv/hlsl: a buffer that is handed to a function is as coherent as all are") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string rest =
      "void set(RWStructuredBuffer<uint> b, uint i) { b[i] = 1; }\n"
      "[numthreads(1, 1, 1)]\nvoid main(uint3 g : SV_GroupID) { set(A, g.x); B[g.x] = A[g.x]; }\n";
  const std::string mixed =
      "globallycoherent RWStructuredBuffer<uint> A;\nRWStructuredBuffer<uint> B;\n" + rest;
  const std::string same = "RWStructuredBuffer<uint> A;\nRWStructuredBuffer<uint> B;\n" + rest;
  const char* two = "check FILE --groups 2 -m fair -f weak";
  check_rows({{"a.hlsl", mixed.c_str(), two,
               "a.hlsl:3: a RWStructuredBuffer that is no variable, beside buffers of which some "
               "are 'globallycoherent'"},
              {"a.hlsl", same.c_str(), two, ",pass"}});
}

TEST_CASE("kernel/spirv/hlsl: a choice reads the side that it takes") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string taken = over_tile("  b[t] = t >= 1 ? s[t - 1] : 0;\n");
  const std::string nested =
      over_tile("  b[t] = t >= 1 ? (t >= 2 ? s[t - 2] : s[t - 1]) : t < 7 ? s[t + 1] : 0;\n");
  const std::string looped = over_tile(
      "  uint sum = 0;\n"
      "  for (uint d = 1; d < 8; d <<= 1) sum += t >= d ? s[t - d] : s[t] + 1;\n"
      "  b[t] = sum;\n");
  const std::string both = over_tile(
      "  if (t >= 1 && s[t - 1] > 3) b[t] = 1;\n"
      "  if (t == 0 || s[t - 1] > 3 || (t > 1 && s[t - 2] > 4)) b[t + 8] = 1;\n");
  // Who reads before choosing reads.
  const std::string before =
      over_tile("  uint v = s[t - 1];\n  bool is = t >= 1;\n  b[t] = is ? v : 0;\n");
  const std::string wrong = over_tile("  b[t] = t >= 1 ? s[t + 1] : 0;\n");
  const std::string racy = over_tile("  s[t] = t >= 1 ? s[t - 1] : 0;\n");
  const char* premise = "evaluate the side that they take";
  check_rows({{"a.hlsl", taken.c_str(), kCheckShader, ",pass", ",error"},
              {"a.hlsl", taken.c_str(), kCheckShader, premise},
              {"a.hlsl", taken.c_str(), "verify FILE --grid 1 --bounds",
               ",bounds,\"verified but for a, b\""},
              {"a.hlsl", nested.c_str(), kCheckShader, ",pass", ",error"},
              {"a.hlsl", looped.c_str(), kCheckShader, ",pass", ",error"},
              {"a.hlsl", both.c_str(), kCheckShader, ",pass", ",error"},
              {"a.hlsl", before.c_str(), kCheckShader, "bounds: line 9", premise},
              {"a.hlsl", wrong.c_str(), kCheckShader, "bounds: line 9"},
              {"a.hlsl", racy.c_str(), kCheckShader, "race: line 9"}});
}

TEST_CASE("kernel/spirv/hlsl: a number with a sign is added to one without") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string head =
      "RWByteAddressBuffer counter : register(u0);\n"
      "RWStructuredBuffer<uint> b : register(u1);\n"
      "[numthreads(4, 1, 1)]\n"
      "void main(uint3 id : SV_DispatchThreadID) {\n  uint old;\n";
  const std::string adds = head + "  counter.InterlockedAdd(0, 1, old);\n  b[old] = id.x;\n}\n";
  const std::string two = head + "  counter.InterlockedAdd(0, 1, old);\n  b[old & 1] = id.x;\n}\n";
  check_rows({{"a.hlsl", adds.c_str(), "check FILE --groups 1 -m fair --buffer counter=1:zero",
               ",pass", ",error"},
              {"a.hlsl", two.c_str(), "check FILE --groups 1 -m fair --buffer counter=1:zero",
               "race: line 7"}});
}

TEST_CASE("kernel/spirv/hlsl: what buffers and images are handed to is read as it was written") {
  if (!headway::testing::compiles_shaders()) return;
  // glslang's optimizer, which makes valid modules of these, takes such loops and accesses away.
  const auto waits = [](const char* resource, const char* function, const char* loop) {
    return fmt::format(
        "{} t; RWStructuredBuffer<uint> o; groupshared uint s[2];\n{}\n"
        "[numthreads(2, 1, 1)] void main(uint i : SV_GroupIndex) {{ uint k = 0;\n"
        "  [loop] while ({}) {{ k++; }} o[i] = get(t, i); }}",
        resource, function, loop);
  };
  const char* buffer = "RWStructuredBuffer<uint>";
  const char* of_buffer = "uint get(RWStructuredBuffer<uint> x, uint i) { return x[i]; }";
  const char* image = "Texture2D<float>";
  const char* of_image =
      "uint get(Texture2D<float> x, uint i) { return uint(x.Load(int3(i, 0, 0))); }";
  for (const auto& [resource, function] :
       {std::pair(buffer, of_buffer), std::pair(image, of_image)}) {
    const std::string endless = waits(resource, function, "i != 0"),
                      right = waits(resource, function, "k < i");
    check_rows({{"a.hlsl", endless.c_str(), kCheckShader, "a loop that never ends", ",pass"},
                {"a.hlsl", endless.c_str(), "verify FILE --grid 1", ",termination,",
                 ",termination,verified"},
                {"a.hlsl", right.c_str(), kCheckShader, ",pass"},
                {"a.hlsl", right.c_str(), "verify FILE --grid 1", ",termination,verified"}});
  }
  // A variable that may stand for two images stands for neither.
  const char* chosen =
      "Texture2D<float> a; Texture2D<float> b; RWStructuredBuffer<float> o;\n"
      "[numthreads(2, 1, 1)] void main(uint i : SV_GroupIndex) {\n"
      "  Texture2D<float> c = a; if (i == 0) c = b; o[i] = c.Load(int3(i, 0, 0)); }";
  check_rows({{"a.hlsl", chosen, kCheckShader, "several images", ",pass"}});
}

TEST_CASE(
    "kernel/spirv/hlsl: what glslang writes wrongly is put right, and what it leaves out refused") {
  if (!headway::testing::compiles_shaders()) return;
  const auto text = [](const std::string& code) {
    return "RWStructuredBuffer<uint> o; RWByteAddressBuffer b; groupshared uint s[8];\n"
           "[numthreads(2, 1, 1)] void main(uint i : SV_GroupIndex) { " +
           code + " }";
  };
  const std::string any = text("while (any(i)) { }"),
                    none = text("while (any(i) && !any(i)) { } o[i] = 1;"),
                    product = text("s[mad(i, 2, 1)] = 1;"), beyond = text("s[mad(i, 2, 6)] = 1;"),
                    bytes = text("uint d; b.GetDimensions(d); s[d == 32 ? i : 8] = 1;"),
                    words = text("uint d; b.GetDimensions(d); s[d == 8 ? i : 8] = 1;"),
                    lost = text("InterlockedCompareStore(s[0], 0, 1);");
  const char* handed =
      "RWByteAddressBuffer b; RWStructuredBuffer<uint> o;\n"
      "uint size(RWByteAddressBuffer x) { uint d; x.GetDimensions(d); return d; }\n"
      "[numthreads(1, 1, 1)] void main() { o[0] = size(b); }";
  constexpr const char* sized = "check FILE --groups 1 -m fair --buffer b=8";
  check_rows({{"a.hlsl", any.c_str(), kCheckShader, "a loop that never ends", ",pass"},
              {"a.hlsl", none.c_str(), kCheckShader, ",pass"},
              {"a.hlsl", product.c_str(), kCheckShader, ",pass"},
              {"a.hlsl", beyond.c_str(), kCheckShader, "bounds", ",pass"},
              {"a.hlsl", bytes.c_str(), sized, ",pass"},
              {"a.hlsl", words.c_str(), sized, "bounds", ",pass"},
              {"a.hlsl", lost.c_str(), kCheckShader, "glslang leaves something out", ",pass"},
              {"a.hlsl", handed, kCheckShader, "GetDimensions of the byte address buffer 'x'"}});
}
