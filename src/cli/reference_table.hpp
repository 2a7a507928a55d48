// Verdicts decided elsewhere, as CSV files with the columns test,model,fairness,verdict, to hold
// our own against.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "report/verdicts.hpp"

namespace headway::cli {

class ReferenceTable {
 public:
  // Adds the rows of a file. Throws headway::Error with the place of what is wrong in it.
  void read(const std::string& path);

  // Compares every row about a model and fairness among `columns`; writes each difference and a
  // summary to standard error. True when there is no difference and at least one row was
  // compared. A row about a test that was not decided is a difference.
  bool compare(const std::vector<report::CheckedTest>& tests,
               const report::VerdictColumns& columns) const;

 private:
  struct Row {
    std::string model;
    models::Fairness fairness;
    checker::Verdict verdict;
    SourcePosition where;
  };
  std::map<std::string, std::vector<Row>> rows_;  // by test
};

}  // namespace headway::cli
