// What each argument of what synchronizes means: kernels that differ in one argument, and whose
// answer hangs on it (tests/data/verify/meaning.cu, meaning.cl), by `verify` and by the engine of
// `check`. A kernel more is a line there.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "kernel/test/analysis.hpp"
#include "support/named_kernels.hpp"

namespace headway {
namespace {

// Flags that are 0 at first.
kernel::BufferSpec zeros() {
  kernel::BufferSpec result;
  result.elements = 2;
  result.content = kernel::BufferSpec::Content::zero;
  return result;
}

bool has_flag(const kernel::Function& f) {
  return std::any_of(f.parameters.begin(), f.parameters.end(),
                     [](const kernel::Parameter& p) { return p.name == "flag"; });
}

const std::map<std::string, std::pair<verify::Property, kernel::FaultKind>>& properties() {
  static const std::map<std::string, std::pair<verify::Property, kernel::FaultKind>> all = {
      {"race", {verify::Property::race, kernel::FaultKind::race}},
      {"div", {verify::Property::divergence, kernel::FaultKind::divergence}},
      {"assert", {verify::Property::assertion, kernel::FaultKind::assertion}}};
  return all;
}

// Two workgroups of 32 threads, one subgroup each.
void expect_proofs(const kernel::Module& module, const kernel::Function& f) {
  verify::Options options = testing::kernels_launch();
  options.launch.grid = {2, 1, 1};
  options.launch.block = {32, 1, 1};
  if (has_flag(f)) options.stated.buffers["flag"] = zeros();
  const verify::Report report = verify::verify(module, f, options);
  std::string told;
  for (const verify::Finding& one : report.findings) {
    told += std::string(name_of(one.property)) + " " + std::string(name_of(one.verdict)) + " " +
            one.detail + "\n";
  }
  INFO(told);
  if (f.name.starts_with("ok_")) {
    CHECK(report.worst() == verify::Verdict::verified);
    return;
  }
  const verify::Verdict verdict =
      testing::verdict_of(report, properties().at(f.name.substr(0, f.name.find('_'))).first);
  const bool found = verdict == verify::Verdict::possible || verdict == verify::Verdict::violated;
  CHECK(found);
}

void expect_engine(const std::shared_ptr<const kernel::Module>& module, const kernel::Function& f) {
  if (!kernel::refusals(f, false).empty()) return;  // copies within kernels
  kernel::LaunchSpec spec;
  spec.grid = kernel::Size3{2, 1, 1};
  spec.block = kernel::Size3{32, 1, 1};
  if (has_flag(f)) spec.buffers["flag"] = zeros();
  kernel::AnalysisOptions options;
  options.explore.all_faults = true;
  const kernel::Analysis found = kernel::analyse(module, f, spec, nullptr, options);
  std::map<kernel::FaultKind, std::string> faults;
  for (const kernel::FoundFault& one : found.exploration.faults) {
    faults[one.fault.kind] = one.fault.detail;
  }
  if (f.name.starts_with("ok_")) {
    const std::string told = faults.empty() ? "" : faults.begin()->second;
    INFO(told);
    CHECK(faults.empty());
    return;
  }
  CHECK(faults.contains(properties().at(f.name.substr(0, f.name.find('_'))).second));
}

void expect_answers(const std::string& file) {
  const auto module = testing::kernels_of(file);
  CHECK(module->functions.size() > 30);
  for (const kernel::Function& f : module->functions) {
    INFO(f.name);
    CHECK(f.unsupported.empty());
    expect_proofs(*module, f);
    expect_engine(module, f);
  }
}

}  // namespace

TEST_CASE("verify/meaning: arguments of what synchronizes in CUDA") {
  expect_answers("meaning.cu");
}

TEST_CASE("verify/meaning: arguments of what synchronizes in OpenCL C") {
  expect_answers("meaning.cl");
}

}  // namespace headway
