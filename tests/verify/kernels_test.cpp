// Kernels with known answers: tests/data/verify/kernels.cu says which.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "kernel/test/kernel_tests.hpp"
#include "support/solvers.hpp"
#include "verify/preconditions.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

std::shared_ptr<const kernel::Module> module_of(const std::string& file) {
  kernel::Compiler compiler;
  return kernel::read_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/" + file, kernel::Side::device,
                              {}, compiler)
      .module;
}

const kernel::Module& kernels() {
  static const std::shared_ptr<const kernel::Module> module = module_of("kernels.cu");
  return *module;
}

const kernel::Function& named(const std::string& name) {
  for (const kernel::Function& f : kernels().functions) {
    if (f.name == name) return f;
  }
  FAIL("no kernel " << name);
  return kernels().functions.front();
}

verify::Options launch() {
  verify::Options options;
  options.launch.grid = {16, 1, 1};
  // A proof that is slow on a busy machine is a proof all the same.
  options.query_limit = std::chrono::seconds(60);
  options.kernel_limit = std::chrono::seconds(200);
  return options;
}

verify::Verdict of(const verify::Report& report, verify::Property property) {
  for (const verify::Finding& f : report.findings) {
    if (f.property == property) return f.verdict;
  }
  return verify::Verdict::unsupported;
}

// Of kernels that are right, if asked for, and of those that are not.
void expect_named_answers(const kernel::Module& module, const verify::Options& options,
                          bool right = true) {
  for (const kernel::Function& f : module.functions) {
    if (!right && f.name.starts_with("ok_")) continue;
    const verify::Report report = verify::verify(module, f, options);
    std::string text;
    for (const verify::Finding& one : report.findings) {
      text += std::string(name_of(one.property)) + " " + std::string(name_of(one.verdict)) + " " +
              one.detail + "\n";
    }
    INFO(f.name, ": ", text);
    CHECK(f.unsupported.empty());
    if (f.name.starts_with("ok_")) {
      CHECK(report.worst() == verify::Verdict::verified);
      continue;
    }
    const verify::Property property = f.name.starts_with("race_")  ? verify::Property::race
                                      : f.name.starts_with("div_") ? verify::Property::divergence
                                                                   : verify::Property::assertion;
    const verify::Verdict verdict = of(report, property);
    const bool found = verdict == verify::Verdict::possible || verdict == verify::Verdict::violated;
    CHECK(found);
  }
}

TEST_CASE("verify/kernels: every kernel has the answer that its name says") {
  REQUIRE(kernels().functions.size() > 60);
  expect_named_answers(kernels(), launch());
}

TEST_CASE("verify/kernels: asynchronous copies go on until they are waited for") {
  const auto module = module_of("kernels.cl");
  REQUIRE(module->functions.size() > 10);
  expect_named_answers(*module, launch());
  // Without runs that find the errors, proofs do not hide them.
  verify::Options options = launch();
  options.trials = false;
  expect_named_answers(*module, options, false);
}

TEST_CASE("verify/kernels: loops whose rounds follow from ranges of ids need no invariants") {
  verify::Options options = launch();
  options.trials = false;
  const verify::Report all = verify::verify(kernels(), named("ok_rounds_of_ids"), options);
  CHECK(all.worst() == verify::Verdict::verified);
  CHECK(all.rules.empty());
  // A loop in a loop of one round is cut by itself.
  for (const auto& one : verify::verify(kernels(), named("ok_one_round"), options).rules) {
    CHECK(one.rule != "r10");  // counters of the outer loop and of the inner one: strides
  }
}

TEST_CASE("verify/kernels: a run shows what is wrong with a claim about accesses") {
  const auto module = module_of("annotations.cu");
  int found = 0;
  for (const kernel::Function& f : module->functions) {
    if (f.name != "fail_where_written") continue;
    CHECK(of(verify::verify(*module, f, launch()), verify::Property::assertion) ==
          verify::Verdict::violated);
    ++found;
  }
  CHECK(found == 1);
}

TEST_CASE("verify/kernels: proofs alone find all errors, too") {
  verify::Options options = launch();
  options.trials = false;
  expect_named_answers(kernels(), options, false);
}

TEST_CASE("verify/kernels: what authors say is checked, and used where it holds") {
  const auto module = module_of("annotations.cu");
  REQUIRE(module->functions.size() > 55);
  expect_named_answers(*module, launch());
  verify::Options options = launch();
  options.trials = false;
  expect_named_answers(*module, options, false);
}

TEST_CASE(
    "verify/kernels: a claim that cannot be evaluated at the end is unsupported, with its place") {
  const auto module = module_of("unsupported.cu");
  REQUIRE(module->functions.size() == 2);
  for (const kernel::Function& f : module->functions) {
    for (const verify::Finding& one : verify::verify(*module, f, launch()).findings) {
      if (one.property != verify::Property::assertion) continue;
      INFO(f.name, ": ", one.detail);
      CHECK(one.verdict == verify::Verdict::unsupported);
      CHECK(one.line == (f.name == "branches_on_memory" ? 2 : 4));
    }
  }
}

TEST_CASE("verify/kernels: a barrier invariant that fails proves nothing") {
  const auto module = module_of("annotations.cu");
  for (const kernel::Function& f : module->functions) {
    if (f.name != "fail_barrier" && f.name != "race_barrier_reads_others") continue;
    for (const verify::Finding& one : verify::verify(*module, f, launch()).findings) {
      INFO(f.name, ": ", name_of(one.property));
      CHECK(one.verdict != verify::Verdict::verified);
    }
  }
}

TEST_CASE(
    "verify/kernels: conditions that are missing are named, if they are enough and possible") {
  const auto module = module_of("preconditions.cu");
  const std::map<std::string, std::string> expected = {
      {"stride", "; verified if n > 0 && n < 65536, or if n == blockDim.x"},
      {"tail", "; verified if n % blockDim.x == 0, or if n >= gridDim.x * blockDim.x"},
      {"rows", "; verified if width >= blockDim.x && width < 65536, or if width == blockDim.x"},
      {"never", ""},
      {"required", ""}};
  for (const kernel::Function& f : module->functions) {
    verify::Report report = verify::verify(*module, f, launch());
    verify::suggest_preconditions(report, *module, f, launch());
    for (const verify::Finding& one : report.findings) {
      const std::size_t at = one.detail.find("; verified if");
      INFO(f.name, " ", name_of(one.property), ": ", one.detail);
      CHECK((at == std::string::npos ? "" : one.detail.substr(at)) ==
            (one.verdict == verify::Verdict::verified ? "" : expected.at(f.name)));
    }
  }
}

TEST_CASE("verify/kernels: kernels for all sizes") {
  if (!testing::has_cvc5()) return;  // z3 does not decide products of sizes
  const auto module = module_of("sizes.cu");
  for (const kernel::Function& f : module->functions) {
    verify::Options options = launch();
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

TEST_CASE("verify/kernels: threads in lockstep do not race with themselves") {
  verify::Options options = launch();
  options.lockstep = true;
  CHECK(of(verify::verify(kernels(), named("race_warp"), options), verify::Property::race) ==
        verify::Verdict::verified);
  CHECK(of(verify::verify(kernels(), named("race_warps"), options), verify::Property::race) !=
        verify::Verdict::verified);
  // In a loop this is an invariant.
  const auto rounds = verify::verify(kernels(), named("race_warp_rounds"), options);
  CHECK(of(rounds, verify::Property::race) == verify::Verdict::verified);
  options.left_out.insert("r18");
  CHECK(of(verify::verify(kernels(), named("race_warp_rounds"), options), verify::Property::race) !=
        verify::Verdict::verified);
}

TEST_CASE(
    "verify/kernels: who has left a loop, and who did not come to it, is known by r5 and r6") {
  verify::Options options = launch();
  options.trials = false;
  const auto held = [&](const char* kernel, const std::string& rule) {
    for (const auto& one : verify::verify(kernels(), named(kernel), options).rules) {
      if (one.rule == rule) return one.held;
    }
    return 0;
  };
  // Who leaves at the head does not satisfy its condition; nobody who enters has to.
  CHECK(held("ok_strided", "r5") > 0);
  CHECK(held("ok_apart", "r5") > 0);
  CHECK(held("ok_some_rounds", "r6") > 0);
  options.left_out = {"r5", "r6"};
  CHECK(held("ok_strided", "r5") == 0);
  CHECK(held("ok_some_rounds", "r6") == 0);
}

TEST_CASE("verify/kernels: ends of arrays are looked at where that is asked for") {
  verify::Options options = launch();
  options.bounds = true;
  const verify::Report inside = verify::verify(kernels(), named("ok_reduce"), options);
  CHECK(of(inside, verify::Property::bounds) == verify::Verdict::verified);
  CHECK(of(inside, verify::Property::null) == verify::Verdict::verified);
  options.launch.block = {128, 1, 1};
  CHECK(of(verify::verify(kernels(), named("ok_unrolled_tree"), options),
           verify::Property::bounds) != verify::Verdict::verified);
}

TEST_CASE("verify/kernels: a simple race is replayed") {
  verify::Options options = launch();
  options.launch.block = {4, 1, 1};
  options.launch.grid = {2, 1, 1};
  for (const char* name : {"race_neighbour", "race_one_place", "race_atomics"}) {
    CAPTURE(name);
    CHECK(of(verify::verify(kernels(), named(name), options), verify::Property::race) ==
          verify::Verdict::violated);
  }
  CHECK(of(verify::verify(kernels(), named("div_some"), options), verify::Property::divergence) ==
        verify::Verdict::violated);
}

TEST_CASE("verify/kernels: rules that kernels need") {
  const auto without = [](const char* kernel, const std::vector<std::string>& rules) {
    verify::Options options = launch();
    options.left_out.insert("unroll");
    for (const std::string& rule : rules) options.left_out.insert(rule);
    return verify::verify(kernels(), named(kernel), options).worst();
  };
  CHECK(without("ok_strided", {"r1"}) != verify::Verdict::verified);
  CHECK(without("ok_strided", {"r10"}) != verify::Verdict::verified);
  CHECK(without("ok_rounds", {"r12"}) != verify::Verdict::verified);
  CHECK(without("ok_reduce", {"r13"}) != verify::Verdict::verified);
  CHECK(without("ok_rows", {"r0", "r2", "r3"}) != verify::Verdict::verified);
}

TEST_CASE("verify/kernels: writes of one value count where that is asked for") {
  verify::Options options = launch();
  options.benign_count = true;
  CHECK(of(verify::verify(kernels(), named("ok_same_value"), options), verify::Property::race) !=
        verify::Verdict::verified);
}

TEST_CASE("verify/kernels: what one solver proves another one proves, too") {
  verify::Options options = launch();
  options.cross_check = true;
  CHECK(verify::verify(kernels(), named("ok_strided"), options).worst() ==
        verify::Verdict::verified);
}

TEST_CASE("verify/kernels: a value that is given makes the launch smaller") {
  verify::Options options = launch();
  options.arguments["n"] = 64;
  CHECK(of(verify::verify(kernels(), named("div_return"), options), verify::Property::divergence) ==
        verify::Verdict::verified);
}

}  // namespace
}  // namespace headway
