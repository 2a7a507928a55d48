// What commands found, as report/findings.hpp has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/conformance.hpp"
#include "report/conform_report.hpp"
#include "report/findings.hpp"
#include "report/verdicts.hpp"
#include "suite/diff.hpp"

namespace headway::cli {

// Whether a format is one of findings.
bool is_of_findings(const std::string& format);
// As `format` has them. Rules are of `command`: "check", "verify", "suite diff", "conform".
std::string findings_text(const std::string& command, const std::string& format,
                          const std::vector<report::Finding>& findings);

// Of a test: one for each thing that is not as it expects, or one that all is.
std::vector<report::Finding> findings_of(const report::CheckedTest& test,
                                         const std::vector<Error>& unmet,
                                         const std::string& undecided);
// One for each difference, and one for all that is the same.
std::vector<report::Finding> findings_of(const suite::Suite& a, const suite::Suite& b,
                                         const suite::SuiteDiff& diff,
                                         const std::vector<models::ModelPtr>& models);
// One a device and reading: failed where runs refute it, open where nothing of it ran.
std::vector<report::Finding> findings_of(const report::ConformReport& report);

}  // namespace headway::cli
