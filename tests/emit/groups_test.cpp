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
