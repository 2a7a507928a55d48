#ifdef HEADWAY_KERNELS
#include "cli/verify_answers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::cli {
namespace {

bool is_of_error(const verify::Finding& finding) {
  return finding.verdict == verify::Verdict::violated;
}

}  // namespace

const kernel::LaunchDirective* launch_of(const kernel::Directives& directives,
                                         const std::string& kernel) {
  for (const kernel::LaunchDirective& launch : directives.launches) {
    if (!launch.host_program && (launch.kernel.empty() || launch.kernel == kernel)) return &launch;
  }
  return nullptr;
}

Answered answered(verify::Report report, const kernel::Directives& directives) {
  const kernel::LaunchDirective* launch = launch_of(directives, report.kernel);
  // The head of a test of GPUVerify is read for its sizes.
  if (launch == nullptr || directives.of_gpuverify) return {std::move(report), {}};
  std::vector<kernel::PropertyAnswer> answers;
  answers.reserve(report.findings.size());
  for (const verify::Finding& finding : report.findings) {
    answers.push_back({std::string(name_of(finding.property)), status_of(finding)});
  }
  kernel::Held held = kernel::held_to(*launch, report.kernel, answers);
  return {std::move(report), std::move(held)};
}

bool is_unmet(const Answered& one) {
  return !one.held.unmet.empty() ||
         std::ranges::any_of(one.report.findings, [&](const verify::Finding& finding) {
           return is_of_error(finding) && !one.expects(finding);
         });
}

// Where an error is expected, what lies behind it need not be known.
bool leaves_open(const Answered& one) {
  return !one.held.open && std::ranges::none_of(one.report.findings, is_of_error) &&
         (one.report.worst() != verify::Verdict::verified || !one.report.may_go_on.empty());
}

std::vector<report::Finding> findings_of(const std::vector<Answered>& reports) {
  using Kind = report::Finding::Kind;
  std::vector<report::Finding> result;
  for (const Answered& one : reports) {
    const verify::Report& r = one.report;
    for (const verify::Finding& f : r.findings) {
      report::Finding finding;
      finding.kind = f.verdict == verify::Verdict::verified
                         ? f.detail.empty() && f.but_for.empty() ? Kind::met : Kind::limited
                     : f.verdict == verify::Verdict::violated
                         ? one.expects(f) ? Kind::limited : Kind::failed
                     : f.verdict == verify::Verdict::possible ? Kind::possible
                                                              : Kind::open;
      finding.rule = name_of(f.property);
      finding.group = r.file;
      finding.name = fmt::format("{} {}", r.kernel, name_of(f.property));
      finding.message = fmt::format("{}{}{}", status_of(f), f.detail.empty() ? "" : ": ", f.detail);
      finding.where = {r.file, f.line, 0};
      finding.seconds = &f == &r.findings.front() ? r.seconds : 0;
      result.push_back(std::move(finding));
    }
    for (const Error& unmet : one.held.unmet) {
      report::Finding finding;
      finding.kind = Kind::failed;
      finding.rule = "expectation";
      finding.group = r.file;
      finding.name = r.kernel + " expectation";
      finding.message = unmet.what();
      finding.where = unmet.where();
      result.push_back(std::move(finding));
    }
  }
  return result;
}

}  // namespace headway::cli
#endif
