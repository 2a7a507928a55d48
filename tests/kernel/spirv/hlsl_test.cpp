// What glslang leaves out of HLSL: a choice reads the side that it takes, and atomic operations
// convert.
#include <doctest/doctest.h>

#include <string>

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

}  // namespace

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
