// Shaders in GLSL: sizes of images and of workgroups, and functions of reals and of bits.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/rows.hpp"
#include "support/shaders.hpp"

using headway::testing::check_rows;
using headway::testing::contains;
using headway::testing::kCheckShader;

namespace {

constexpr const char* kSized =
    "#version 450\n"
    "layout(local_size_x = 4, local_size_y = 2) in;\n"
    "layout(binding = 0) uniform sampler2D t;\n"
    "layout(binding = 2) uniform sampler2D u[2];\n"
    "layout(binding = 1) buffer A { float a[]; };\n"
    "int read(sampler2D s, ivec2 p) { return p.x < textureSize(s, 0).x ? 1 : 2; }\n"
    "void main() {\n"
    "  ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = textureSize(t, 0);\n";

constexpr const char* kOne =
    "#version 450\n"
    "layout(local_size_x = 2) in;\n"
    "layout(binding = 0) buffer A { uint a[]; };\n"
    "layout(binding = 1) buffer F { float f[]; };\n"
    "layout(push_constant) uniform P { vec4 v; vec4 w; mat3 m; uint n; };\n"
    "void main() {\n"
    "  uint i = gl_LocalInvocationID.x;\n";

}  // namespace

TEST_CASE("kernel/spirv/glsl: the size of an image is unknown and the same for all threads") {
  if (!headway::testing::compiles_shaders()) return;
  const auto text = [](const char* body) { return kSized + std::string(body) + "}\n"; };
  const std::string guarded = text(
      "  if (p.x >= s.x || p.y >= s.y) return;\n  a[p.y * s.x + p.x] = texelFetch(t, p, 0).r;\n");
  const std::string open = text("  a[p.y * s.x + p.x] = p.x;\n");
  const std::string same =
      text("  if (textureSize(t, 0) != s || textureQueryLevels(t) < 1) a[0] = p.x;\n");
  const std::string other = text("  if (textureSize(u[0], 0) != s) a[0] = p.x;\n");
  const std::string level = text("  if (textureSize(t, 1) != s) a[0] = p.x;\n");
  const std::string twice =
      text("  if (textureSize(u[1], 0) != textureSize(u[1], 0)) a[0] = p.x;\n");
  const std::string called = text("  if (read(t, p) == 1 && p.x >= s.x) a[0] = p.x;\n");
  const std::string negative = text("  if (s.x <= 0) a[0] = p.x;\n");
  const char* verify = "verify FILE";
  check_rows(
      {{"a.comp", guarded.c_str(), verify, ",race,verified"},
       {"a.comp", guarded.c_str(),
        "check FILE --groups 1 -m fair --arg t.size.x=3 --arg t.size.y=2", ",pass", ",error"},
       {"a.comp", guarded.c_str(), "verify FILE", "images have 1 to 32768 texels a side"},
       {"a.comp", open.c_str(), verify, ",race,", ",race,verified"},
       {"a.comp", same.c_str(), verify, ",race,verified"},
       {"a.comp", other.c_str(), verify, ",race,", ",race,verified"},
       {"a.comp", level.c_str(), verify, ",race,", ",race,verified"},
       {"a.comp", twice.c_str(), verify, ",race,verified"},
       {"a.comp", called.c_str(), verify, ",race,verified"},
       {"a.comp", negative.c_str(), verify, ",race,verified"}});
}

TEST_CASE("kernel/spirv/glsl: functions of reals are functions of their operands") {
  if (!headway::testing::compiles_shaders()) return;
  const char* verify = "verify FILE --grid 1";
  const char* functions[] = {
      "packUnorm4x8(v)",
      "packSnorm4x8(v)",
      "packHalf2x16(v.xy)",
      "packUnorm2x16(v.zw)",
      "packSnorm2x16(v.zw)",
      "floatBitsToUint(unpackUnorm4x8(n).z)",
      "floatBitsToUint(unpackSnorm4x8(n).x)",
      "floatBitsToUint(unpackHalf2x16(n).y)",
      "floatBitsToUint(unpackUnorm2x16(n).y)",
      "floatBitsToUint(unpackSnorm2x16(n).y)",
      "floatBitsToUint(reflect(v, w).y)",
      "floatBitsToUint(refract(v, w, 0.5).w)",
      "floatBitsToUint(faceforward(v, w, v).x)",
      "floatBitsToUint(determinant(m))",
      "floatBitsToUint(inverse(m)[1][2])",
  };
  for (const char* function : functions) {
    // Equal for all threads, and unknown.
    const std::string same = kOne + fmt::format("  if ({0} != {0}) a[0] = i;\n}}\n", function);
    const std::string unknown = kOne + fmt::format("  if ({0} == 3) a[0] = i;\n}}\n", function);
    check_rows({{"a.comp", same.c_str(), verify, ",race,verified"},
                {"a.comp", unknown.c_str(), verify, ",race,", ",race,verified"}});
  }
  const std::string both =
      kOne + std::string(
                 "  int e, g; float x = frexp(v.x, e), y = frexp(v.x, g);\n"
                 "  float whole, part = modf(v.y, whole);\n"
                 "  if (e != g || floatBitsToUint(x) != floatBitsToUint(y)) a[0] = i;\n"
                 "  f[i] = part;\n}\n");
  check_rows({{"a.comp", both.c_str(), verify, ",race,verified"}});
}

TEST_CASE("kernel/spirv/glsl: messages name bits that there are not, and fences that are missing") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string taken =
      kOne + std::string("  a[bitfieldExtract(a[i + 8], int(n), 4)] = 1;\n}\n");
  const std::string set =
      kOne + std::string("  a[bitfieldInsert(0u, a[i + 8], int(n), 4)] = 1;\n}\n");
  const std::string shifted = kOne + std::string("  a[1u << n] = 1;\n}\n");
  const auto handed = [](const char* barrier) {
    return kOne + std::string("  a[i] = i;\n") + barrier + "\n  f[i] = a[i ^ 1u];\n}\n";
  };
  const std::string front = handed("  memoryBarrierBuffer(); barrier();");
  const std::string behind = handed("  barrier(); memoryBarrierBuffer();");
  const std::string both = handed("  memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();");
  const std::string none = handed("  barrier();");
  const char* large = "check FILE --groups 1 -m fair --arg n=31";
  const char* shift = "check FILE --groups 1 -m fair --arg n=32";
  const char* beyond = "bits that are taken or set beyond the width of a number (bitfieldExtract";
  const char* alone = "orders memory of the workgroup alone";
  check_rows(
      {{"a.comp", taken.c_str(), large, beyond},
       {"a.comp", set.c_str(), shift, beyond},
       {"a.comp", shifted.c_str(), shift, "a shift by as many bits as there are", "bitfield"},
       {"a.comp", front.c_str(), kCheckShader,
        "alone: a fence stands in front of it, and none behind it"},
       {"a.comp", behind.c_str(), kCheckShader,
        "alone: a fence stands behind it, and none in front of it"},
       {"a.comp", front.c_str(), "verify FILE --grid 1",
        "alone: a fence stands in front of it, and none behind it"},
       {"a.comp", both.c_str(), kCheckShader, ",pass", alone},
       {"a.comp", none.c_str(), kCheckShader, alone, "a fence stands"}});
}

TEST_CASE("kernel/spirv/glsl: a size of workgroups has the default of the declared constant") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string text =
      "#version 450\nlayout(local_size_x_id = 0) in;\n"
      "layout(constant_id = 0) const uint N = 4;\n"
      "layout(binding = 0) buffer A { uint a[]; };\n"
      "void main() { a[gl_LocalInvocationID.x / (N / 2)] = gl_LocalInvocationID.x; }\n";
  const std::string two =
      "#version 450\nlayout(local_size_x = 8, local_size_x_id = 0) in;\n"
      "layout(constant_id = 0) const uint N = 4;\n"
      "layout(binding = 0) buffer A { uint a[]; };\n"
      "void main() { a[gl_LocalInvocationID.x] = N; }\n";
  check_rows({{"a.comp", text.c_str(), kCheckShader, ",error"},
              {"a.comp", text.c_str(), kCheckShader, "specialization constant 0 is 4, its default",
               "is 1, its default"},
              {"a.comp", text.c_str(), "check FILE --groups 1 -m fair --spec 0=2", ",pass"},
              {"a.comp", two.c_str(), kCheckShader,
               "specialization constant 0 with several defaults; --spec 0=N says which"},
              {"a.comp", two.c_str(), "check FILE --groups 1 -m fair --spec 0=2", ",pass"}});
}

TEST_CASE("kernel/spirv/glsl: plain sizes are also those in blocks of uniform data") {
  if (!headway::testing::compiles_wgsl()) return;
  check_rows({{"a.wgsl",
               "struct P { width: u32 }\n@group(0) @binding(0) var<uniform> p: P;\n"
               "@group(0) @binding(1) var<storage, read_write> a: array<f32>;\n"
               "@compute @workgroup_size(8, 8)\n"
               "fn main(@builtin(global_invocation_id) g: vec3u) {\n"
               "  if (g.x >= p.width) { return; }\n  a[g.y * p.width + g.x] *= 2.0;\n}\n",
               "verify FILE --timeout 60", "verified where p.width is 0 to 4096"}});
}

TEST_CASE(
    "kernel/spirv/glsl: files are read as other compilers read them, with lines of their own") {
  if (!headway::testing::compiles_shaders()) return;
  const headway::testing::TemporaryFolder folder;
  folder.write("parts.glsl", "uint twice(uint x) { return 2u * x; }\n");
  const auto said = [&](const char* name, const std::string& text) {
    const auto result =
        headway::testing::headway({"verify", folder.write(name, text).string(), "--format", "csv"});
    return result.out + result.err;
  };
  const std::string ends = "  uint i = gl_GlobalInvocationID.x;\n  b[i] = twice(i);\n}\n";
  const auto including = [&](const std::string& before, const std::string& version) {
    return before + version +
           "\n#include \"parts.glsl\"\nlayout(local_size_x = 4) in;\n"
           "layout(std430, binding = 0) buffer B { uint b[]; };\nvoid main() {\n" +
           ends;
  };
  CHECK(contains(said("a.comp", including("", "#version 450")), ",race,verified"));
  CHECK(contains(said("b.comp", including("", "#version 310 es")), ",race,verified"));
  CHECK(contains(said("c.glsl", including("#[compute]\n", "#version 450")), ",race,verified"));
  // A message names the line of the file.
  std::string wrong = including("#[compute]\n", "#version 450");
  wrong.insert(wrong.find("twice(i)"), "un");
  CHECK(contains(said("d.comp", wrong), "d.comp:8: 'untwice'"));
  std::string races = including("", "#version 450");
  races.insert(races.find("b[i]") + 2, "0 * ");
  CHECK(contains(said("e.comp", races), "line 7"));
  // OpenGL gives places to what has none.
  const std::string opengl =
      "#version 430\nlayout(local_size_x = 64) in;\nuniform uint count;\n"
      "layout(std430) buffer Data { float d[]; };\n"
      "void main() { uint i = gl_GlobalInvocationID.x; if (i < count) d[i] *= 2.0; }\n";
  CHECK(contains(said("f.comp", opengl), ",race,verified"));
  std::string open = opengl;
  open.replace(open.find("d[i]"), 4, "d[0]");
  CHECK(contains(said("g.comp", open), ",race,violated"));
  CHECK(contains(headway::testing::headway({"verify", (folder.path() / "f.comp").string()}).out,
                 "a shader for OpenGL does what it does for Vulkan"));
}

TEST_CASE("kernel/spirv/glsl: HLSL is read as other compilers read it") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string text =
      "#pragma kernel Main\nRWStructuredBuffer<unsigned int> d;\n"
      "[numthreads(64, 1, 1)] void Main(uint3 id : SV_DispatchThreadID) {\n"
      "  unsigned int j = d[id.x]; d[id.x] = j + 1; }\n";
  check_rows({{"a.hlsl", text.c_str(), "verify FILE", ",race,verified"},
              {"Sort.compute", text.c_str(), "verify FILE", ",race,verified"}});
}
