#include "cli/findings.hpp"

#include <fmt/format.h>

#include <map>

namespace headway::cli {
namespace {

using report::Finding;
using Kind = Finding::Kind;

const std::map<std::string, std::vector<report::FindingRule>> kFindingRules = {
    {"check",
     {{"expectation", "A test does not have the verdict that it is expected to have"},
      {"reference", "Verdicts are not those of a table"},
      {"wrong", "A program goes wrong"},
      {"limit", "A limit left verdicts open"}}},
    {"verify",
     {{"expectation", "A kernel does not have the answer that it is expected to have"},
      {"race", "Two threads access the same memory at once, one of them writing"},
      {"divergence", "Not all threads of a workgroup come to a barrier together"},
      {"assertion", "A claim in the code fails"},
      {"bounds", "An access is beyond the end of an array"},
      {"null", "An access goes to null"},
      {"termination", "A loop does not end"}}},
    {"suite diff",
     {{"only_a", "A test is in the first suite alone"},
      {"only_b", "A test is in the second suite alone"},
      {"changed", "A name stands for another program"},
      {"expectations", "Two suites expect opposite verdicts"}}},
    {"conform", {{"refuted", "Runs of a device refute a reading of a model"}}}};

}  // namespace

bool is_of_findings(const std::string& format) { return format == "junit" || format == "sarif"; }

std::string findings_text(const std::string& command, const std::string& format,
                          const std::vector<Finding>& findings) {
  return format == "junit" ? report::findings_junit(command, findings)
                           : report::findings_sarif(findings, kFindingRules.at(command));
}

std::vector<Finding> findings_of(const report::CheckedTest& test, const std::vector<Error>& unmet,
                                 const std::string& undecided) {
  std::vector<Finding> result;
  const auto add = [&](Kind kind, const char* rule, std::string message, SourcePosition where) {
    Finding finding;
    finding.kind = kind;
    finding.rule = rule;
    finding.group = test.file;
    finding.name = test.name;
    finding.message = std::move(message);
    finding.where = std::move(where);
    finding.seconds = result.empty() ? test.seconds : 0;
    result.push_back(std::move(finding));
  };
  const SourcePosition file{test.file, 0, 0};
  if (test.wrong && !test.error_expected) {
    const int line = test.wrong->steps.empty() ? 0 : test.wrong->steps.back().text.line;
    add(Kind::failed, "wrong", "goes wrong: " + report::wrong_run_summary(*test.wrong),
        {test.file, line, 0});
  }
  for (const Error& error : unmet) add(Kind::failed, "expectation", error.what(), error.where());
  if (!test.result.complete) {
    add(test.open_expected ? Kind::limited : Kind::open, "limit",
        undecided.empty() ? "unknown: a limit was reached" : undecided, file);
  }
  if (result.empty()) add(Kind::met, "expectation", "", {});
  return result;
}

std::vector<Finding> findings_of(const suite::Suite& a, const suite::Suite& b,
                                 const suite::SuiteDiff& diff,
                                 const std::vector<models::ModelPtr>& models) {
  using Difference = suite::Difference;
  std::vector<Finding> result;
  const std::string group = a.path + " " + b.path;
  for (const Difference& difference : diff.differences) {
    Finding finding;
    finding.kind = Kind::failed;
    finding.group = group;
    const bool in_a = difference.a.has_value();
    finding.name = in_a ? a.tests[*difference.a].name : b.tests[*difference.b].name;
    finding.where = {in_a ? a.file(*difference.a) : b.file(*difference.b), 0, 0};
    switch (difference.kind) {
      case Difference::Kind::only_a:
        finding.rule = "only_a";
        finding.message = "only in " + a.path;
        break;
      case Difference::Kind::only_b:
        finding.rule = "only_b";
        finding.message = "only in " + b.path;
        break;
      case Difference::Kind::changed:
        finding.rule = "changed";
        finding.message = "another program in " + b.path;
        for (const suite::Change& change : difference.verdicts) {
          finding.message +=
              fmt::format("; {}:{} {} -> {}", models[change.reading.model]->name(),
                          models::to_string(change.reading.fairness), checker::to_string(change.a),
                          checker::to_string(change.b));
        }
        break;
      case Difference::Kind::expectations:
        finding.rule = "expectations";
        finding.message = fmt::format("{}", fmt::join(difference.expectations, "; "));
        break;
    }
    result.push_back(std::move(finding));
  }
  Finding same;
  same.rule = "same";
  same.group = group;
  same.name = fmt::format("{} programs in both", diff.in_both);
  result.push_back(std::move(same));
  return result;
}

std::vector<Finding> findings_of(const report::ConformReport& report) {
  std::vector<Finding> result;
  for (std::size_t d = 0; d < report.results.size(); ++d) {
    for (const campaign::ReadingResult& reading : report.results[d].readings) {
      Finding finding;
      finding.rule = "refuted";
      finding.group = report.devices[d].device;
      finding.name = report.order.name(reading.reading);
      if (reading.refuted()) {
        finding.kind = Kind::failed;
        std::vector<std::string> names;
        for (const std::size_t test : reading.refuting) {
          names.push_back(report.suite.tests[test].name);
        }
        finding.message = fmt::format("refuted by {} of {} tests: {}", reading.all.refuting,
                                      reading.all.tests, fmt::join(names, ", "));
        finding.where = {report.suite.file(reading.refuting.front()), 0, 0};
      } else if (!reading.tested()) {
        finding.kind = Kind::open;
        finding.message = "no conformance test of it ran";
      }
      result.push_back(std::move(finding));
    }
  }
  return result;
}

}  // namespace headway::cli
