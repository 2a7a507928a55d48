// Storage images of shaders: memory, texel by texel.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "support/rows.hpp"
#include "support/shaders.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;

namespace {

constexpr const char* kVerify = "verify FILE --grid 2";
constexpr const char* kRaces = ",race,violated";
constexpr const char* kNoRace = ",race,verified";

// Threads of a workgroup beside a flag, so that a wrong value goes on for ever.
std::string glsl(const std::string& declared, const std::string& body) {
  return "#version 460\nlayout(local_size_x = 4) in;\n" + declared +
         "\nvoid main() {\n  int t = int(gl_GlobalInvocationID.x);\n" + body + "\n}\n";
}

std::string wgsl(const std::string& declared, const std::string& body) {
  return declared +
         "\n@compute @workgroup_size(4)\n"
         "fn main(@builtin(global_invocation_id) id: vec3u) {\n  let t = id.x;\n" +
         body + "\n}\n";
}

const std::string kReals = "layout(binding = 0, rgba32f) uniform image2D img;";
const std::string kWords = "layout(binding = 1, r32ui) uniform uimage2D cells;";

void expect(const std::string& text, const char* command, const char* says,
            const char* never = "\x01") {
  check_rows({{"a.comp", text.c_str(), command, says, never}});
}

}  // namespace

TEST_CASE("kernel/shader_images: threads that access one texel race, by its coordinates") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string in_place =
      glsl(kReals, "  imageStore(img, ivec2(t, 3), imageLoad(img, ivec2(t + 1, 3)));");
  expect(in_place, kVerify, kRaces);
  expect(in_place, kCheckShader, "a read and a write of 'img(1, 3).x'");
  const std::string apart =
      glsl(kReals + "layout(binding = 2, rgba8) uniform image2D from;",
           "  imageStore(img, ivec2(t, 3), imageLoad(from, ivec2(t + 1, 3)));");
  expect(apart, kVerify, kNoRace);
  expect(apart, kCheckShader, ",pass");
  expect(glsl(kReals,
              "  imageStore(img, ivec2(t, 3), vec4(0)); imageStore(img, ivec2(t, 4), "
              "vec4(0));"),
         kVerify, kNoRace);
  expect(glsl(kReals, "  imageStore(img, ivec2(t / 2, 0), vec4(t));"), kVerify, kRaces);
  expect(glsl(kReals, "  imageStore(img, ivec2(3 * t + 40000 * (t & 1), t * t), vec4(t));"),
         kVerify, kNoRace);
}

TEST_CASE("kernel/shader_images: what is beyond an image is not written and gives any value") {
  if (!headway::testing::compiles_shaders()) return;
  expect(glsl(kReals, "  imageStore(img, ivec2(-1, 0), vec4(t));"), kVerify, kNoRace);
  expect(glsl(kReals, "  imageStore(img, ivec2(0, 32768), vec4(t));"), kVerify, kNoRace);
  expect(glsl(kReals, "  imageStore(img, ivec2(0, 32767), vec4(t));"), kVerify, kRaces);
  // A size that is asked for is where it ends.
  const std::string behind =
      glsl(kReals, "  imageStore(img, ivec2(imageSize(img).x, 0), vec4(t));");
  expect(behind, kVerify, kNoRace);
  expect(behind, "verify FILE --grid 2 --bounds", ",bounds,verified", "but for");
  expect(glsl(kReals, "  imageStore(img, imageSize(img) - 1, vec4(t));"), kVerify, kRaces);
  const std::string other =
      glsl(kReals + kWords, "  imageStore(img, ivec2(imageSize(cells).x, 0), vec4(t));");
  expect(other, kVerify, kRaces);
  const std::string handed =
      "#version 460\nlayout(local_size_x = 4) in;\n"
      "layout(binding = 0) uniform writeonly image2D img;\n"
      "ivec2 behind(writeonly image2D i) { return imageSize(i); }\n"
      "void main() { imageStore(img, behind(img), vec4(1)); }\n";
  expect(handed, kVerify, kNoRace);
  for (const char* sign : {"==", "!="}) {
    expect(glsl(kWords,
                std::string("  if (imageLoad(cells, ivec2(-1, t)).x ") + sign + " 7u) for (;;);"),
           kCheckShader, "a loop that never ends", ",pass");
  }
}

TEST_CASE("kernel/shader_images: texels of 32 bits keep what is written, others hold anything") {
  if (!headway::testing::compiles_shaders()) return;
  const auto kept = [](const std::string& format, const std::string& prefix,
                       const std::string& value, const std::string& condition) {
    return glsl("layout(binding = 0, " + format + ") uniform " + prefix + "image2D img;",
                "  imageStore(img, ivec2(t, 0), " + prefix + "vec4(" + value + "));\n  " + prefix +
                    "vec4 v = imageLoad(img, ivec2(t, 0));\n  while (!(" + condition + "));");
  };
  expect(kept("rgba32ui", "u", "1, 2, 3, 4", "v == uvec4(1, 2, 3, 4)"), kCheckShader, ",pass");
  expect(kept("rgba32f", "", "1, 2, 3, 4", "v == vec4(1, 2, 3, 4)"), kCheckShader, ",pass");
  // What a format does not have is 0, and the last component 1.
  expect(kept("rg32i", "i", "1, 2, 3, 4", "v == ivec4(1, 2, 0, 1)"), kCheckShader, ",pass");
  expect(kept("r32f", "", "7, 2, 3, 4", "v == vec4(7, 0, 0, 1)"), kCheckShader, ",pass");
  expect(kept("r32f", "", "7, 2, 3, 4", "v.y == 2"), kCheckShader, "a loop that never ends");
  expect(kept("rgba8", "", "1, 0, 0, 1", "v.x == 1"), kCheckShader, "", ",pass");
  expect(kept("rgba16f", "", "1, 0, 0, 1", "v.x == 1"), kCheckShader, "", ",pass");
}

TEST_CASE("kernel/shader_images: two writes of a texel are one only where all of them agree") {
  if (!headway::testing::compiles_shaders()) return;
  const auto writes = [](const std::string& format, const char* value) {
    return glsl("layout(binding = 0" + format + ") uniform writeonly image2D img;",
                std::string("  imageStore(img, ivec2(0), ") + value + ");");
  };
  for (const char* format : {", rgba8", ", rgba32f", ", rgba16f", ""}) {
    CAPTURE(format);
    expect(writes(format, "vec4(0, t / 2, 0, 1)"), kVerify, kRaces);
    expect(writes(format, "vec4(0, t / 2, 0, 1)"), kCheckShader, ",error");
    expect(writes(format, "vec4(0, 1, 0, 1)"), kVerify, kNoRace);
    expect(writes(format, "vec4(0, 1, 0, 1)"), kCheckShader, ",pass");
  }
  expect(writes(", r16f", "vec4(1, t / 2, 0, 1)"), kVerify, kNoRace);
}

TEST_CASE("kernel/shader_images: what nobody writes is the same for all that read it") {
  if (!headway::testing::compiles_shaders()) return;
  const auto meets = [](const char* format, const char* also) {
    return glsl(std::string("layout(binding = 0") + format + ") uniform image2D img;",
                std::string("  float v = imageLoad(img, ivec2(0)).x;\n  ") + also +
                    "\n  if (v > 0.5) barrier();");
  };
  for (const char* format : {", rgba8", ", r32f"}) {
    expect(meets(format, ""), kVerify, ",divergence,verified");
  }
  expect(meets(", r32f", "imageStore(img, ivec2(0), vec4(t));"), kVerify, ",divergence,",
         ",divergence,verified");
}

TEST_CASE("kernel/shader_images: coherence is that of the variable that is accessed") {
  if (!headway::testing::compiles_shaders()) return;
  const auto message = [](const char* manner) {
    return "#version 460\nlayout(local_size_x = 1) in;\n" + kWords +
           "layout(binding = 2, r32ui) uniform coherent uimage2D data;\n"
           "layout(binding = 2, r32ui) uniform " +
           manner +
           " uimage2D other;\nvoid main() {\n"
           "  if (gl_WorkGroupID.x == 0) {\n"
           "    imageStore(other, ivec2(0), uvec4(7)); memoryBarrierImage();\n"
           "    imageAtomicExchange(cells, ivec2(0), 1u);\n"
           "  } else if (imageAtomicOr(cells, ivec2(0), 0u) == 1) {\n"
           "    memoryBarrierImage(); if (imageLoad(data, ivec2(0)).x != 7) for (;;);\n  }\n}\n";
  };
  const char* two = "check FILE --groups 2 -m fair -f weak --buffer cells=:zero";
  expect(message("coherent"), two, ",pass");
  expect(message(""), two, ",error", ",pass");
}

TEST_CASE(
    "kernel/shader_images: one image may be declared twice, and beside a buffer of its place") {
  if (!headway::testing::compiles_shaders()) return;
  // Of which the one that writes does not say the format.
  const std::string twice = glsl(
      "layout(binding = 0) uniform writeonly image2D to;\n"
      "layout(binding = 0, rg32f) uniform readonly image2D from;",
      "  imageStore(to, ivec2(t, 0), vec4(5, 6, 7, 8));\n"
      "  while (imageLoad(from, ivec2(t, 0)) != vec4(5, 6, 0, 1));");
  expect(twice, kCheckShader, ",pass");
  const std::string races = glsl(
      "layout(binding = 0) uniform writeonly image2D to;\n"
      "layout(binding = 0, rg32f) uniform readonly image2D from;",
      "  imageStore(to, ivec2(t, 0), imageLoad(from, ivec2(t + 1, 0)));");
  expect(races, kVerify, kRaces);
  const std::string beside = glsl(kReals + "layout(binding = 0) buffer B { uint b[2]; };",
                                  "  if (t < 2) b[t] = 1; imageStore(img, ivec2(t, 7), vec4(t));");
  expect(beside, "verify FILE --grid 2 --bounds", ",bounds,verified");
  expect(beside, "verify FILE --grid 2 --bounds", kNoRace);
}

TEST_CASE("kernel/shader_images: atomic accesses of texels are those of memory") {
  if (!headway::testing::compiles_shaders()) return;
  expect(glsl(kWords, "  imageAtomicAdd(cells, ivec2(0, 0), 1u);"), kVerify, kNoRace);
  expect(glsl(kWords,
              "  imageAtomicAdd(cells, ivec2(0, 0), 1u); imageStore(cells, ivec2(0, 0), "
              "uvec4(0));"),
         kVerify, kRaces);
  const std::string waits = glsl(kWords,
                                 "  if (t == 0) imageAtomicExchange(cells, ivec2(2, 1), 1u);\n"
                                 "  else while (imageAtomicOr(cells, ivec2(2, 1), 0u) == 0);");
  expect(waits, kCheckShader, ",pass");
  expect(waits, "check FILE --groups 1 -m LOBE", ",pass");
  expect(waits, "check FILE --groups 1 -m HSA", ",pass");
  const std::string waits_for_other =
      glsl(kWords,
           "  if (t == 0) imageAtomicExchange(cells, ivec2(2, 2), 1u);\n"
           "  else while (imageAtomicOr(cells, ivec2(2, 1), 0u) == 0);");
  expect(waits_for_other, "check FILE --groups 1 -m fair --buffer cells=:zero", ",fail");
  // Beyond the image nothing is accessed.
  expect(glsl(kWords, "  imageAtomicAdd(cells, ivec2(-1), 1u);"), kCheckShader, ",pass");
}

TEST_CASE("kernel/shader_images: barriers and fences order images where they name them") {
  if (!headway::testing::compiles_shaders()) return;
  const auto handed = [](const std::string& more, const std::string& between) {
    return glsl(kWords + more, "  imageStore(cells, ivec2(t, 0), uvec4(1));\n  " + between +
                                   "\n  imageStore(cells, ivec2(t ^ 1, 0), uvec4(2));");
  };
  const char* all = "memoryBarrierImage(); barrier(); memoryBarrierImage();";
  expect(handed("", all), kVerify, kNoRace);
  expect(handed("", "memoryBarrier(); barrier(); memoryBarrier();"), kVerify, kNoRace);
  expect(handed("", "barrier();"), kVerify, kRaces);
  expect(handed("", "memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();"), kVerify, kRaces);
  expect(handed("", "memoryBarrierShared(); barrier();"), kVerify, kRaces);
  const char* read_only = "layout(binding = 4) readonly buffer B { uint b[]; };";
  const char* written = "layout(binding = 4) buffer B { uint b[]; };";
  expect(handed(read_only, all), kVerify, kNoRace);
  expect(handed(written, all), kVerify, "an order of images, not buffers, alone");
  expect(handed(written, "groupMemoryBarrier(); barrier(); groupMemoryBarrier();"), kVerify,
         kNoRace);
  // To other workgroups an image that is not coherent does not get by a flag.
  const auto message = [](const char* manner) {
    return "#version 460\nlayout(local_size_x = 1) in;\n" + kWords +
           "layout(binding = 2, r32ui) uniform " + manner +
           " uimage2D data;\nvoid main() {\n"
           "  if (gl_WorkGroupID.x == 0) {\n"
           "    imageStore(data, ivec2(0), uvec4(7)); memoryBarrierImage();\n"
           "    imageAtomicExchange(cells, ivec2(0), 1u);\n"
           "  } else if (imageAtomicOr(cells, ivec2(0), 0u) == 1) {\n"
           "    memoryBarrierImage(); if (imageLoad(data, ivec2(0)).x != 7) for (;;);\n"
           "  }\n}\n";
  };
  const char* two = "check FILE --groups 2 -m fair -f weak --buffer cells=:zero";
  expect(message("coherent"), two, ",pass");
  expect(message(""), two, ",error", ",pass");
}

TEST_CASE("kernel/shader_images: images of every shape have texels of their own") {
  if (!headway::testing::compiles_shaders()) return;
  const auto shape = [](const std::string& type, const std::string& at) {
    return glsl("layout(binding = 0, r32f) uniform " + type + " img;",
                "  imageStore(img, " + at + ", vec4(t));");
  };
  expect(shape("image1D", "t"), kVerify, kNoRace);
  expect(shape("image1D", "t / 2"), kVerify, kRaces);
  expect(shape("image1DArray", "ivec2(1, t)"), kVerify, kNoRace);
  expect(shape("image2DArray", "ivec3(1, 2, t)"), kVerify, kNoRace);
  expect(shape("image3D", "ivec3(0, t, 1)"), kVerify, kNoRace);
  expect(shape("image3D", "ivec3(0, 1, t & 1)"), kVerify, kRaces);
  expect(shape("imageCube", "ivec3(0, 0, t)"), kVerify, kNoRace);
  expect(shape("imageCube", "ivec3(0, 0, 6)"), kVerify, kNoRace);
  expect(shape("imageCube", "ivec3(0, 0, 5)"), kVerify, kRaces);
  expect(shape("imageBuffer", "t + 100000"), kVerify, kNoRace);
  expect(shape("imageBuffer", "100000"), kVerify, kRaces);
  for (const auto& [type, at] :
       {std::pair("image3D", "ivec3(0, t, 9)"), std::pair("image2DArray", "ivec3(1, 2, t)"),
        std::pair("imageCube", "ivec3(0, 0, t)"), std::pair("image2D", "ivec2(t, 32767)"),
        std::pair("imageBuffer", "t + 2000000000")}) {
    expect(shape(type, at), kCheckShader, ",pass");
  }
  expect(shape("image2DMS", "ivec2(t, 0), 1"), kVerify, "the capability StorageImageMultisample");
  const auto several = [](const std::string& one, const std::string& other) {
    return glsl("layout(binding = 0, r32f) uniform image2D img[4];",
                "  int n = t & 1; if (n == 0) imageStore(img[" + one +
                    "], ivec2(0), vec4(t)); else imageStore(img[" + other +
                    "], ivec2(0), vec4(t));");
  };
  expect(several("0", "0"), kVerify, kRaces);
  expect(several("0", "1"), kCheckShader, "of 'img_0(0, 0)'");
  expect(several("n", "1"), kVerify, "a descriptor that is chosen at run time", kRaces);
}

TEST_CASE("kernel/shader_images: Vulkan's memory model says which accesses others see") {
  if (!headway::testing::compiles_shaders()) return;
  const auto handed = [](const char* manner) {
    return "#version 460\n#extension GL_KHR_memory_scope_semantics : enable\n"
           "#pragma use_vulkan_memory_model\nlayout(local_size_x = 4) in;\n"
           "layout(binding = 1, r32ui) uniform " +
           std::string(manner) +
           " uimage2D cells;\nvoid main() {\n  int t = int(gl_LocalInvocationID.x);\n"
           "  imageStore(cells, ivec2(t, 0), uvec4(1));\n"
           "  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsImage, "
           "gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);\n"
           "  imageStore(cells, ivec2(t ^ 1, 0), uvec4(2));\n}\n";
  };
  const char* one = "verify FILE --grid 1";
  expect(handed("workgroupcoherent"), one, kNoRace);
  expect(handed("nonprivate"), one, kNoRace);
  expect(handed(""), kCheckShader, ",error");
}

TEST_CASE("kernel/shader_images: WGSL and HLSL have the same images") {
  if (headway::testing::compiles_wgsl()) {
    const std::string cells =
        "@group(0) @binding(0) var cells: texture_storage_2d<r32uint, read_write>;";
    const auto handed = [&](const char* barrier) {
      return wgsl(cells, std::string("  textureStore(cells, vec2u(t, 0), vec4u(1));\n  ") +
                             barrier + "\n  textureStore(cells, vec2u(t ^ 1, 0), vec4u(2));");
    };
    const std::string ordered = handed("textureBarrier();"), open = handed("storageBarrier();");
    const std::string filled =
        wgsl("@group(0) @binding(0) var to: texture_storage_2d<rgba8unorm, write>;",
             "  textureStore(to, vec2u(t, 0), vec4f(1));");
    check_rows({{"a.wgsl", ordered.c_str(), kVerify, kNoRace},
                {"a.wgsl", open.c_str(), kVerify, kRaces},
                {"a.wgsl", filled.c_str(), kVerify, kNoRace},
                {"a.wgsl", filled.c_str(), kCheckShader, ",pass"}});
  }
  if (!headway::testing::compiles_shaders()) return;
  const auto hlsl = [](const std::string& body) {
    return "RWTexture2D<uint> cells : register(u0);\nRWTexture2D<float4> img : register(u1);\n"
           "[numthreads(4, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {\n" +
           body + "}\n";
  };
  const std::string counts = hlsl("  uint old; InterlockedAdd(cells[uint2(0, 0)], 1, old);\n");
  const std::string races = hlsl("  cells[uint2(0, 0)] += 1;\n");
  const std::string blurs = hlsl("  img[id.xy] = img[id.xy + uint2(1, 0)];\n");
  const std::string ordered = hlsl(
      "  cells[id.xy] = 1; AllMemoryBarrierWithGroupSync(); cells[uint2(id.x ^ 1, id.y)] = 2;\n");
  check_rows({{"a.hlsl", counts.c_str(), kVerify, kNoRace},
              {"a.hlsl", races.c_str(), kVerify, kRaces},
              {"a.hlsl", blurs.c_str(), kVerify, kRaces},
              {"a.hlsl", ordered.c_str(), kVerify, kNoRace}});
}

TEST_CASE("kernel/shader_images: texels and sizes of images are not given as those of buffers") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string text = glsl(kReals, "  imageStore(img, ivec2(t, 0), vec4(imageSize(img).x));");
  for (const char* command : {"check FILE --groups 1 -m fair --buffer img=4",
                              "check FILE --groups 1 -m fair --buffer img={1,2}",
                              "verify FILE --bounds --buffer img=4"}) {
    expect(text, command, "'img' is an image; expected 'img=:zero' or 'img=:unknown'");
  }
  expect(text, "check FILE --groups 1 -m fair --buffer img=:zero --arg img.size.x=4", ",pass");
}
