#include "verify/launch_decides.hpp"

#include <algorithm>

#include "verify/hang.hpp"
#include "verify/trials.hpp"

namespace headway::verify {

bool is_open(const std::pair<const Property, Finding>& one) {
  return one.second.verdict == Verdict::possible || one.second.verdict == Verdict::unknown;
}

bool decide_by(const WholeLaunch& launch, const Options& options,
               std::map<Property, Finding>& worst) {
  for (const auto& [property, fault] : certain_faults(launch, options)) {
    const auto at = worst.find(property);
    if (at == worst.end() || !is_open(*at)) continue;
    at->second = {property, Verdict::violated, fault.line, fault.detail, fault.sides};
  }
  // A proof that excludes divergence leaves barriers at which all come together; otherwise that
  // follows from the code.
  const bool together = worst.at(Property::divergence).verdict == Verdict::verified;
  const bool wrong = std::any_of(worst.begin(), worst.end(), [](const auto& one) {
    return one.second.verdict == Verdict::violated;
  });
  if (wrong || !launch.right || !(together || launch.uniform)) return false;
  // What was proved on a condition holds where that does.
  const bool on_condition = !together || options.equal_reads;
  for (auto& [property, finding] : worst) {
    if (!on_condition && !is_open({property, finding})) continue;
    finding = {property, Verdict::verified, 0, "by " + launch.of, {}};
  }
  return true;
}

Report decided_by_launch(Report report, const kernel::Module& module,
                         const kernel::Function& function, const Options& options,
                         std::chrono::steady_clock::time_point end) {
  if (!options.trials) return report;
  const auto whole =
      look_at_whole_launch(module, function, options, true,
                           std::min(end, std::chrono::steady_clock::now() + kWholeLimit));
  if (!whole) return report;
  std::map<Property, Finding> worst;
  for (const Finding& f : report.findings) {
    worst[f.property] = f;
    worst[f.property].verdict = Verdict::unknown;
  }
  const bool verifies = decide_by(*whole, options, worst);
  for (Finding& f : report.findings) {
    const Finding& decided = worst.at(f.property);
    if (!is_open({f.property, decided})) f = decided;
  }
  const StopSigns stop(options.stop, end);
  if (const auto hang = find_hang(*whole, options, stop)) {
    report.findings.push_back(
        {Property::termination, Verdict::violated, hang->line, hang->detail, {}});
  } else if (const auto ends = verifies ? ends_under(*whole, options, stop) : std::nullopt) {
    report.findings.push_back({Property::termination, Verdict::verified, 0, *ends, {}});
  }
  if (verifies) report.covers += "; where it says so, all executions of the launch stated";
  return report;
}

}  // namespace headway::verify
