#ifdef HEADWAY_KERNELS
#include "cli/kernel_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "verify/verify.hpp"

namespace headway::cli {
namespace {

// The same launch; nothing where it is none of verify's.
std::optional<verify::Options> as_verified(const kernel::Function& function,
                                           const kernel::LaunchSpec& spec,
                                           const kernel::Launch& launch) {
  if (!spec.started.empty()) return std::nullopt;
  verify::Options options;
  for (std::size_t d = 0; d < 3; ++d) {
    options.launch.block[d] = launch.block[d];
    options.launch.grid[d] = launch.grid[d];
  }
  options.launch.subgroup = static_cast<std::uint32_t>(launch.subgroup);
  options.stated.workgroup_bytes = launch.workgroup_bytes;
  options.stated.assumptions = spec.assumptions;
  for (const kernel::Parameter& p : function.parameters) {
    const auto said = spec.arguments.find(p.name);
    if (said == spec.arguments.end() || p.by_value > 0 || p.type.is_pointer()) continue;
    const kernel::ArgumentSpec& given = said->second;
    if (!given.unknown) {
      options.arguments[p.name] =
          !p.type.is_real()
              ? static_cast<std::uint64_t>(given.integer)
              : kernel::from_double(
                    given.is_real ? given.value : static_cast<double>(given.integer), p.type.bits);
    } else if (given.range) {
      options.stated.assumptions.push_back(
          {fmt::format("{0} >= {1} && {0} <= {2}", p.name, given.range->first, given.range->second),
           given.where});
    }
  }
  return options;
}

}  // namespace

std::optional<std::vector<std::string>> proof_of_end(const kernel::ReadKernels& read,
                                                     const kernel::Function& function,
                                                     const kernel::LaunchSpec& spec,
                                                     const kernel::Launch& launch, double seconds,
                                                     const std::atomic<bool>* stop) {
  std::optional<verify::Options> options = as_verified(function, spec, launch);
  if (!options) return std::nullopt;
  options->trials = false;  // runs have been looked at
  options->kernel_limit = std::chrono::milliseconds(static_cast<int>(seconds * 1000));
  options->stop = stop;
  try {
    const verify::Report report = verify::verify(*read.module, function, *options);
    const auto is_verified = [](const verify::Finding& f) {
      return f.verdict == verify::Verdict::verified;
    };
    const auto is_about_end = [](const verify::Finding& f) {
      return f.property == verify::Property::termination;
    };
    if (!std::ranges::all_of(report.findings, is_verified) ||
        std::ranges::none_of(report.findings, is_about_end)) {
      return std::nullopt;
    }
    std::vector<std::string> relies = report.assumed;
    relies.insert(relies.end(), report.premises.begin(), report.premises.end());
    return relies;
  } catch (const Error&) {  // verify has no answer, and says why where it is asked
    return std::nullopt;
  }
}

}  // namespace headway::cli
#endif
