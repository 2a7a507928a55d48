#include "verify/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headway::verify {

std::string_view name_of(Verdict verdict) {
  static constexpr std::string_view names[] = {"verified", "violated", "conditional",
                                               "possible", "unknown",  "unsupported"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string status_of(const Finding& finding) {
  std::string verdict(name_of(finding.verdict));
  if (finding.but_for.empty()) return verdict;
  return fmt::format("{} but for {}", verdict, fmt::join(finding.but_for, ", "));
}

Verdict Report::worst() const {
  static constexpr int rank[] = {0, 5, 1, 3, 2, 4};
  Verdict worst = Verdict::verified;
  for (const Finding& f : findings) {
    const bool is_open = f.verdict == Verdict::unknown || f.verdict == Verdict::conditional;
    if (f.property == Property::termination && is_open) continue;
    const Verdict verdict = f.but_for.empty() ? f.verdict : Verdict::unknown;
    if (rank[static_cast<int>(verdict)] > rank[static_cast<int>(worst)]) worst = verdict;
  }
  return worst;
}

}  // namespace headway::verify
