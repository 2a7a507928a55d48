// The figures of Sorensen et al. (OOPSLA 2021), of any suite and devices: which part of a suite
// shows what (Fig. 10), how devices and mappings refute (Fig. 12), and devices as sets of tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/conform_report.hpp"
#include "report/suite.hpp"

namespace headway::report {

// The table of classes with percentages of all tests, or of the weak and the strong ones.
TextTable share_table(const ClassificationReport& report);
// A page with that table and its chart.
std::string classification_html(const ClassificationReport& report);

// Tests of which something is asked. Without readings all tests that were run.
struct TestChoice {
  std::string name;                // "OBE:weak", "between LOBE and fair"
  std::vector<std::size_t> tests;  // of the suite, increasing
};
// The tests that pass under a reading.
TestChoice conformance_tests(const ConformReport& report, const models::Reading& reading);
// Those that `to` makes pass and `from` does not: by one reading each; or, of models, by the weak
// readings of both where the test passes under the weak one of `to`, and else by the strong ones.
TestChoice tests_between(const ConformReport& report, const std::string& from,
                         const std::string& to);
TestChoice all_tests(const ConformReport& report);

// A line a choice, device and mapping: how many of the tests ran, and how many of these hung in
// every run, in some, or nobody knows in how many.
TextTable mapping_table(const ConformReport& report, const std::vector<TestChoice>& choices);
std::string mapping_chart(const ConformReport& report, const TestChoice& choice);

// A line a device: how many of the tests ran and hung.
TextTable between_table(const ConformReport& report, const TestChoice& choice);
// Those of the tests that were run and hung nowhere.
std::vector<std::string> never_hung(const ConformReport& report, const TestChoice& choice);

// A line a pair of devices: of the tests that both ran, how many hung on both, on one, on none.
TextTable comparison_table(const ConformReport& report, const TestChoice& choice);

}  // namespace headway::report
