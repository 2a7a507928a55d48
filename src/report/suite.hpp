// What is said about suites. Tables are for people and for CSV alike; JSON has a form of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/table.hpp"
#include "suite/classification.hpp"
#include "suite/diff.hpp"
#include "suite/duplicates.hpp"
#include "suite/fingerprint.hpp"
#include "suite/suite.hpp"

namespace headway::report {

// Receives a text piece by piece: that of a large suite is better not kept in memory.
using Sink = std::function<void(const std::string&)>;

// A line a test, and what each model guarantees of it.
TextTable suite_verdict_table(const suite::Suite& suite, const suite::VerdictMatrix& matrix);
// The columns test,model,fairness,verdict.
void suite_verdict_csv(const suite::Suite& suite, const suite::VerdictMatrix& matrix,
                       const Sink& sink);
// An array with an object a test.
void suite_verdict_json(const suite::Suite& suite, const suite::VerdictMatrix& matrix,
                        const Sink& sink);

// What `suite classify` finds out.
struct ClassificationReport {
  const suite::Suite& suite;
  const suite::VerdictMatrix& matrix;
  const suite::SuiteOrder& order;
  suite::Classification classification;
  // Instead of the count by the order, when it is wanted.
  std::optional<suite::PublishedAttribution::Table> published;
  std::vector<suite::SignatureClass> signatures;
  suite::Groups programs;
  suite::Groups behaviours;
};
// Readings, or the published models, and how many tests they have.
TextTable class_table(const ClassificationReport& report);
// Signatures, how many tests have each, and a smallest one.
TextTable signature_table(const ClassificationReport& report);
// Groups of more than one test.
TextTable duplicate_table(const ClassificationReport& report);
// Tests, and where each belongs.
TextTable test_table(const ClassificationReport& report);
std::string classification_json(const ClassificationReport& report);

// The chosen tests and what each model guarantees of them.
TextTable fingerprint_table(const suite::Suite& suite, const suite::VerdictMatrix& matrix,
                            const suite::Fingerprint& fingerprint);
// The pairs of readings that no test separates, and whether any test of so few threads could.
TextTable inseparable_table(const suite::SuiteOrder& order, const suite::Fingerprint& fingerprint);
std::string fingerprint_json(const suite::Suite& suite, const suite::VerdictMatrix& matrix,
                             const suite::SuiteOrder& order, const suite::Fingerprint& fingerprint);

// An idiom, the tests of a suite that are it, and for a missing one perhaps why.
struct FoundIdiom {
  std::string name;
  std::vector<std::string> tests;
  std::string note;
};
TextTable idiom_table(const std::vector<FoundIdiom>& idioms);
std::string idiom_csv(const std::vector<FoundIdiom>& idioms);  // idiom,test: a line a test
std::string idiom_json(const std::vector<FoundIdiom>& idioms);

// `models` are those whose verdicts were compared.
TextTable diff_table(const suite::Suite& a, const suite::Suite& b, const suite::SuiteDiff& diff,
                     const std::vector<models::ModelPtr>& models);
std::string diff_json(const suite::Suite& a, const suite::Suite& b, const suite::SuiteDiff& diff,
                      const std::vector<models::ModelPtr>& models);

}  // namespace headway::report
