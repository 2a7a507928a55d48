// What shaders leave undefined is no number, and parts of vectors are read by themselves.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"
#include "support/shaders.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;

namespace {

std::string glsl(const std::string& body) {
  return "#version 460\nlayout(local_size_x = 1) in;\n"
         "layout(std430, binding = 0) buffer A { int a[]; };\n"
         "void main() { int zero = a[0] & 0; float x = float(zero); " +
         body + " }";
}

// With `condition` and with its negation: both may be so.
void expect_any(const std::string& declared, const std::string& condition) {
  for (const char* sign : {"", "!"}) {
    const std::string text = glsl(declared + " if (" + sign + "(" + condition + ")) for (;;);");
    check_rows({{"a.comp", text.c_str(), kCheckShader, "", ",pass"}});
  }
}

void expect(const std::string& declared, const std::string& condition) {
  const std::string text = glsl(declared + " if (!(" + condition + ")) for (;;);");
  check_rows({{"a.comp", text.c_str(), kCheckShader, ",pass"}});
}

}  // namespace

TEST_CASE("kernel/shader_values: results that GLSL leaves undefined are any value") {
  if (!headway::testing::compiles_shaders()) return;
  expect_any("uint w = 1; int o = zero - 1;", "bitfieldExtract(w, o, 4) == 0");
  expect_any("uint w = 1; int o = zero + 30;", "bitfieldInsert(w, 5u, o, 4) == 0");
  expect("uint w = 0xf0; int o = zero + 4;", "bitfieldExtract(w, o, 4) == 15");
  expect("uint w = 0; int o = zero + 28;", "bitfieldInsert(w, 5u, o, 4) == 0x50000000");
  expect("uint w = 9; int o = zero + 32;", "bitfieldExtract(w, o, 0) == 0");
  expect_any("", "clamp(5, zero + 3, zero + 2) == 2");
  expect("", "clamp(5, zero + 2, zero + 3) == 3");
  expect_any("", "clamp(x + 5, x + 3, x + 2) == 2");
  expect_any("", "smoothstep(x + 1, x + 1, x + 2) == 1");
  expect("", "smoothstep(x, x + 1, x + 2) == 1");
  expect_any("", "isinf(ldexp(x + 1, zero + 200))");
  expect("", "ldexp(x + 1, zero + 3) == 8");
}

TEST_CASE("kernel/shader_values: a component beyond the end of a vector is any value") {
  if (!headway::testing::compiles_wgsl()) return;
  const auto wgsl = [](const char* index, const char* sign) {
    return std::string(
               "@group(0) @binding(0) var<storage, read_write> a: array<i32, 4>;\n"
               "fn part(v: vec4i, i: i32) -> i32 { return v[i]; }\n"
               "@compute @workgroup_size(1)\nfn main() { let zero = a[0] & 0; let v = vec4i(9, 9, "
               "9, 9); if (") +
           sign + "(part(v, zero + " + index + ") == 9)) { loop {} } }";
  };
  for (const char* sign : {"", "!"}) {
    check_rows({{"a.wgsl", wgsl("7", sign).c_str(), kCheckShader, "", ",pass"}});
  }
  check_rows({{"a.wgsl", wgsl("3", "!").c_str(), kCheckShader, ",pass"}});
}

TEST_CASE("kernel/shader_values: HLSL's fmod goes by the sign of its first operand") {
  if (!headway::testing::compiles_shaders()) return;
  const auto hlsl = [](const char* condition) {
    return std::string(
               "RWStructuredBuffer<int> a;\n[numthreads(1, 1, 1)] void main() { float x = "
               "float(a[0] & 0); if (") +
           condition + ") for (;;); }";
  };
  // glslang says the same of `%`, which has no value there.
  check_rows({{"a.hlsl", hlsl("fmod(x - 1.5, x + 1) == 0.5").c_str(), kCheckShader, "", ",pass"},
              {"a.hlsl", hlsl("fmod(x + 5.5, x + 2) != 1.5").c_str(), kCheckShader, ",pass"},
              {"a.hlsl", hlsl("fmod(x - 5.5, x - 2) != -1.5").c_str(), kCheckShader, ",pass"}});
}

TEST_CASE("kernel/shader_values: HLSL's && and ?: take a side, with what it calls") {
  if (!headway::testing::compiles_shaders()) return;
  const auto hlsl = [](const char* functions, const char* body) {
    return std::string("RWStructuredBuffer<int> a; static int count = 0; groupshared int s[2];\n") +
           functions + "\n[numthreads(2, 1, 1)] void main(uint t : SV_GroupIndex) { " + body + " }";
  };
  const char* check = "check FILE --groups 1 -m fair --buffer a=2:zero";
  const char* refused = "does more than to compute a value";
  const char* read = "int at(int i) { i += 1; return a[i]; }";
  const char* count_up = "bool up(bool b) { ++count; return b; }";
  const char* add = "bool add(uint i) { int o; InterlockedAdd(s[0], 1, o); return true; }";
  check_rows({{"a.hlsl", hlsl(read, "bool b = a[0] == 0 || at(5) == 1; if (!b) for (;;);").c_str(),
               check, ",pass"},
              {"a.hlsl", hlsl(read, "bool b = a[0] != 0 || at(5) == 1; if (b) a[1] = 1;").c_str(),
               check, "bounds"},
              {"a.hlsl", hlsl(count_up, "bool b = a[0] != 0 && up(true); if (b) for (;;);").c_str(),
               check, refused, ",pass"},
              {"a.hlsl", hlsl(add, "bool b = t != 0 && add(t); if (!b) a[t] = 1;").c_str(), check,
               refused, ",pass"},
              {"a.hlsl", hlsl("", "int b = t == 0 ? s[t] : (s[0] = 5); a[t] = b;").c_str(), check,
               refused, ",pass"}});
}

TEST_CASE("kernel/shader_values: of vectors GLSL and HLSL read the components that they name") {
  if (!headway::testing::compiles_shaders()) return;
  const auto text = [](const char* read) {
    return std::string(
               "#version 460\nlayout(local_size_x = 2) in;\n"
               "layout(std430, binding = 0) buffer A { vec4 v; vec4 o[2]; };\n"
               "void main() { if (gl_LocalInvocationIndex == 0) v.y = 1; else ") +
           read + "; }";
  };
  const auto hlsl = [](const char* read) {
    return std::string(
               "struct S { float4 v; float4 o; }; RWStructuredBuffer<S> a;\n"
               "[numthreads(2, 1, 1)] void main(uint t : SV_GroupIndex) { if (t == 0) a[0].v.y = "
               "1; else ") +
           read + "; }";
  };
  check_rows(
      {{"a.comp", text("o[1].xy = v.xz").c_str(), kCheckShader, ",pass"},
       {"a.comp", text("o[1].xy = v.zy").c_str(), kCheckShader, "race: line", ",pass"},
       {"a.comp", text("o[1] = v").c_str(), kCheckShader, "race: line", ",pass"},
       {"a.hlsl", hlsl("a[0].o.xy = a[0].v.wx").c_str(), kCheckShader, ",pass"},
       {"a.hlsl", hlsl("a[0].o.xy = a[0].v.yx").c_str(), kCheckShader, "race: line", ",pass"}});
}
