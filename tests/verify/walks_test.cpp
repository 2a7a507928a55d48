// Errors of kernels whose threads wait, lock, vote and shuffle are found in runs, of a large launch
// as of a small one, and launches that hang are; what is right is not said to be wrong.
#include "verify/walks.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/file.hpp"
#include "kernel/directives.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "verify/hang.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

using verify::Property;
using verify::Verdict;

std::string answers(const verify::Report& report) {
  std::string text;
  for (const verify::Finding& one : report.findings) {
    text += std::string(name_of(one.property)) + " " + std::string(name_of(one.verdict)) + " " +
            one.detail + "\n";
  }
  return text;
}

bool is_violated(const verify::Report& report, Property property) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const auto& one) {
    return one.property == property && one.verdict == Verdict::violated;
  });
}

// What `find_hang` says of the first launch of a file of litmus/kernels.
std::optional<verify::TrialFault> hang_of(const std::string& text, const char* name = "k.cu",
                                          bool lockstep = false) {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const testing::TemporaryFolder folder;
  const auto file = folder.write(name, text);
  const kernel::Directives directives = kernel::parse_directives(text, file.string());
  const auto module = kernel::read_kernels(file, kernel::Side::device, {}, compiler,
                                           kernel::sized_buffers(directives, {}))
                          .module;
  verify::Options options;
  options.lockstep = lockstep;
  options.launch.subgroup = directives.launches.at(0).subgroup.value_or(32);
  options.stated = kernel::with(directives.launches.at(0), {});
  for (std::size_t d = 0; d < 3; ++d) {
    options.launch.grid[d] = (*directives.launches.at(0).grid)[d];
    options.launch.block[d] = (*directives.launches.at(0).block)[d];
  }
  const auto whole =
      verify::look_at_whole_launch(*module, module->functions.at(0), options, false,
                                   std::chrono::steady_clock::now() + std::chrono::seconds(60));
  return whole ? verify::find_hang(*whole, options, headway::StopSigns()) : std::nullopt;
}

std::string litmus(const std::string& name) {
  return read_file(testing::source_dir() / "litmus" / "kernels" / name);
}

}  // namespace

TEST_CASE("verify/walks: what is wrong with waiting, locks, votes and shuffles is violated") {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const auto module = kernel::read_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/waiting.cu",
                                           kernel::Side::device, {}, compiler)
                          .module;
  REQUIRE(module->functions.size() > 13);
  for (const std::uint32_t grid : {2U, 64U}) {
    for (const kernel::Function& f : module->functions) {
      verify::Options options;
      options.launch.grid = {grid, 1, 1};
      const verify::Report report = verify::verify(*module, f, options);
      INFO(f.name, " with ", grid, " workgroups: ", answers(report));
      if (f.name.starts_with("ok_")) {
        CHECK(report.worst() != Verdict::violated);
        continue;
      }
      CHECK(is_violated(report, f.name.starts_with("race_")  ? Property::race
                                : f.name.starts_with("div_") ? Property::divergence
                                                             : Property::assertion));
    }
  }
}

TEST_CASE("verify/walks: a launch from which no execution ends hangs, at the line where it waits") {
  const std::pair<const char*, int> twins[] = {{"spin-lock-broken.cl", 6},
                                               {"grid-barrier-broken.cl", 10},
                                               {"chained-scan-drawn-broken.cu", 14}};
  for (const auto& twin : twins) {
    const auto found = hang_of(litmus(twin.first), twin.first);
    CAPTURE(twin.first);
    REQUIRE(found);
    CHECK(found->property == Property::termination);
    CHECK(found->line == twin.second);
  }
}

TEST_CASE("verify/walks: launches that end in some executions, or may do so, do not hang") {
  // The latter two hang where not all are scheduled, which models decide.
  for (const char* name : {"spin-lock.cl", "grid-barrier.cl", "chained-scan-drawn.cu",
                           "ticket-lock-broken.cu", "subgroup-lock-broken.cl"}) {
    CAPTURE(name);
    CHECK_FALSE(hang_of(litmus(name), name));
  }
}

TEST_CASE(
    "verify/walks: a lock that is released behind its loop hangs in lockstep, and only there") {
  for (const char* name : {"subgroup-lock-broken.cl", "warp-lock-broken.cu"}) {
    CAPTURE(name);
    const auto found = hang_of(litmus(name), name, true);
    REQUIRE(found);
    CHECK(found->line == 7);
  }
  for (const char* name : {"subgroup-lock.cl", "warp-lock.cu"}) {
    CAPTURE(name);
    CHECK_FALSE(hang_of(litmus(name), name, true));
  }
}

TEST_CASE("verify/walks: a launch hangs where nothing is guessed that it waits for") {
  const std::string waits =
      "__global__ void k(int* flag, int n) { while (atomicAdd(flag, 0) != n); }";
  const std::string launch = "// headway: kernel k grid 1 block 2 ";
  CHECK(hang_of(launch + "arg n=1 buffer flag=1:zero\n" + waits));
  CHECK_FALSE(hang_of(launch + "arg n=0 buffer flag=1:zero\n" + waits));
  CHECK_FALSE(hang_of(launch + "arg n=1\n" + waits));
  CHECK_FALSE(hang_of(launch + "arg n=1 buffer flag=1\n" + waits));
  CHECK_FALSE(hang_of(launch + "buffer flag=1:zero\n" + waits));
  const std::string turns = "__global__ void k(int n) { while (n > 0); }";
  CHECK(hang_of(launch + "arg n=1\n" + turns));
  CHECK_FALSE(hang_of(launch + "arg n=0\n" + turns));
}

TEST_CASE("verify/walks: a kernel takes no longer than its limit, whatever its loops do") {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const testing::TemporaryFolder folder;
  const auto module = kernel::read_kernels(folder.write("long.cu", R"(
      __global__ void k(int* a, unsigned n) {
        unsigned sum = 0;
        for (unsigned i = 0; i != n; i++) for (unsigned j = 0; j != n; j++) sum += i * j;
        a[sum % 7 * blockDim.x] = threadIdx.x;
      })"),
                                           kernel::Side::device, {}, compiler)
                          .module;
  verify::Options options;
  options.launch.block = {1024, 1, 1};
  options.kernel_limit = std::chrono::seconds(1);
  options.stated.arguments["n"].integer = 1 << 30;
  const verify::Report report = verify::verify(*module, module->functions.front(), options);
  // A busy machine gives it a part of its time.
  CHECK(report.seconds < 6);
}

}  // namespace headway
