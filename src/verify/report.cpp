#include "verify/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headway::verify {

std::string_view name_of(Verdict verdict) {
  static constexpr std::string_view names[] = {"verified", "violated", "conditional",
                                               "possible", "unknown",  "unsupported"};
  return names[static_cast<std::size_t>(verdict)];
}

bool is_worse(Verdict one, Verdict other) {
  static constexpr int rank[] = {0, 5, 1, 3, 2, 4};
  return rank[static_cast<int>(one)] > rank[static_cast<int>(other)];
}

std::string status_of(const Finding& finding) {
  std::string verdict(name_of(finding.verdict));
  if (finding.but_for.empty()) return verdict;
  return fmt::format("{} but for {}", verdict, fmt::join(finding.but_for, ", "));
}

Verdict Report::worst() const {
  Verdict worst = Verdict::verified;
  for (const Finding& f : findings) {
    const bool is_open = f.verdict == Verdict::unknown || f.verdict == Verdict::conditional;
    if (f.property == Property::termination && is_open) continue;
    const Verdict verdict = f.but_for.empty() ? f.verdict : Verdict::unknown;
    if (is_worse(verdict, worst)) worst = verdict;
  }
  return worst;
}

bool Report::is_proved() const {
  return std::ranges::all_of(findings, [](const Finding& f) {
    return f.property == Property::termination || f.verdict == Verdict::verified;
  });
}

}  // namespace headway::verify
