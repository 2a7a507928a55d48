#ifdef HEADWAY_KERNELS
#include "cli/verify_answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/file.hpp"
#include "cli/findings.hpp"
#include "report/properties.hpp"
#include "report/table.hpp"
#include "verify/output.hpp"
#include "verify/page.hpp"

namespace headway::cli {
namespace {

bool is_of_error(const verify::Finding& finding) {
  return finding.verdict == verify::Verdict::violated;
}

report::Finding::Kind kind_of(const verify::Finding& finding, bool is_expected) {
  using Kind = report::Finding::Kind;
  switch (finding.verdict) {
    case verify::Verdict::verified:
      return finding.detail.empty() && finding.but_for.empty() ? Kind::met : Kind::limited;
    case verify::Verdict::violated:
      return is_expected ? Kind::limited : Kind::failed;
    case verify::Verdict::conditional:
    case verify::Verdict::possible:
      return Kind::possible;
    case verify::Verdict::unknown:
    case verify::Verdict::unsupported:
      break;
  }
  return Kind::open;
}

// What is taken for granted together, with the kernels of which that is so, in their order.
std::vector<std::pair<std::string, std::vector<std::string>>> by_premises(
    const std::vector<verify::Report>& reports) {
  std::vector<std::pair<std::string, std::vector<std::string>>> result;
  for (const verify::Report& r : reports) {
    if (r.premises.empty()) continue;
    const std::string text = fmt::format("{}", fmt::join(r.premises, "; "));
    auto known = std::find_if(result.begin(), result.end(),
                              [&](const auto& one) { return one.first == text; });
    if (known == result.end()) known = result.insert(known, {text, {}});
    known->second.push_back(r.kernel);
  }
  return result;
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
      finding.kind = kind_of(f, one.expects(f));
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

std::string text_of(const std::vector<Answered>& all, const std::vector<Error>& errors,
                    const std::string& format) {
  std::vector<verify::Report> reports;
  reports.reserve(all.size());
  for (const Answered& one : all) reports.push_back(one.report);
  if (format == "json") return verify::to_json(reports);
  if (is_of_findings(format)) {
    std::vector<report::Finding> findings = report::findings_of(errors);
    for (report::Finding& each : findings_of(all)) findings.push_back(std::move(each));
    return findings_text("verify", format, findings);
  }
  if (format == "html") {
    std::map<std::string, std::string> sources;
    for (const verify::Report& r : reports) {
      if (!r.file.ends_with(".bc")) sources.try_emplace(r.file, read_file(r.file));
    }
    return verify::to_html(reports, sources);
  }
  std::vector<report::PropertyRow> rows;
  for (const verify::Report& r : reports) {
    std::vector<std::string> assumed = r.assumed;
    assumed.insert(assumed.end(), r.premises.begin(), r.premises.end());
    for (const verify::Finding& f : r.findings) {
      rows.push_back({r.file, r.kernel, std::string(name_of(f.property)), status_of(f), f.line,
                      f.detail, assumed});
    }
  }
  if (format == "csv") return report::property_csv(rows);
  std::string text = report::property_table(rows);
  std::vector<std::string> covers, assumed;
  for (const verify::Report& r : reports) {
    if (std::find(covers.begin(), covers.end(), r.covers) == covers.end()) {
      covers.push_back(r.covers);
    }
    for (const std::string& what : r.assumed) assumed.push_back(r.kernel + ": " + what);
  }
  for (const std::string& what : assumed) text += "\nassumed: " + what;
  for (const auto& [premises, kernels] : by_premises(reports)) {
    text += "\ntaken for granted: " + premises;
    if (kernels.size() < reports.size()) text += fmt::format(" ({})", fmt::join(kernels, ", "));
  }
  for (const std::string& what : covers) text += "\n" + what;
  const auto about_bounds = [](const auto& row) { return row.property == "bounds"; };
  const bool bounds = std::any_of(rows.begin(), rows.end(), about_bounds);
  if (!bounds) text += "\nends of arrays are not looked at without --bounds";
  return report::folded(text + "\n");
}

}  // namespace headway::cli
#endif
