// Kernels with known answers: tests/data/verify/kernels.cu says which.
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/named_kernels.hpp"
#include "support/solvers.hpp"

namespace headway {
namespace {

const kernel::Module& kernels() {
  static const std::shared_ptr<const kernel::Module> module = testing::kernels_of("kernels.cu");
  return *module;
}

TEST_CASE("verify/kernels: every kernel has the answer that its name says") {
  REQUIRE(kernels().functions.size() > 60);
  testing::expect_named_answers(kernels(), testing::kernels_launch());
}

TEST_CASE("verify/kernels: loops whose rounds follow from ranges of ids need no invariants") {
  verify::Options options = testing::kernels_launch();
  options.trials = false;
  options.left_out.insert("affine");  // which needs none for others either
  const auto proved = [&](const char* name) {
    return verify::verify(kernels(), testing::kernel_named(kernels(), name), options);
  };
  const verify::Report all = proved("ok_rounds_of_ids");
  CHECK(all.worst() == verify::Verdict::verified);
  CHECK(all.rules.empty());
  // A loop in a loop of one round is cut by itself.
  for (const verify::RuleCount& one : proved("ok_one_round").rules) {
    CHECK(one.rule != "r10");  // counters of the outer loop and of the inner one: strides
  }
}

TEST_CASE("verify/kernels: kernels for all sizes") {
  if (!testing::has_cvc5()) return;  // z3 does not decide products of sizes
  const auto module = testing::kernels_of("sizes.cu");
  for (const kernel::Function& f : module->functions) {
    verify::Options options = testing::kernels_launch();
    options.launch.block = {std::nullopt, 1, 1};
    options.launch.grid = {std::nullopt, 1, 1};
    if (f.name == "block_strided") options.launch.grid = {1, 1, 1};
    if (f.name.starts_with("transpose")) {
      options.launch.block[1] = options.launch.grid[1] = std::nullopt;
    }
    const verify::Report report = verify::verify(*module, f, options);
    INFO(f.name, ": ", report.findings.front().detail);
    CHECK(report.worst() == verify::Verdict::verified);
  }
}

TEST_CASE("verify/kernels: what is required may exclude launches of one thread") {
  const auto module = testing::kernels_of("sizes.cu");
  verify::Options options = testing::kernels_launch();
  options.launch.block = options.launch.grid = {std::nullopt, 1, 1};
  options.trials = false;  // a run of one thread would end where that is required
  const kernel::Function& f = testing::kernel_named(*module, "pairs");
  for (const verify::Finding& one : verify::verify(*module, f, options).findings) {
    INFO(verify::name_of(one.property), ": ", one.detail);
    CHECK(one.verdict == verify::Verdict::verified);
  }
}

TEST_CASE("verify/kernels: threads in lockstep do not race with themselves") {
  verify::Options options = testing::kernels_launch();
  options.lockstep = true;
  CHECK(testing::verdict_of(
            verify::verify(kernels(), testing::kernel_named(kernels(), "race_warp"), options),
            verify::Property::race) == verify::Verdict::verified);
  CHECK(testing::verdict_of(
            verify::verify(kernels(), testing::kernel_named(kernels(), "race_warps"), options),
            verify::Property::race) != verify::Verdict::verified);
  // In a loop this is an invariant.
  const auto rounds =
      verify::verify(kernels(), testing::kernel_named(kernels(), "race_warp_rounds"), options);
  CHECK(testing::verdict_of(rounds, verify::Property::race) == verify::Verdict::verified);
  options.left_out.insert("r18");
  CHECK(
      testing::verdict_of(
          verify::verify(kernels(), testing::kernel_named(kernels(), "race_warp_rounds"), options),
          verify::Property::race) != verify::Verdict::verified);
}

TEST_CASE(
    "verify/kernels: who has left a loop, and who did not come to it, is known by r5 and r6") {
  verify::Options options = testing::kernels_launch();
  options.trials = false;
  options.left_out.insert("affine");
  const auto held = [&](const char* kernel, const std::string& rule) {
    for (const auto& one :
         verify::verify(kernels(), testing::kernel_named(kernels(), kernel), options).rules) {
      if (one.rule == rule) return one.held;
    }
    return 0;
  };
  // Who leaves at the head does not satisfy its condition; nobody who enters has to.
  CHECK(held("ok_strided", "r5") > 0);
  CHECK(held("ok_apart", "r5") > 0);
  CHECK(held("ok_some_rounds", "r6") > 0);
  options.left_out.insert({"r5", "r6"});
  CHECK(held("ok_strided", "r5") == 0);
  CHECK(held("ok_some_rounds", "r6") == 0);
}

TEST_CASE("verify/kernels: ends of arrays are looked at where that is asked for") {
  verify::Options options = testing::kernels_launch();
  options.bounds = true;
  const verify::Report inside =
      verify::verify(kernels(), testing::kernel_named(kernels(), "ok_reduce"), options);
  CHECK(testing::verdict_of(inside, verify::Property::bounds) == verify::Verdict::verified);
  CHECK(testing::verdict_of(inside, verify::Property::null) == verify::Verdict::verified);
  options.launch.block = {128, 1, 1};
  CHECK(
      testing::verdict_of(
          verify::verify(kernels(), testing::kernel_named(kernels(), "ok_unrolled_tree"), options),
          verify::Property::bounds) != verify::Verdict::verified);
}

TEST_CASE("verify/kernels: a simple race is replayed") {
  verify::Options options = testing::kernels_launch();
  options.launch.block = {4, 1, 1};
  options.launch.grid = {2, 1, 1};
  for (const char* name : {"race_neighbour", "race_one_place", "race_atomics"}) {
    CAPTURE(name);
    CHECK(testing::verdict_of(
              verify::verify(kernels(), testing::kernel_named(kernels(), name), options),
              verify::Property::race) == verify::Verdict::violated);
  }
  CHECK(testing::verdict_of(
            verify::verify(kernels(), testing::kernel_named(kernels(), "div_some"), options),
            verify::Property::divergence) == verify::Verdict::violated);
}

TEST_CASE("verify/kernels: what a replay needs of memory is told") {
  const testing::TemporaryFolder folder;
  const std::string file = folder
                               .write("k.cu",
                                      "__global__ void k(int* flag, int* data, int* out) {\n"
                                      "  if (threadIdx.x != 0) return;\n"
                                      "  if (blockIdx.x == 0) {\n"
                                      "    data[0] = 1;\n"
                                      "    __threadfence();\n"
                                      "    atomicAdd(&flag[3], 1);\n"
                                      "  } else if (blockIdx.x == 1) {\n"
                                      "    while (atomicAdd(&flag[3], 0) == 0) {}\n"
                                      "    __threadfence();\n"
                                      "    out[0] = data[0];\n"
                                      "  }\n"
                                      "}\n")
                               .string();
  const std::string said = testing::headway({"verify", "--format", "csv", file}).out;
  CAPTURE(said);
  CHECK(testing::contains(said, "race,violated"));
  CHECK(testing::contains(said, "flag[3] = "));
  CHECK(testing::contains(said, " at first"));
  CHECK(!testing::contains(said, "data[0] ="));
}

TEST_CASE("verify/kernels: rules that kernels need") {
  const auto without = [](const char* kernel, const std::vector<std::string>& rules) {
    verify::Options options = testing::kernels_launch();
    options.left_out.insert({"unroll", "affine"});
    for (const std::string& rule : rules) options.left_out.insert(rule);
    return verify::verify(kernels(), testing::kernel_named(kernels(), kernel), options).worst();
  };
  CHECK(without("ok_strided", {"r1"}) != verify::Verdict::verified);
  CHECK(without("ok_strided", {"r10"}) != verify::Verdict::verified);
  CHECK(without("ok_rounds", {"r12"}) != verify::Verdict::verified);
  CHECK(without("ok_reduce", {"r13"}) != verify::Verdict::verified);
  CHECK(without("ok_rows", {"r0", "r2", "r3"}) != verify::Verdict::verified);
}

TEST_CASE("verify/kernels: writes of one value count where that is asked for") {
  verify::Options options = testing::kernels_launch();
  options.benign_count = true;
  CHECK(testing::verdict_of(
            verify::verify(kernels(), testing::kernel_named(kernels(), "ok_same_value"), options),
            verify::Property::race) != verify::Verdict::verified);
}

TEST_CASE("verify/kernels: what one solver proves another one proves, too") {
  verify::Options options = testing::kernels_launch();
  options.cross_check = true;
  CHECK(
      verify::verify(kernels(), testing::kernel_named(kernels(), "ok_strided"), options).worst() ==
      verify::Verdict::verified);
}

TEST_CASE("verify/kernels: a value that is given makes the launch smaller") {
  verify::Options options = testing::kernels_launch();
  options.arguments["n"] = 64;
  CHECK(testing::verdict_of(
            verify::verify(kernels(), testing::kernel_named(kernels(), "div_return"), options),
            verify::Property::divergence) == verify::Verdict::verified);
}

}  // namespace
}  // namespace headway
