// The shaders in litmus/shaders come in twos; cli/check holds the verdicts that they expect.
#include "support/shaders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "kernel/test/sources.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

std::vector<fs::path> shader_files() {
  std::vector<fs::path> result;
  for (const auto& entry :
       fs::directory_iterator(headway::testing::source_dir() / "litmus/shaders")) {
    if (entry.path().extension() == ".comp") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// What `headway check` says of a shader.
headway::testing::CommandResult check_shader(const std::string& name, const std::string& text,
                                             std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  more.insert(more.begin(), {"--format", "csv", "-m", "fair", folder.write(name, text).string()});
  return headway::testing::check(more);
}

}  // namespace

TEST_CASE("kernel/shaders: each has a broken twin and a row in the table, and a kernel beside it") {
  const auto files = shader_files();
  CHECK(files.size() >= 36);
  const std::string table =
      headway::read_file(headway::testing::source_dir() / "litmus/shaders/README.md");
  for (const fs::path& file : files) {
    CAPTURE(file.string());
    const std::string stem = file.stem();
    const bool broken = stem.ends_with("-broken");
    const std::string right = broken ? stem.substr(0, stem.size() - 7) : stem;
    CHECK(fs::exists(file.parent_path() / (broken ? right + ".comp" : stem + "-broken.comp")));
    CHECK(contains(headway::read_file(file), "// Broken") == broken);
    CHECK(contains(table, "(" + file.filename().string() + ")"));
    CHECK(fs::exists(headway::testing::source_dir() / "litmus/kernels" / (stem + ".cl")));
  }
}

TEST_CASE("kernel/shaders: what GLSL can say gives what it should") {
  if (!headway::testing::compiles_shaders()) return;
  std::string text =
      headway::read_file(headway::testing::source_dir() / "tests/data/shaders/features.comp");
  CHECK(contains(check_shader("a.comp", text).out, "pass"));
  // And the checks in it can fail.
  for (const char* wrong : {"fact(5) == 121", "bal, 1) == false", "sh[0].tail == 8"}) {
    std::string right = wrong;
    CAPTURE(right);
    const std::string other = text;
    const auto replaced = [&](std::string from, const std::string& to) {
      std::string result = other;
      const auto at = result.find(from);
      REQUIRE(at != std::string::npos);
      return result.replace(at, from.size(), to);
    };
    const std::string changed = right.starts_with("fact")  ? replaced("fact(5) == 120", wrong)
                                : right.starts_with("bal") ? replaced("bal, 2) == false", wrong)
                                                           : replaced("sh[0].tail == 9", wrong);
    CHECK(contains(check_shader("a.comp", changed).out, "error"));
  }
}

TEST_CASE("kernel/shaders: what glslang complains of is told at its place") {
  if (!headway::testing::compiles_shaders()) return;
  const auto result = check_shader("a.comp", "#version 450\nvoid main() { x = 1; }\n");
  CHECK(result.status == 2);
  CHECK(contains(result.err, "a.comp:2:"));
  CHECK(contains(result.err, "undeclared identifier"));
  const auto hlsl = check_shader("a.hlsl", "[numthreads(1,1,1)] void main() { x = 1; }\n");
  CHECK(hlsl.status == 2);
  CHECK(contains(hlsl.err, "HLSL in part"));
}

TEST_CASE("kernel/shaders: a missing glslang is told, with its package") {
  if (!headway::kernel::reads_shaders()) return;
  const TemporaryFolder folder;
  headway::testing::CommandOptions options;
  options.environment["PATH"] = folder.path().string();
  const auto file = folder.write("a.comp", "#version 450\nvoid main() {}\n");
  const auto result = headway::testing::check({file.string()}, options);
  CHECK(result.status == 2);
  CHECK(contains(result.err, "glslang-tools"));
}

TEST_CASE("kernel/shaders: HLSL has the verdicts of GLSL") {
  if (!headway::testing::compiles_shaders()) return;
  const auto text = [](const std::string& between) {
    return "RWStructuredBuffer<uint> values : register(u0);\ngroupshared uint part[4];\n"
           "[numthreads(4, 1, 1)]\nvoid main(uint3 id : SV_GroupThreadID) {\n"
           "  part[id.x] = id.x;\n  " +
           between + "\n  values[id.x] = part[3 - id.x];\n}\n";
  };
  CHECK(contains(check_shader("a.hlsl", text("GroupMemoryBarrierWithGroupSync();")).out, "pass"));
  CHECK(contains(check_shader("a.hlsl", text("")).out, "error"));
}

TEST_CASE("kernel/shaders: specialization sizes workgroups, and names constants that there are") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string text =
      "#version 450\nlayout(local_size_x_id = 3) in;\n"
      "layout(constant_id = 7) const uint places = 4;\n"
      "layout(set = 0, binding = 0) buffer B { uint data[]; } b;\n"
      "void main() { b.data[gl_LocalInvocationID.x % places] = gl_LocalInvocationID.x; }\n";
  CHECK(contains(check_shader("a.comp", text, {"--spec", "3=4"}).out, "pass"));
  CHECK(contains(check_shader("a.comp", text, {"--spec", "3=5"}).out, "error"));
  CHECK(contains(check_shader("a.comp", text, {"--spec", "3=5", "--spec", "7=5"}).out, "pass"));
  const auto missing = check_shader("a.comp", text, {"--spec", "8=5"});
  CHECK(missing.status == 2);
  CHECK(contains(missing.err, "no specialization constant 8"));
  // A size that is asked for is given to them, unless one was given by its number.
  CHECK(contains(check_shader("a.comp", text, {"--block", "4"}).out, "pass"));
  CHECK(contains(check_shader("a.comp", text, {"--block", "5"}).out, "error"));
  CHECK(check_shader("a.comp", text, {"--spec", "3=4", "--block", "9"}).status == 2);
}

TEST_CASE("kernel/shaders: an array is as long as its buffer") {
  if (!headway::testing::compiles_shaders()) return;
  const std::string text =
      "#version 450\nlayout(local_size_x = 4) in;\n"
      "layout(set = 0, binding = 0) buffer B { uint head; uint data[]; } b;\n"
      "void main() { uint i = gl_LocalInvocationID.x; if (i < b.data.length()) b.data[i] = i; }\n";
  CHECK(contains(check_shader("a.comp", text, {"--groups", "1", "--buffer", "b=3"}).out, "pass"));
  CHECK(contains(check_shader("a.comp", text, {"--groups", "1"}).out, "pass"));
  std::string beyond = text;
  beyond.replace(beyond.find("i < b.data.length()"), 19, "i <= b.data.length()");
  CHECK(
      contains(check_shader("a.comp", beyond, {"--groups", "1", "--buffer", "b=3"}).out, "error"));
  // Where nobody says how long it is, it ends where the shader is told so.
  for (const char* length : {"b.length=2", "b.length=unknown(0..9)", "b.length=unknown"}) {
    CAPTURE(length);
    const CommandResult result = check_shader("a.comp", beyond, {"--groups", "1", "--arg", length});
    CHECK(contains(result.out, "error"));
    CHECK(contains(result.err, "a write of 'b' beyond its length"));
    CHECK(contains(check_shader("a.comp", text, {"--groups", "1", "--arg", length}).out, "pass"));
  }
  CHECK(contains(check_shader("a.comp", beyond, {"--groups", "1", "--arg", "b.length=4"}).out,
                 "pass"));
}

TEST_CASE("kernel/shaders: a fence behind a barrier takes over what was seen before it") {
  if (!headway::testing::compiles_shaders()) return;
  const auto text = [](const std::string& fence) {
    return "#version 450\n#extension GL_KHR_memory_scope_semantics : require\n"
           "layout(local_size_x = 2) in;\n"
           "layout(set = 0, binding = 0) buffer F { uint flag; } f;\n"
           "layout(set = 0, binding = 1) coherent buffer D { uint data; uint got; } d;\n"
           "void main() {\n  bool first = gl_LocalInvocationID.x == 0, seen = false;\n"
           "  if (gl_WorkGroupID.x == 0 && first) {\n    d.data = 1;\n"
           "    memoryBarrierBuffer();\n    atomicStore(f.flag, 1u, gl_ScopeDevice, 0, 0);\n  }\n"
           "  if (gl_WorkGroupID.x == 1 && first) seen = atomicLoad(f.flag, gl_ScopeDevice, 0, 0) "
           "== 1;\n  barrier();\n  if (seen) {\n    " +
           fence + "\n    d.got = d.data;\n  }\n}\n";
  };
  CHECK(contains(check_shader("a.comp", text("memoryBarrierBuffer();")).out, "pass"));
  CHECK(contains(check_shader("a.comp", text("")).out, "error"));
}

TEST_CASE("kernel/shaders: verify proves shaders, and finds what is wrong with them") {
  if (!headway::testing::compiles_shaders()) return;
  const auto verify = [](const char* name) {
    headway::testing::CommandOptions options;
    options.folder = headway::testing::source_dir();
    return headway::testing::headway(
        {"verify", "--format", "csv", std::string("litmus/shaders/") + name + ".comp"}, options);
  };
  CHECK(verify("vector-add").status == 0);
  CHECK(verify("stencil").status == 0);
  CHECK(contains(verify("transpose-broken").out, "race,violated"));
}
