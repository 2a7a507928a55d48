// What invariants are looked for is what open claims hang on, and that is enough.
#include "verify/cone.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "support/named_kernels.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

using verify::Property;
using verify::Verdict;

// A loop with a barrier, by which k and g go on; `body` is what each round does besides.
verify::Report looped(const std::string& body, bool has_race = false) {
  const testing::TemporaryFolder folder;
  const std::string text = fmt::format(
      "__global__ void k(float* out, int n) {{\n"
      "  int g = blockIdx.x * 32 + threadIdx.x + (blockIdx.y * 4 + threadIdx.y) * 128;\n"
      "  for (int k = 0; k < 100; k++) {{\n"
      "    out[{}] = k;\n"
      "    {}\n"
      "    g += 16384;\n"
      "    __syncthreads();\n"
      "  }}\n"
      "}}\n",
      has_race ? "g & 1023" : "g", body);
  const auto module = kernel::read_kernels(folder.write("k.cu", text), kernel::Side::device, {},
                                           testing::shared_compiler())
                          .module;
  verify::Options options;
  options.launch.block = {32, 4, 1};
  options.launch.grid = {4, 25, 1};
  options.trials = false;
  options.kernel_limit = std::chrono::seconds(15);
  return verify::verify(*module, module->functions[0], options);
}

bool has_rule(const verify::Report& report, const std::string& name) {
  return std::ranges::any_of(
      report.rules, [&](const verify::RuleCount& one) { return one.rule == name && one.made > 0; });
}

TEST_CASE("verify/cone: of variables that no open claim hangs on no invariants are looked for") {
  const verify::Report report = looped("");
  CHECK(report.worst() == Verdict::verified);
  CHECK(has_rule(report, "affine"));     // which leaves no race open
  CHECK_FALSE(has_rule(report, "r10"));  // of g, whose stride is large
  CHECK(has_rule(report, "r9"));         // of k, which threads leave the loop by
}

TEST_CASE("verify/cone: what a claim, an assumption or a race hangs on has its invariants") {
  CHECK(has_rule(looped("", true), "r10"));
  const verify::Report asserted =
      looped("__assert(g % 64 == (blockIdx.x * 32 + threadIdx.x) % 64);");
  CHECK(asserted.worst() == Verdict::verified);
  CHECK(has_rule(asserted, "r10"));
  const verify::Report stated = looped("__invariant(g >= 0);");
  CHECK(has_rule(stated, "r10"));
  // That an assumption holds in no round is shown by what is known of its variables.
  for (const verify::Finding& one : looped("__assume(g < 0);").findings) {
    CHECK(one.verdict == Verdict::unknown);
    CHECK(one.about_nothing);
  }
  // By an assumption about both k is bounded as g is.
  const verify::Report assumed = looped("__assume(k < 1000 - (g & 1)); __assert(k < 1000);");
  CHECK(assumed.worst() == Verdict::verified);
}

TEST_CASE("verify/cone: what is open beside races is settled where a race takes all the time") {
  const testing::TemporaryFolder folder;
  // Nobody shows in time that the cells of both products are apart; that all come to the barrier,
  // and that the loop ends, hangs on i alone.
  const auto module =
      kernel::read_kernels(
          folder.write("k.cu",
                       "__global__ void k(unsigned* out, unsigned s, unsigned t) {\n"
                       "  unsigned a = threadIdx.x * s, b = threadIdx.x * t;\n"
                       "  for (int i = 0; i < 50; i += 1 + (i & 1)) {\n"
                       "    out[a % 7919 * (b % 7907)] = i;\n"
                       "    a = a * b + s; b = b * a + t;\n"
                       "    __syncthreads();\n"
                       "  }\n"
                       "}\n"),
          kernel::Side::device, {}, testing::shared_compiler())
          .module;
  verify::Options options;
  options.trials = false;
  options.kernel_limit = std::chrono::seconds(4);
  const auto verdict = [&](Property property) {
    return testing::verdict_of(verify::verify(*module, module->functions[0], options), property);
  };
  CHECK(verdict(Property::race) != Verdict::verified);
  CHECK(verdict(Property::divergence) == Verdict::verified);
  CHECK(verdict(Property::termination) == Verdict::verified);
}

}  // namespace
}  // namespace headway
