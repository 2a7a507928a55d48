// What functions of OpenCL C, GLSL and HLSL give where the texts leave it open, and where they do
// not: claims about it, each a kernel of its own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"

namespace {

using headway::testing::contains;

struct SaidOfClaim {
  const char* claim;
  const char* verdict;  // of `check`: pass, error, or unknown for what is possible
};

// `kernel` has {0} for a number and {1} for the claim.
void expect(const char* file, const std::string& head, const char* kernel,
            const std::vector<SaidOfClaim>& claims, std::vector<std::string> options) {
  std::string text = head;
  for (std::size_t i = 0; i < claims.size(); ++i)
    text += fmt::format(fmt::runtime(kernel), i, claims[i].claim);
  const headway::testing::TemporaryFolder folder;
  options.insert(options.begin(),
                 {"check", folder.write(file, text).string(), "-m", "fair", "--format", "csv"});
  const auto said = headway::testing::headway(options);
  INFO(said.out, said.err);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    INFO(std::string(claims[i].claim));
    CHECK(contains(said.out, fmt::format("k{},fair,weak,{}\n", i, claims[i].verdict)));
  }
}

}  // namespace

TEST_CASE("kernel/open_results: functions of OpenCL C that are not said to be exact") {
  expect("a.cl", "", "kernel void k{0}(int n) {{ assert({1}); }}\n",
         {{"fast_length((float2)(3, 4)) == 5", "unknown"},
          {"length((float2)(3, 4)) == 5", "unknown"},
          {"degrees(1.5f) > 0", "unknown"},
          {"dot((float2)(3, 4), (float2)(1, 2)) == 11", "unknown"},
          {"mad(1 + 0x1p-12f, 1 + 0x1p-12f, -1 - 0x1p-11f) == 0", "unknown"},
          {"mad(2.0f, 3.0f, 1.0f) == 7", "pass"},
          {"normalize((float2)(3, 4)).x == normalize((float2)(3, 5)).x", "unknown"},
          {"cross((float4)(1, 2, 3, 0), (float4)(4, 5, 6, 0)).x == -3", "unknown"},
          {"cross((float4)(1, 2, 3, 0), (float4)(4, 5, 6, 0)).w == 0", "pass"},
          {"as_int(dot((float2)(3, n), (float2)(n))) == as_int(dot((float2)(3, n), (float2)(n)))",
           "pass"},
          {"mul24(1 << 24, 2) == 0", "unknown"},
          {"mul24(-3, 4) == -12", "pass"},
          {"signbit(sign(-0.0f)) == 1", "pass"}},
         {"--grid", "1", "--block", "1"});
}

TEST_CASE("kernel/open_results: a lane that the subgroup lacks gives nothing") {
  expect("a.cl", "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n",
         "kernel void k{0}(int n) {{ int i = get_local_id(0); int r = {1}; }}\n",
         {{"sub_group_shuffle_up(i, 1); assert(r >= 0)", "error"},
          {"sub_group_shuffle_up(i, 1); assert(i == 0 || r == i - 1)", "pass"},
          {"sub_group_shuffle_down(i, 2); assert(r >= 0)", "error"},
          {"sub_group_shuffle(i, i + 1); assert(r >= 0)", "error"},
          {"sub_group_shuffle_xor(i, 32); assert(r >= 0)", "error"},
          {"sub_group_shuffle_xor(i, 5); assert(r == (i ^ 5))", "pass"},
          {"sub_group_broadcast(i, 31); assert(r == 31)", "pass"}},
         {"--grid", "1", "--block", "32"});
}

TEST_CASE(
    "kernel/open_results: HLSL's scans stop short of their lane, and remainders have one sign") {
  if (!headway::testing::compiles_shaders()) return;
  expect("a.hlsl", "RWStructuredBuffer<uint> a;\n",
         "[numthreads(32, 1, 1)] void k{0}(uint t : SV_GroupIndex) {{\n"
         "  const int none = int(t / 64); if (!({1})) a[0] = t; }}\n",
         {{"WavePrefixSum(1u) == t", "pass"},
          {"WavePrefixProduct(2u) == 1u << t", "pass"},
          {"WavePrefixCountBits(true) == t", "pass"},
          {"WaveActiveSum(1u) == 32u", "pass"},
          {"-7 % (4 + none) == 1 || -7 % (4 + none) == -3", "unknown"},
          {"-7 % (-4 - none) == -3", "pass"},
          {"min(0.0 / float(none), 1.0) == 1.0", "pass"}},
         {"--groups", "1"});
}

TEST_CASE("kernel/open_results: functions of GLSL that are not said to be exact") {
  if (!headway::testing::compiles_shaders()) return;
  for (const SaidOfClaim& one : std::vector<SaidOfClaim>{
           {"fma(one + 0.000244140625, one + 0.000244140625, -1.00048828125) > 0.0", "unknown"},
           {"fma(one, 3.0, 4.0) == 7.0", "pass"},
           {"degrees(one) > 57.0", "unknown"},
           {"min(one, 0.0 / (one - one)) == one", "unknown"}}) {
    expect("k0.comp",
           "#version 450\nlayout(local_size_x = 2) in;\n"
           "layout(std430, binding = 0) buffer A { float one, a; };\n",
           "void main() {{ if (!({1})) a = float(gl_LocalInvocationIndex); }}\n", {one},
           {"--groups", "1", "--buffer", "A={1,0}"});
  }
}
