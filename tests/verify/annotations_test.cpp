// What authors say of their kernels: tests/data/verify/annotations.cu says what is answered.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "support/named_kernels.hpp"
#include "verify/preconditions.hpp"

namespace headway {
namespace {

TEST_CASE("verify/annotations: what authors say is checked, and used where it holds") {
  const auto module = testing::kernels_of("annotations.cu");
  REQUIRE(module->functions.size() > 55);
  testing::expect_named_answers(*module, testing::kernels_launch());
  verify::Options options = testing::kernels_launch();
  options.trials = false;
  testing::expect_named_answers(*module, options, false);
}

TEST_CASE("verify/annotations: a run shows what is wrong with a claim about accesses") {
  const auto module = testing::kernels_of("annotations.cu");
  const verify::Report report = verify::verify(
      *module, testing::kernel_named(*module, "fail_where_written"), testing::kernels_launch());
  CHECK(testing::verdict_of(report, verify::Property::assertion) == verify::Verdict::violated);
}

TEST_CASE(
    "verify/annotations: a claim that cannot be evaluated at the end is unsupported, with its "
    "place") {
  const auto module = testing::kernels_of("unsupported.cu");
  REQUIRE(module->functions.size() == 2);
  for (const kernel::Function& f : module->functions) {
    for (const verify::Finding& one :
         verify::verify(*module, f, testing::kernels_launch()).findings) {
      if (one.property != verify::Property::assertion) continue;
      INFO(f.name, ": ", one.detail);
      CHECK(one.verdict == verify::Verdict::unsupported);
      CHECK(one.line == (f.name == "branches_on_memory" ? 2 : 4));
    }
  }
}

TEST_CASE("verify/annotations: a barrier invariant that fails proves nothing") {
  const auto module = testing::kernels_of("annotations.cu");
  for (const kernel::Function& f : module->functions) {
    if (f.name != "fail_barrier" && f.name != "race_barrier_reads_others") continue;
    for (const verify::Finding& one :
         verify::verify(*module, f, testing::kernels_launch()).findings) {
      INFO(f.name, ": ", name_of(one.property));
      CHECK(one.verdict != verify::Verdict::verified);
    }
  }
}

TEST_CASE(
    "verify/annotations: conditions that are missing are named, if they are enough and possible") {
  const auto module = testing::kernels_of("preconditions.cu");
  const std::map<std::string, std::string> expected = {
      {"stride", "; verified if n > 0 && n < 65536"},
      {"tail", "; verified if n % blockDim.x == 0, or if n >= gridDim.x * blockDim.x"},
      {"rows", "; verified if width >= blockDim.x && width < 65536"},
      {"never", ""},
      {"required", ""}};
  for (const kernel::Function& f : module->functions) {
    verify::Report report = verify::verify(*module, f, testing::kernels_launch());
    verify::suggest_preconditions(report, *module, f, testing::kernels_launch());
    for (const verify::Finding& one : report.findings) {
      const std::size_t at = one.detail.find("; verified if");
      INFO(f.name, " ", name_of(one.property), ": ", one.detail);
      CHECK((at == std::string::npos ? "" : one.detail.substr(at)) ==
            (one.verdict == verify::Verdict::verified ? "" : expected.at(f.name)));
    }
  }
}

}  // namespace
}  // namespace headway
