// Which programs of groups a target cannot say, and what the reason is.
#include <doctest/doctest.h>

#include "emit/emit.hpp"
#include "emit/lower.hpp"
#include "languages/languages.hpp"
#include "support/errors.hpp"

using headway::emit::emit;
using headway::emit::Kernel;
using headway::emit::kTargets;
using headway::emit::lower;
using headway::emit::Mapping;
using headway::emit::Options;
using headway::emit::Target;
using headway::testing::contains;
using headway::testing::error_of;

namespace {

Kernel kernel_of(const std::string& text, const Options& options = {},
                 Mapping mapping = Mapping::plain) {
  return lower(headway::lang::parse("idiom test\n" + text, "test"), mapping, 2, options);
}

std::string why_not(const Kernel& kernel, Target target) {
  const auto error = error_of([&] { emit(kernel, target); });
  return error ? error->what() : "";
}

constexpr const char* kApart =
    "1 workgroup of 2 threads;\nshared bool x;\n"
    "threads { if (lid == 0) barrier(workgroup); }\n";
constexpr const char* kOrEnded =
    "1 workgroup of 2 threads;\nshared bool x;\n"
    "threads { if (lid == 0) barrier(workgroup or ended); }\n";

}  // namespace

TEST_CASE("emit/groups: a barrier that not all come by is where the target says what it does") {
  for (const Target target : kTargets) {
    CAPTURE(to_string(target));
    // C++ threads do either, CUDA counts what has ended, and the others leave it open.
    CHECK(why_not(kernel_of(kApart), target).empty() == (target == Target::cpp));
    CHECK(why_not(kernel_of(kOrEnded), target).empty() ==
          (target == Target::cpp || target == Target::cuda));
  }
  CHECK(contains(why_not(kernel_of(kApart), Target::cuda), "expected 'or ended' there"));
  CHECK(contains(why_not(kernel_of(kApart), Target::webgpu), "up to the device"));
}

TEST_CASE("emit/groups: threads come by together where nothing differs among them") {
  const auto together = [](const std::string& body) {
    const std::string text =
        "2 workgroups of 2 threads;\nshared int(0..3) x;\n"
        "void meet(bool all) { if (all) barrier(workgroup); }\n"
        "int(0..3) look() { return load(x); }\n"
        "threads {\n int(0..3) r = 0, s = 0;\n" +
        body + "\n}\n";
    return why_not(kernel_of(text), Target::opencl).empty();
  };
  CHECK(together("barrier(workgroup);"));
  CHECK(together("if (gid == 1) barrier(workgroup);"));
  CHECK(together("for (r = 0; r < 3; r++) barrier(workgroup);"));
  CHECK(together("if (lid == 0) { while (load(x) == 0); } barrier(workgroup);"));
  CHECK(together("meet(gid == 0);"));
  CHECK(together("s = lid; while (r < 2) { r++; if (gid == 0) break; barrier(workgroup); }"));
  CHECK_FALSE(together("if (load(x) == 0) barrier(workgroup);"));
  CHECK_FALSE(together("r = lid; if (r == 0) barrier(workgroup);"));
  CHECK_FALSE(together("if (lid == 0) r = 1; if (r == 0) barrier(workgroup);"));
  CHECK_FALSE(together("r = look(); while (r > 0) { r--; barrier(workgroup); }"));
  CHECK_FALSE(together("if (lane == 1) return; barrier(workgroup);"));
  CHECK_FALSE(together("meet(tid == 0);"));
  CHECK_FALSE(together("while (r < 2) { r++; if (lid == 0) break; barrier(workgroup); }"));
  CHECK_FALSE(together("while (r < 2) { r++; if (lid == 0) continue; barrier(workgroup); }"));
  CHECK_FALSE(together("while (load(x) == 0) barrier(workgroup);"));
  CHECK_FALSE(together("switch (lid) { case 0: barrier(workgroup); }"));
  CHECK_FALSE(together("goto L; L: barrier(workgroup);"));
}

TEST_CASE("emit/groups: operations are where all of a subgroup come by together") {
  const auto together = [](const std::string& body, Target target = Target::vulkan) {
    const std::string text =
        "2 workgroups of 4 threads, subgroups of 2;\nshared int(0..3) x;\n"
        "bool agree(bool mine) { return all(mine); }\n"
        "threads {\n int(0..3) r = 0;\n" +
        body + "\n}\n";
    return why_not(kernel_of(text), target).empty();
  };
  CHECK(together("if (elect()) { while (load(x) == 0); } any(lane);"));
  CHECK(together("if (sid == 1 && gid == 0) agree(lane == 0);"));
  CHECK(together("while (any(load(x) == 0));"));
  CHECK(together("if (broadcast(load(x), 1) == 2 || ballot(lane) == 3) all(1);"));
  CHECK(together("if (shuffle(load(x), 1 - sid) == 2) all(1);"));
  CHECK(together("do { r = broadcast(load(x), 0); } while (r < 2);"));
  for (const char* apart :
       {"if (lane == 0) any(1);", "if (load(x) == 0) agree(1);", "if (elect()) all(1);",
        "while (load(x) == 0) any(1);", "if (shuffle(load(x), lane) == 2) all(1);",
        "if (lane == 1) return; all(1);", "r = load(x); if (r == 0 && any(1)) r = 1;"}) {
    CAPTURE(apart);
    for (const Target target : kTargets) {
      CAPTURE(to_string(target));
      // C++ and CUDA have the operation of those that have not ended.
      CHECK(together(apart, target) == (target == Target::cpp || target == Target::cuda));
    }
  }
  CHECK(contains(why_not(kernel_of("1 workgroup of 2 threads;\nthreads {\n  if (lane == 0)\n"
                                   "    any(1);\n}\n"),
                         Target::metal),
                 "line 5, any(1);: not all threads of a subgroup provably come by together"));
}

TEST_CASE("emit/groups: subgroups are those of the device where it can be asked for them") {
  const char* text =
      "2 workgroups of 4 threads, subgroups of 2;\nshared bool x;\n"
      "threads { any(load(x)); barrier(subgroup); }\n";
  const Kernel kernel = kernel_of(text);
  CHECK(contains(emit(kernel, Target::cuda), "__any_sync(kLanes, e)"));
  CHECK(contains(emit(kernel, Target::vulkan), "subgroupAny(e)"));
  CHECK(contains(emit(kernel, Target::opencl), "sub_group_any(e)"));
  CHECK(contains(emit(kernel, Target::metal), "simd_any(e)"));
  CHECK(contains(why_not(kernel, Target::webgpu), "WGSL has no barrier(subgroup)"));
  CHECK(contains(why_not(kernel, Target::amber), "or the target vulkan"));
  // One thread is together with itself.
  const Kernel alone = kernel_of("shared bool x;\nthread 0 { if (any(load(x))) elect(); }\n");
  for (const Target target : kTargets) {
    CAPTURE(to_string(target));
    CHECK(why_not(alone, target).empty());
    CHECK_FALSE(contains(emit(alone, target), "subgroup_any"));
  }
  const std::string many = "1 workgroup of 64 threads, subgroups of 1;\nthreads { }\n";
  CHECK(contains(why_not(kernel_of(many), Target::cuda), "expected at most 32 subgroups"));
}

TEST_CASE("emit/groups: lanes without a thread end where no barrier of a workgroup is") {
  const std::string head = "1 workgroup of 4 threads, subgroups of 2;\nshared bool x;\n";
  const std::string free = emit(kernel_of(head + "threads { any(1); }\n"), Target::vulkan);
  CHECK(contains(free, "if (gl_SubgroupInvocationID >= SUBGROUP_SIZE) return;"));
  CHECK(contains(free, "need to have at least 2 threads"));
  for (const char* more : {"threads { any(1); barrier(workgroup); }\n",
                           "workgroup bool y;\nthreads { any(load(y)); }\n"}) {
    const std::string full = emit(kernel_of(head + more), Target::vulkan);
    CHECK_FALSE(contains(full, "if (gl_SubgroupInvocationID >= SUBGROUP_SIZE) return;"));
    CHECK(contains(full, "need to have exactly 2 threads"));
  }
}

TEST_CASE("emit/groups: no target promises lockstep") {
  const auto error = error_of([] {
    kernel_of(
        "1 workgroup of 2 threads;\nexecution: lockstep;\nshared bool x;\n"
        "threads { store(x, 1); }\n");
  });
  REQUIRE(error);
  CHECK(contains(error->what(), "expected 'execution: independent;'"));
}

TEST_CASE("emit/groups: barriers of the grid are for C++ and cooperative launches of CUDA") {
  const char* text = "2 workgroups of 2 threads;\nshared bool x;\nthreads { barrier(grid); }\n";
  for (const Target target : kTargets) {
    CHECK(why_not(kernel_of(text), target).empty() == (target == Target::cpp));
  }
  CHECK(contains(why_not(kernel_of(text), Target::cuda), "expected --cooperative"));
  Options cooperative;
  cooperative.cooperative = true;
  const Kernel alone = kernel_of(text, cooperative);
  REQUIRE(why_not(alone, Target::cuda).empty());
  CHECK(contains(emit(alone, Target::cuda), "cudaLaunchCooperativeKernel("));
  CHECK(contains(why_not(kernel_of(text, cooperative, Mapping::chunked), Target::cuda),
                 "expected the plain mapping"));
}

TEST_CASE("emit/groups: what no target can say is refused") {
  const auto refused = [](const std::string& text, const std::string& why,
                          const Options& options = {}) {
    const auto error = error_of([&] { kernel_of(text, options); });
    CAPTURE(text);
    REQUIRE(error);
    CHECK(contains(error->what(), why));
  };
  const std::string await = "shared bool x, y;\nthread 0 { await(load(x) == 1); }\n";
  refused(await, "--await spin writes a loop");
  Options spin;
  spin.spin = true;
  CHECK(contains(emit(kernel_of(await, spin), Target::cuda), "while (true) {"));
  refused("shared bool x, y;\nthread 0 { await(load(x) == 1 || load(y) == 1); }\n",
          "looks at several words at once", spin);
  refused("shared bool x;\nthread 0 { store(x, choose(0..1)); }\n", "devices make no choices");
  refused("shared wrap int(0..3) x;\nthread 0 { fetch_add(x, 1); }\n", "which wraps");
  refused("shared int(-3..3) x;\nthread 0 { fetch_min(x, 1); }\n", "which can be negative");
}

TEST_CASE("emit/groups: read-modify-writes stand for loads where they are asked for") {
  Options options;
  options.loads = headway::emit::Loads::read_modify_write;
  const char* text =
      "1 workgroup of 2 threads;\nshared bool x;\nthreads { while (load(x) == lid); }\n";
  for (const Target target : kTargets) {
    CAPTURE(to_string(target));
    const std::string relaxed = emit(kernel_of(text), target);
    const std::string writing = emit(kernel_of(text, options), target);
    CHECK(relaxed != writing);
    const char* word = target == Target::cpp      ? "fetch_or(0)"
                       : target == Target::metal  ? "atomic_fetch_or_explicit("
                       : target == Target::opencl ? "atomic_or("
                       : target == Target::cuda   ? "atomicOr(&t.memory"
                       : target == Target::webgpu ? "atomicOr(&memory"
                                                  : "atomicOr(memory";
    CHECK(contains(writing, word));
    CHECK_FALSE(contains(relaxed, word));
  }
}
