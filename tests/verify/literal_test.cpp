// What verify says of random kernels, held against all executions of their launch as kernel IR
// taken literally has them: none of a kernel that is verified goes wrong, and one of a kernel that
// is violated does. HEADWAY_VERIFY_LITERAL=5000 looks at so many, HEADWAY_KERNELS_SEED at others.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <map>

#include "kernel/literal/interpreter.hpp"
#include "kernel/literal/random_cuda.hpp"
#include "support/budget.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

struct SmallCuda {
  std::uint32_t grid = 1, block = 2, subgroup = 32, n = 0;
};

testing::LiteralResult all_executions(const kernel::Module& module,
                                      const kernel::Function& function, const SmallCuda& small) {
  testing::LiteralLaunch launch;
  launch.grid = {small.grid, 1, 1};
  launch.block = {small.block, 1, 1};
  launch.subgroup = static_cast<int>(small.subgroup);
  launch.workgroup_bytes = testing::RandomCuda::kWorkgroupBytes;
  launch.buffers["a"].resize(16);
  launch.buffers["f"].resize(16);
  launch.buffers["o"].resize(32);
  launch.integers["n"] = small.n;
  return testing::run_literally(module, function, launch);
}

verify::Report asked(const kernel::Module& module, const kernel::Function& function,
                     const SmallCuda& small) {
  verify::Options options;
  options.launch.grid = {small.grid, 1, 1};
  options.launch.block = {small.block, 1, 1};
  options.launch.subgroup = small.subgroup;
  options.bounds = true;
  for (const char* name : {"a", "f", "o"}) {
    options.stated.buffers[name].content = kernel::BufferSpec::Content::zero;
    options.stated.buffers[name].elements = *name == 'o' ? 8 : 4;
  }
  options.stated.workgroup_bytes = testing::RandomCuda::kWorkgroupBytes;
  options.arguments["n"] = small.n;
  options.query_limit = std::chrono::milliseconds(200);
  options.kernel_limit = std::chrono::milliseconds(1000);
  return verify::verify(module, function, options);
}

}  // namespace

TEST_CASE("verify/literal: what is verified goes wrong in no execution, what is violated in one") {
  const int count = testing::wished("HEADWAY_VERIFY_LITERAL", testing::budget(25));
  const auto seed = static_cast<unsigned>(testing::wished("HEADWAY_KERNELS_SEED", 20261126));
  std::map<std::string, int> verified, violated;
  unsigned number = 0;
  const auto compare = [&](const kernel::ReadKernels& read, const kernel::Function& function) {
    // Volatile accesses are plain ones to verify.
    kernel::Module module = *read.module;
    module.volatile_is_atomic = false;
    const SmallCuda small{number % 3 == 0 ? 2U : 1U,
                          number % 3 == 1                       ? 3U
                          : number % 3 == 2 || number % 12 == 0 ? 2U
                                                                : 1U,
                          number % 5 == 0 ? 2U : 32U, number / 3 % 3};
    ++number;
    const testing::LiteralResult literal = all_executions(module, function, small);
    const verify::Report report = asked(*read.module, function, small);
    for (const verify::Finding& one : report.findings) {
      const std::string property(verify::name_of(one.property));
      INFO(function.name,
           fmt::format(" grid {} block {} subgroup {} n {}: {} {} {}; literally {}", small.grid,
                       small.block, small.subgroup, small.n, property, verify::name_of(one.verdict),
                       one.detail, literal.faults),
           " of ", testing::source_of(read, function));
      const bool ends = one.property == verify::Property::termination;
      if (one.verdict == verify::Verdict::verified && one.but_for.empty()) {
        ++verified[property];
        CHECK_FALSE(literal.faults.contains(property));
        if (ends) CHECK_FALSE(literal.repeats);
      }
      if (one.verdict == verify::Verdict::violated) {
        ++violated[property];
        // What lies behind another error is not looked at literally.
        const bool found = !literal.faults.empty() || (ends && literal.repeats);
        CHECK((found || literal.cut || !literal.complete));
      }
    }
  };
  testing::for_each_random_cuda(seed, count, compare);
  MESSAGE(fmt::format("verified {}, violated {}", verified, violated));
  CHECK(verified["race"] > count / 10);
  CHECK(violated["race"] > count / 10);
}

}  // namespace headway
