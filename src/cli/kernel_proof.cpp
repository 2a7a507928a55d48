#ifdef HEADWAY_KERNELS
#include "cli/kernel_proof.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "cli/console.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/test/assumption.hpp"
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
  options.stated.buffers = spec.buffers;
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
          {kernel::condition_within(p.name, given.range->first, given.range->second), given.where});
    }
  }
  return options;
}

}  // namespace

std::optional<kernel::ProofOfEnd> proof_of_end(const kernel::ReadKernels& read,
                                               const kernel::Function& function,
                                               const kernel::LaunchSpec& spec,
                                               const kernel::Launch& launch, double seconds) {
  using verify::Property, verify::Verdict;
  std::optional<verify::Options> options = as_verified(function, spec, launch);
  if (!options) return std::nullopt;
  options->trials = false;  // runs have been looked at
  options->bounds = true;
  options->kernel_limit = std::chrono::milliseconds(static_cast<int>(seconds * 1000));
  options->stop = &Interrupt::flag();
  try {
    const verify::Report report = verify::verify(*read.module, function, *options);
    kernel::ProofOfEnd proof;
    proof.within_bounds = true;
    bool ends = false;
    for (const verify::Finding& f : report.findings) {
      const bool is_verified = f.verdict == Verdict::verified;
      const bool is_of_bounds = f.property == Property::bounds || f.property == Property::null ||
                                f.property == Property::alignment ||
                                f.property == Property::constant;
      if (is_of_bounds) {
        proof.within_bounds = proof.within_bounds && is_verified;
      } else if (!is_verified) {
        return std::nullopt;
      }
      ends = ends || f.property == Property::termination;
    }
    if (!ends) return std::nullopt;
    proof.relies = report.assumed;
    proof.relies.insert(proof.relies.end(), report.premises.begin(), report.premises.end());
    return proof;
  } catch (const Error&) {  // verify has no answer, and says why where it is asked
    return std::nullopt;
  }
}

}  // namespace headway::cli
#endif
