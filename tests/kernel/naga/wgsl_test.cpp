// Shaders in WGSL: what is read has the verdicts that WGSL's text gives it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"
#include "support/texts.hpp"

namespace fs = std::filesystem;
using headway::testing::CommandResult;
using headway::testing::compiles_wgsl;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// What ctest takes for a test that was skipped (tests/CMakeLists.txt).
bool left_out() {
  if (compiles_wgsl()) return false;
  MESSAGE("WGSL is left out: there is no naga, or no node");
  return true;
}

CommandResult run_on(const std::string& command, const std::string& text,
                     std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  folder.write("a.wgsl", text);
  more.insert(more.begin(), {command, "a.wgsl"});
  return headway::testing::headway(more, headway::testing::in(folder.path()));
}

CommandResult check_wgsl(const std::string& text, std::vector<std::string> more = {}) {
  const auto lacks = [&](const char* option) {
    return std::find(more.begin(), more.end(), option) == more.end();
  };
  if (lacks("--groups")) more.insert(more.end(), {"--groups", "2"});
  if (lacks("-m")) more.insert(more.end(), {"-m", "fair"});
  more.insert(more.end(), {"--format", "csv"});
  return run_on("check", text, more);
}

const std::string kData = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n";
const std::string kMain =
    "@compute @workgroup_size(2)\n"
    "fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) w: vec3u,\n"
    "        @builtin(global_invocation_id) g: vec3u) {\n";

// Of one thread, that it ends for ever where a condition does not hold.
std::string holds(const std::string& before, const std::string& condition) {
  return "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n" +
         std::string("@group(0) @binding(1) var<storage, read_write> never: atomic<u32>;\n") +
         "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3u) {\n" + before +
         "if (!(" + condition + ")) { loop { if (atomicLoad(&never) == 1) { break; } } }\n}\n";
}
bool is_so(const std::string& before, const std::string& condition,
           const std::vector<std::string>& buffers = {"data=8:zero", "never=1:zero"}) {
  std::vector<std::string> more = {"--groups", "1"};
  for (const std::string& buffer : buffers) more.insert(more.end(), {"--buffer", buffer});
  const CommandResult result = check_wgsl(holds(before, condition), more);
  CAPTURE(result.err);
  CHECK((contains(result.out, "weak,pass") || contains(result.out, "weak,fail")));
  return contains(result.out, "weak,pass");
}

}  // namespace

TEST_CASE("kernel/naga/wgsl: the twins of GLSL's shaders have their verdicts") {
  if (left_out()) return;
  int count = 0;
  for (const auto& entry :
       fs::directory_iterator(headway::testing::source_dir() / "litmus/shaders")) {
    if (entry.path().extension() != ".wgsl") continue;
    CAPTURE(entry.path().string());
    ++count;
    // What cli/check holds each to is what is expected of the other one, too, but for the names.
    const auto expectations = [](const fs::path& file) {
      const std::string text = headway::read_file(file);
      const auto begin = text.find("expect ");
      return text.substr(begin, text.find('\n', begin) - begin);
    };
    fs::path other = entry.path();
    std::string theirs = expectations(other.replace_extension(".comp"));
    if (const auto at = theirs.find("Vulkan"); at != std::string::npos) {
      theirs.replace(at, 6, "WebGPU");
    }
    CHECK(expectations(entry.path()) == theirs);
    const std::string text = headway::read_file(entry.path());
    CHECK(contains(text, "// Broken") == contains(entry.path().string(), "-broken."));
  }
  CHECK(count == 30);
}

TEST_CASE("kernel/naga/wgsl: verify answers of WGSL as of GLSL") {
  if (left_out()) return;
  const auto verify = [](const std::string& name) {
    headway::testing::CommandOptions options;
    options.folder = headway::testing::source_dir();
    return headway::testing::headway({"verify", "--format", "csv", "litmus/shaders/" + name},
                                     options);
  };
  CHECK(verify("vector-add.wgsl").status == 0);
  CHECK(verify("reduce-tree.wgsl").status == 0);
  CHECK(contains(verify("transpose-broken.wgsl").out, "race,violated"));
  CHECK(contains(verify("reduce-tree-broken.wgsl").out, "divergence,violated"));
}

TEST_CASE(
    "kernel/naga/wgsl: places are lines of the file, of statements that are on several, too") {
  if (left_out()) return;
  const auto race = check_wgsl(kData + kMain + "  data[\n    t] = g.x;\n}\n");  // line 5
  CHECK(contains(race.err, "line 5"));
  const auto looped =
      check_wgsl(kData + "fn put(at: u32, value: u32) {\n  data[at] = value;\n}\n" + kMain +
                 "  for (var i = 0u;\n    i < 2; i++) {\n    put(i, g.x);\n  }\n}\n");
  CHECK(contains(looped.err, "line 3"));
  const auto behind_else =
      check_wgsl(kData + kMain +
                     "  if (w.x > 5) {\n    data[7] = 1;\n  }\n  else if (data[t] == 1) "
                     "{\n    data[t] = 2 + w.x;\n  }\n}\n",
                 {"--buffer", "data={1,1,1,1,1,1,1,1}"});
  CHECK(contains(behind_else.err, "line 8"));
  CHECK(contains(behind_else.err, "line 9"));
}

TEST_CASE("kernel/naga/wgsl: barriers order the memory that they name, within a workgroup") {
  if (left_out()) return;
  const auto tile = [](const std::string& barrier) {
    return check_wgsl(kData + "var<workgroup> tile: array<u32, 2>;\n" + kMain +
                      "  tile[t] = 1;\n  " + barrier + "\n  data[g.x] = tile[1 - t];\n}\n");
  };
  CHECK(contains(tile("workgroupBarrier();").out, "weak,pass"));
  CHECK(contains(tile("storageBarrier();").out, "weak,error"));
  CHECK(contains(tile("").out, "weak,error"));
  const auto buffer = [](const std::string& barrier, const std::string& from) {
    return check_wgsl(kData + kMain + "  data[g.x] = 1;\n  " + barrier + "\n  let x = data[" +
                      from + "];\n  workgroupBarrier(); storageBarrier();\n  data[g.x] = x;\n}\n");
  };
  CHECK(contains(buffer("storageBarrier();", "g.x ^ 1").out, "weak,pass"));
  CHECK(contains(buffer("workgroupBarrier();", "g.x ^ 1").out, "weak,error"));
  CHECK(contains(buffer("storageBarrier();", "3 - g.x").out, "weak,error"));
}

TEST_CASE("kernel/naga/wgsl: a barrier and an atomic publish nothing to other workgroups") {
  if (left_out()) return;
  // naga gives storageBarrier() the scope of the device, with which this would be no race.
  const auto result = check_wgsl(
      kData + "@group(0) @binding(1) var<storage, read_write> flag: atomic<u32>;\n" + kMain +
          "  if (w.x == 0) {\n    data[t] = 1;\n    storageBarrier();\n    atomicStore(&flag, 1);\n"
          "  } else {\n    let seen = atomicLoad(&flag);\n    storageBarrier();\n"
          "    if (seen == 1) { data[t] = 2; }\n  }\n}\n",
      {"--buffer", "flag=1:zero", "--buffer", "data=2:zero"});
  CHECK(contains(result.out, "weak,error"));
  CHECK(contains(result.err, "race"));
}

TEST_CASE("kernel/naga/wgsl: workgroup variables are zero before any thread starts") {
  if (left_out()) return;
  const std::string text =
      kData + "struct S { a: u32, b: atomic<u32> }\nvar<workgroup> s: S;\n" +
      "@group(0) @binding(1) var<storage, read_write> never: atomic<u32>;\n" + kMain +
      "  if (s.a + atomicLoad(&s.b) != 0) { loop { if (atomicLoad(&never) == 1) { break; } } }\n"
      "}\n";
  CHECK(contains(check_wgsl(text, {"--buffer", "never=1:zero", "-m", "unfair"}).out, "weak,pass"));
  // No thread waits for another one to write that: where none is promised to go on, all end.
  const auto lonely = check_wgsl(
      "var<workgroup> x: u32;\n" + kData + kMain + "  data[g.x] = x;\n}\n", {"-m", "unfair"});
  CHECK(contains(lonely.out, "weak,pass"));
  const auto steps =
      run_on("check", "var<workgroup> x: u32;\n" + kData + kMain + "  data[g.x] = x;\n}\n");
  CHECK(contains(steps.out, " 1 state"));
  // What the author writes stays, also where it is the same.
  const auto raced = check_wgsl("var<workgroup> x: u32;\n" + kData + kMain +
                                "  if (t == 0) {\n    x = u32();\n  }\n  data[g.x] = x;\n}\n");
  CHECK(contains(raced.out, "weak,error"));
}

TEST_CASE("kernel/naga/wgsl: a uniform load meets before and behind") {
  if (left_out()) return;
  const auto text = [](const std::string& load) {
    return kData + "var<workgroup> x: u32;\n" + kMain +
           "  if (t == 0) { x = 5; }\n  let y = " + load +
           ";\n  if (t == 1) { x = 6; }\n  data[g.x] = y;\n}\n";
  };
  CHECK(contains(check_wgsl(text("workgroupUniformLoad(&x)")).out, "weak,pass"));
  CHECK(contains(check_wgsl(text("x")).out, "weak,error"));
}

TEST_CASE(
    "kernel/naga/wgsl: atomics compute what they say, and a weak exchange is taken to be strong") {
  if (left_out()) return;
  const std::string a = "atomicStore(&never, 6);\n";
  const std::string now = "let now = atomicLoad(&never); atomicStore(&never, 0);\n";
  const auto gives = [&](const std::string& operation, const std::string& condition) {
    return is_so(a + operation + now, condition);
  };
  CHECK(gives("let old = atomicAdd(&never, 3);", "old == 6 && now == 9"));
  CHECK(gives("let old = atomicSub(&never, 3);", "old == 6 && now == 3"));
  CHECK(gives("let old = atomicMax(&never, 9);", "old == 6 && now == 9"));
  CHECK(gives("let old = atomicMin(&never, 3);", "old == 6 && now == 3"));
  CHECK(gives("let old = atomicAnd(&never, 3);", "old == 6 && now == 2"));
  CHECK(gives("let old = atomicOr(&never, 1);", "old == 6 && now == 7"));
  CHECK(gives("let old = atomicXor(&never, 3);", "old == 6 && now == 5"));
  CHECK(gives("let old = atomicExchange(&never, 8);", "old == 6 && now == 8"));
  CHECK(gives("let r = atomicCompareExchangeWeak(&never, 6, 8);",
              "r.exchanged && r.old_value == 6 && now == 8"));
  CHECK(gives("let r = atomicCompareExchangeWeak(&never, 5, 8);",
              "!r.exchanged && r.old_value == 6 && now == 6"));
  CHECK_FALSE(gives("let old = atomicAdd(&never, 3);", "old == 7"));
  const auto weak = run_on("check", holds("_ = atomicCompareExchangeWeak(&never, 6, 8);", "true"));
  CHECK(contains(headway::testing::unfolded(weak.err),
                 "atomicCompareExchangeWeak fails only where values differ"));
}

TEST_CASE("kernel/naga/wgsl: arithmetic is WGSL's where SPIR-V leaves it open") {
  if (left_out()) return;
  const std::vector<std::string> buffers = {"data={33,0,7}", "never=1:zero"};
  const auto gives = [&](const std::string& before, const std::string& condition) {
    return is_so(before, condition, buffers);
  };
  // A shift takes the amount modulo the width, and a division by zero gives its left operand.
  CHECK(gives("", "(1u << data[0]) == 2"));
  CHECK(gives("", "(8u >> data[0]) == 4"));
  CHECK(gives("", "data[2] / data[1] == 7 && data[2] % data[1] == 0"));
  CHECK(gives("var v = vec2u(data[2], data[0]); let p = &v; (*p).y += 1;", "v.y == 34"));
  CHECK(gives(
      "var s = 0; for (var i = 0; i < 9; i++) { if (i == 2) { continue; } s += i; if (i == 4) "
      "{ break; } }",
      "s == 8"));
  CHECK(gives("var s = 0; loop { s++; continuing { break if s == 3; } }", "s == 3"));
  CHECK(gives("var s = 0; switch data[2] { case 1, 2: { s = 1; } case 7 { s = 2; } default { } }",
              "s == 2"));
  CHECK(gives("", "arrayLength(&data) == 3"));
  CHECK_FALSE(gives("", "arrayLength(&data) == 4"));
}

TEST_CASE("kernel/naga/wgsl: indices are as they are written, clamped or not") {
  if (left_out()) return;
  const auto stores = [](const std::string& index) {
    return check_wgsl(kData + kMain + "  data[" + index + "] = g.x;\n}\n", {"--buffer", "data=2"});
  };
  // The author's own clamp lets several threads meet in the last element.
  CHECK(contains(stores("min(g.x, arrayLength(&data) - 1)").err, "race"));
  // WGSL has a device do one of several things there, none of which anybody asks for.
  CHECK(contains(stores("g.x").out, "weak,error"));
  CHECK(contains(stores("g.x").err, "bounds: line 5"));
  CHECK(contains(stores("g.x & 1").err, "race"));
  // A buffer has an element at least.
  const auto last = check_wgsl(kData +
                                   "@compute @workgroup_size(1) fn main() {\n"
                                   "  data[arrayLength(&data) - 1] = 1;\n}\n",
                               {"--groups", "1"});
  CHECK(contains(last.out, "weak,pass"));
  CHECK(contains(last.err, "data.length = unknown(1.."));
}

TEST_CASE("kernel/naga/wgsl: long chains of conditions are read to their end") {
  if (left_out()) return;
  std::string chain = "var x = 0u; if (data[2] == 1000) { }\n";
  for (int i = 0; i < 300; ++i) {
    chain += fmt::format("else if (data[2] == {}) {{ x = {}; }}\n", i, i);
  }
  CHECK(is_so(chain, "x == 207", {"data={0,0,207}", "never=1:zero"}));
}

TEST_CASE("kernel/naga/wgsl: subgroups, with and without the word that enables them") {
  if (left_out()) return;
  const auto text = [](const std::string& first, const std::string& condition) {
    return first + kData +
           "@compute @workgroup_size(4)\n"
           "fn main(@builtin(local_invocation_index) t: u32,\n"
           "        @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) n: u32) {\n"
           "  if (" +
           condition + ") { data[0] = t; }\n}\n";
  };
  const auto gives = [&](const std::string& condition) {
    const auto one =
        check_wgsl(text("enable subgroups;\n", condition), {"--groups", "1", "--subgroup", "4"});
    CAPTURE(one.err);
    CHECK(one.out == check_wgsl(text("", condition), {"--groups", "1", "--subgroup", "4"}).out);
    return one.out.substr(one.out.rfind(',') + 1);
  };
  // One thread stores, or several do.
  CHECK(gives("subgroupElect()") == "pass\n");
  CHECK(gives("subgroupAdd(1u) == 4") == "error\n");
  CHECK(gives("subgroupAdd(1u) != 4") == "pass\n");
  CHECK(gives("subgroupExclusiveAdd(2u) == 4") == "pass\n");
  CHECK(gives("subgroupBroadcastFirst(lane) == lane") == "pass\n");
  CHECK(gives("subgroupShuffleXor(lane, 1u) == 2") == "pass\n");
  CHECK(gives("n == 4 && subgroupAny(lane == 1)") == "error\n");
}

TEST_CASE("kernel/naga/wgsl: all threads of a subgroup come to its operations") {
  if (left_out()) return;
  const auto text = [](const std::string& body) {
    return "enable subgroups;\n" + kData + "@group(0) @binding(1) var<uniform> n: u32;\n" +
           "@compute @workgroup_size(8)\nfn main(@builtin(local_invocation_index) t: u32,\n"
           "        @builtin(subgroup_id) s: u32) {\n" +
           body + "}\n";
  };
  const auto check = [&](const std::string& body, std::vector<std::string> more) {
    more.insert(more.end(), {"--groups", "1", "--subgroup", "4", "-f", "weak"});
    const auto result = check_wgsl(text(body), more);
    return result.out + headway::testing::unfolded(result.err);
  };
  const auto verify = [&](const std::string& body) {
    return run_on("verify", text(body), {"--grid", "1", "--subgroup", "4", "--format", "csv"}).out;
  };
  const std::string some = "if (t < n) { data[t] = subgroupAdd(t); }\n";
  const std::string ended = "if (t >= n) { return; }\ndata[t] = subgroupAdd(t);\n";
  const std::string whole = "if (s == 0) { data[t] = subgroupAdd(t); }\n";
  const std::string sides =
      "if (t % 2 == 0) { data[t] = subgroupAdd(t); } else { data[t] = subgroupMax(t); }\n";
  const char* says = "an operation of a subgroup that a thread waits at when another thread of it";
  for (const std::string& body : {some, ended}) {
    CAPTURE(body);
    CHECK(contains(check(body, {"--arg", "n=6"}), says));
    CHECK(contains(verify(body), "divergence,violated"));
    const std::string passing = check(body, {"--arg", "n=4"});
    CAPTURE(passing);
    CHECK(contains(passing, "weak,pass"));
    CHECK(contains(passing, "may keep some threads from this operation of a subgroup"));
  }
  CHECK(contains(check(sides, {}), "weak,error"));
  CHECK(contains(verify(sides), "divergence,violated"));
  const std::string passing = check(whole, {});
  CHECK(contains(passing, "weak,pass"));
  CHECK(!contains(passing, "may keep some threads"));
  CHECK(contains(verify(whole), "divergence,verified"));
}

TEST_CASE("kernel/naga/wgsl: a component that is written is a vector that is written") {
  if (left_out()) return;
  const std::string vectors = "@group(0) @binding(0) var<storage, read_write> v: array<vec4f>;\n";
  const std::string shared =
      kData + "var<workgroup> s: vec2u; var<workgroup> m: array<mat2x2f, 2>;\n";
  const auto verdict = [](const std::string& head, const std::string& body) {
    const auto checked = check_wgsl(head + kMain + body + "}\n", {"--groups", "1", "-f", "weak"});
    CAPTURE(checked.err);
    const auto verified =
        run_on("verify", head + kMain + body + "}\n", {"--grid", "1", "--format", "csv"});
    CAPTURE(verified.out);
    const bool races = contains(checked.out, ",error");
    CHECK(contains(checked.out, races ? "fair,weak,error" : "fair,weak,pass"));
    CHECK(contains(verified.out, races ? "race,violated" : "race,verified"));
    return races;
  };
  CHECK(verdict(vectors, "v[g.x / 2][g.x % 2] = f32(g.x);\n"));
  CHECK(verdict(vectors, "if (t == 0) { v[0].x = 1; } else { v[1].x = v[0].y; }\n"));
  CHECK(verdict(vectors, "let p = &v[0]; if (t == 0) { (*p).x = 1; } else { (*p).y = 2; }\n"));
  CHECK(verdict(shared, "if (t == 0) { s.x = 1; } else { s.y = 2; }\n"));
  CHECK(verdict(shared, "if (t == 0) { m[0][1].x = 1; } else { m[0][1].y = 2; }\n"));
  // Whoever reads alone, writes another vector or another column, or has his own, does not race.
  CHECK_FALSE(verdict(vectors, "v[g.x + 1].x = v[0].x; \n"));
  CHECK_FALSE(verdict(vectors, "v[g.x][1] = 1; v[g.x].z = v[g.x].y;\n"));
  CHECK_FALSE(verdict(shared, "if (t == 0) { m[0][1].x = 1; } else { m[0][0].y = 2; }\n"));
  CHECK_FALSE(verdict(shared, "var own = vec2u(0, 1); own[t] = 3; data[t] = own.x;\n"));
  CHECK(is_so("var own = vec3u(1, 2, 3); own[data[3]] = 7;", "own.x == 7 && own.y == 2"));
}

TEST_CASE(
    "kernel/naga/wgsl: what is written to a component is there, and the others are as before") {
  if (left_out()) return;
  const std::string text =
      "var<workgroup> s: array<vec3u, 2>;\n" +
      holds("s[1] = vec3u(4, 5, 6); s[1].y = 9; s[data[0]][data[1]] = 8;",
            "s[1].x == 4 && s[1].y == 9 && s[1].z == 6 && s[0].z == 8 && s[0].x == 0");
  const auto result = check_wgsl(
      text, {"--groups", "1", "--buffer", "data={0,2}", "--buffer", "never=1:zero", "-f", "weak"});
  CAPTURE(result.err);
  CHECK(contains(result.out, "weak,pass"));
}

TEST_CASE("kernel/naga/wgsl: halves, products of bytes, and sizes of textures are read") {
  if (left_out()) return;
  const auto halves =
      check_wgsl("enable f16;\n@group(0) @binding(0) var<storage, read_write> h: array<f16>;\n" +
                     kMain + "h[g.x] *= 2.0h; }\n",
                 {"-f", "weak"});
  CAPTURE(halves.err);
  CHECK(contains(halves.out, "weak,pass"));
  CHECK(is_so("let x = dot4U8Packed(data[0], 0x01020304u);", "x == 255 * 4 + 2 * 2 + 3",
              {"data={0x010002ff}", "never=1:zero"}));
  CHECK(is_so("let x = dot4I8Packed(data[0], 0x01020304u);", "x == 3",
              {"data={0x010002ff}", "never=1:zero"}));
  CHECK(is_so("let x = dot(vec2u(data[0], 3), vec2u(5, data[1]));", "x == 26",
              {"data={4,2}", "never=1:zero"}));
  const std::string sizes =
      "@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n"
      "@group(0) @binding(1) var image: texture_2d<f32>;\n"
      "@compute @workgroup_size(2)\nfn main(@builtin(global_invocation_id) g: vec3u) {\n"
      "  let n = textureDimensions(image);\n"
      "  if (g.x >= n.x || g.y >= n.y) { return; }\n"
      "  a[g.y * n.x + g.x] = textureLoad(image, g.xy, 0).x;\n}\n";
  const auto verified = run_on("verify", sizes, {"--format", "csv"});
  CAPTURE(verified.err);
  CHECK(contains(verified.out, "race,verified"));
}

TEST_CASE("kernel/naga/wgsl: overrides by name and by id, and defaults are said") {
  if (left_out()) return;
  const std::string text = "override n: u32 = 2; @id(7) override m: u32;\n" + kData +
                           "@compute @workgroup_size(n)\n"
                           "fn main(@builtin(local_invocation_index) t: u32) { data[t] = m; }\n";
  const auto sized = run_on("check", text, {"--groups", "1", "--spec", "m=3", "--spec", "n=8"});
  CHECK(contains(sized.out, "8 threads"));
  const auto with_id = run_on("check", text, {"--groups", "1", "--spec", "7=3"});
  CHECK(contains(with_id.out, "2 threads"));
  CHECK(contains(headway::testing::unfolded(with_id.err), "override n is 2, its default"));
  const auto block = run_on("check", text, {"--groups", "1", "--spec", "7=3", "--block", "4"});
  CHECK(contains(block.out, "4 threads"));
  const auto missing = run_on("check", text);
  CHECK(missing.status == 2);
  CHECK(missing.err == "a.wgsl:1: the override 'm' has no default; expected --spec m=...\n");
  CHECK(contains(run_on("check", text, {"--spec", "k=1"}).err, "there is no override 'k'"));
  CHECK(contains(run_on("check", "// headway: spec m=1, n=4 groups 1\n" + text).out, "4 threads"));
}

TEST_CASE("kernel/naga/wgsl: each entry point for compute is a kernel") {
  if (left_out()) return;
  const std::string text =
      kData +
      "@compute @workgroup_size(1) fn one(@builtin(workgroup_id) w: vec3u) { data[0] = w.x; }\n"
      "@fragment fn colour() {}\n"
      "@compute @workgroup_size(2) fn two(@builtin(workgroup_id) w: vec3u) { data[0] = w.x; }\n";
  const auto both = check_wgsl(text);
  CHECK(contains(both.out, "one,fair,weak,error"));
  CHECK(contains(both.out, "two,fair,weak,error"));
  CHECK_FALSE(contains(check_wgsl(text, {"--kernel", "two"}).out, "one"));
}

TEST_CASE("kernel/naga/wgsl: what is wrong is said in one line, with naga's words and its place") {
  if (left_out()) return;
  const auto said = [](const std::string& text) {
    const CommandResult result = run_on("check", text);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(contains(said(kData + kMain + "  data[0] = nothing;\n}\n"),
                 "a.wgsl:5:13: naga: no definition in scope for identifier: `nothing`"));
  CHECK(contains(said("enable subgroups;\nfn f() { x }\n"), "a.wgsl:2:"));
  CHECK(contains(said(kData + kMain + "  data[0] = 1"), "a.wgsl:5:"));
  CHECK(contains(said(kData + kMain + "  data[0] = 1.5;\n}\n"), "a.wgsl:"));
  CHECK(contains(said("@fragment fn colour() {}\n"),
                 "a.wgsl: expected a compute shader; 'colour' is a fragment shader"));
  CHECK(contains(said("fn f() {}\n"), "the module has no entry point"));
  CHECK(contains(said(""), "no entry point"));
  CHECK(contains(said("\xff\xfe"), "UTF-16"));
  CHECK(contains(said("override n: u32 = 4;\nvar<workgroup> x: array<u32, n>;\n@compute "
                      "@workgroup_size(0) fn f() { x[0] = 1; }\n"),
                 "a.wgsl"));
}

TEST_CASE("kernel/naga/wgsl: without node the message says what to install") {
  if (left_out()) return;
  const TemporaryFolder folder;
  folder.write("a.wgsl", kData + kMain + "}\n");
  headway::testing::CommandOptions options = headway::testing::in(folder.path());
  options.environment["PATH"] = folder.path().string();
  const auto missing = headway::testing::headway({"check", "a.wgsl"}, options);
  CHECK(missing.status == 2);
  CHECK(contains(headway::testing::unfolded(missing.err), "(Debian: nodejs)"));
  options.environment["HEADWAY_NODE"] = "nothing-of-that-name";
  CHECK(contains(headway::testing::headway({"check", "a.wgsl"}, options).err,
                 "HEADWAY_NODE names nothing-of-that-name"));
  options.environment["HEADWAY_NODE"] = "/bin/false";
  CHECK(contains(headway::testing::headway({"check", "a.wgsl"}, options).err,
                 "node failed with status 1"));
}

TEST_CASE("kernel/naga/wgsl: whoever waits for another workgroup has no promise of WebGPU") {
  if (left_out()) return;
  headway::testing::CommandOptions options;
  options.folder = headway::testing::source_dir();
  const auto result =
      headway::testing::headway({"check", "litmus/shaders/spin-lock.wgsl"}, options);
  CHECK(contains(
      headway::testing::unfolded(result.out),
      "spin-lock may hang as WebGPU promises: workgroup 1 waits at line 10 for workgroup 0"));
}

TEST_CASE("kernel/naga/wgsl: WGSL comes to standard input with its name") {
  if (left_out()) return;
  const std::string text = kData + kMain + "  data[g.x] = 1;\n}\n";
  CHECK(contains(headway::testing::check({"-x", "wgsl", "-"}, headway::testing::input(text)).out,
                 "pass"));
  CHECK(contains(headway::testing::check({"-"}, headway::testing::input(text)).err, "-x wgsl"));
}

TEST_CASE("kernel/naga/wgsl: faults of a sort, of bitmaps and of a blur are found where they are") {
  if (left_out()) return;
  // One dispatch cannot be both halves of a step of an odd-even sort: a barrier is a workgroup's.
  const std::string order = kData +
                            "fn order(a: u32, b: u32) {\n  let x = data[a];\n  let y = data[b];\n"
                            "  if (x > y) {\n    data[a] = y;\n    data[b] = x;\n  }\n}\n";
  const std::string odd = "  if (2 * g.x + 2 < 10) { order(2 * g.x + 1, 2 * g.x + 2); }\n";
  const std::string even = "  if (2 * g.x + 1 < 10) { order(2 * g.x, 2 * g.x + 1); }\n";
  const std::vector<std::string> small = {"--buffer", "data={4,3,2,1,4,3,2,1,4,3}"};
  CHECK(
      contains(check_wgsl(order + kMain + odd + "  storageBarrier();\n" + even + "}\n", small).out,
               "weak,error"));
  CHECK(contains(check_wgsl(order + kMain + odd + "}\n", small).out, "weak,pass"));
  CHECK(run_on("verify", order + kMain + even + "}\n").status == 0);
  // Bitmaps in workgroup memory, cleared and counted by others than those who set bits.
  const auto bitmap = [](const std::string& barrier) {
    return kData + "var<workgroup> bits: array<u32, 2>;\n" + kMain + "  bits[t] = 0;\n" + barrier +
           "  bits[1 - t] = 1u << t;\n  workgroupBarrier();\n  data[g.x] = "
           "countOneBits(bits[t]);\n}\n";
  };
  CHECK(contains(run_on("verify", bitmap(""), {"--format", "csv"}).out, "race,violated"));
  CHECK(run_on("verify", bitmap("  workgroupBarrier();\n")).status == 0);
  // A blur that writes the tile that its neighbours still read.
  const auto blur = [](const std::string& barrier) {
    return kData + "var<workgroup> tile: array<u32, 2>;\n" + kMain +
           "  tile[t] = data[g.x];\n  workgroupBarrier();\n  let sum = tile[t] + tile[1 - t];\n" +
           barrier + "  tile[t] = sum;\n  workgroupBarrier();\n  data[g.x] = tile[t];\n}\n";
  };
  CHECK(contains(run_on("verify", blur(""), {"--format", "csv"}).out, "race,violated"));
  CHECK(run_on("verify", blur("  workgroupBarrier();\n")).status == 0);
  // Sums of subgroups are as many as there are subgroups, whatever their size.
  const auto sums = [](const std::string& room) {
    return "enable subgroups;\n" + kData + "var<workgroup> sums: array<u32, " + room +
           ">;\n@compute @workgroup_size(16)\nfn main(@builtin(local_invocation_index) t: u32,\n"
           "        @builtin(subgroup_invocation_id) lane: u32) {\n  let sum = subgroupAdd(1u);\n"
           "  if (subgroupElect()) { sums[t / 4] = sum; }\n  workgroupBarrier();\n"
           "  data[t] = sums[t / 4];\n}\n";
  };
  CHECK(contains(run_on("check", sums("2"), {"--groups", "1", "--subgroup", "4"}).out, "error"));
  CHECK(contains(run_on("check", sums("4"), {"--groups", "1", "--subgroup", "4"}).out, "pass"));
}
