// Values of an argument that are listed are looked at one by one, and what is said is about all.
#include "verify/cases.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/named_kernels.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

using verify::Property;
using verify::Verdict;

// A step of a butterfly network, with `required` of its step.
std::string butterfly(const std::string& required) {
  return fmt::format(
      "__global__ void k(float* a, int step, int other) {{\n"
      "  {}\n"
      "  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  unsigned pair = 2 * step * (t / step) + t % step;\n"
      "  float x = a[pair], y = a[pair + step];\n"
      "  a[pair] = x + y;\n"
      "  a[pair + step] = x - y;\n"
      "}}\n",
      required);
}

std::shared_ptr<const kernel::Module> read(const std::string& text) {
  const testing::TemporaryFolder folder;
  return kernel::read_kernels(folder.write("k.cu", text), kernel::Side::device, {},
                              testing::shared_compiler())
      .module;
}

verify::Options small_launch() {
  verify::Options options;
  options.launch.block = {64, 1, 1};
  options.launch.grid = {4, 1, 1};
  return options;
}

// The values of `step` that are looked at by themselves; none where that is all of them at once.
std::multiset<std::uint64_t> asked(const std::string& required, verify::Options options) {
  std::multiset<std::uint64_t> result;
  const auto module = read(butterfly(required));
  verify::verify_by_cases(*module, module->functions[0], options, [&](const verify::Options& own) {
    if (const auto at = own.chosen.find("arg.step"); at != own.chosen.end())
      result.insert(at->second);
    return verify::Report();
  });
  return result;
}

TEST_CASE("verify/cases: what lists the values of an argument is found, and nothing else") {
  using Values = std::multiset<std::uint64_t>;
  const verify::Options options = small_launch();
  for (const char* lists : {
           "__requires(step == 1 | step == 2 | step == 64);",
           "__requires(step == 1 || step == 2 || step == 64);",
           "__requires(64 == step || step == 1 || step == 2);",
           "__requires(other > 3 && (step == 1 || step == 2 || step == 64));",
           "__requires(other > 3); __requires(step == 2 | step == 64 | step == 1);",
       }) {
    INFO(std::string(lists));
    CHECK(asked(lists, options) == Values{1, 2, 64});
  }
  for (const char* none : {
           "",
           "__requires(step == 2);",
           "__requires(step == 1 || step == other);",
           "__requires(step == 1 || other == 2);",
           "__requires(step == 1 || step > 5);",
           "__requires(step != 1 && step != 2);",
           "__requires(!(step == 1 || step == 2));",
           "if (other) { __assume(step == 1 | step == 2); }",
           // Which says nothing of what was before it.
           "__assume(step == 1 | step == 2);",
       }) {
    INFO(std::string(none));
    CHECK(asked(none, options).empty());
  }
  // Two lists are all pairs.
  CHECK(asked("__requires((step == 1 | step == 2) && (other == 5 | other == 6));", options) ==
        Values{1, 1, 2, 2});
  verify::Options stated = options;
  stated.stated.assumptions.push_back({"step == 4 || step == 8", {}});
  CHECK(asked("", stated) == Values{4, 8});
  stated.left_out.insert("cases");
  CHECK(asked("", stated).empty());
}

TEST_CASE("verify/cases: all values are verified, and one that is wrong is told") {
  verify::Options options = small_launch();
  const auto of = [&](const std::string& required) {
    const auto module = read(butterfly(required));
    return verify::verify(*module, module->functions[0], options);
  };
  const verify::Report right = of("__requires(step == 1 | step == 2 | step == 4 | step == 32);");
  CHECK(right.worst() == Verdict::verified);
  CHECK(testing::contains(right.covers, "all arguments and data"));
  CHECK(right.assumed.size() == 1);
  // With a negative step the pairs overlap.
  const verify::Report wrong = of("__requires(step == 1 | step == -3 | step == 4);");
  CHECK(testing::verdict_of(wrong, Property::race) == Verdict::violated);
  CHECK(testing::verdict_of(wrong, Property::divergence) == Verdict::verified);
  // Without time nothing is known of any of them, whatever is said of one.
  options.kernel_limit = std::chrono::milliseconds(0);
  options.trials = false;
  const verify::Report open = of("__requires(step == 1 | step == 2);");
  CHECK(testing::verdict_of(open, Property::race) == Verdict::unknown);
}

}  // namespace
}  // namespace headway
