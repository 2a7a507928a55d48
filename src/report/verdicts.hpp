// The verdicts of tests as a table for people, as CSV and as JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/topology.hpp"
#include "checker/boundary.hpp"
#include "checker/check.hpp"
#include "report/table.hpp"
#include "report/wrong_run.hpp"

namespace headway::report {

// A decided test, as much of it as reports show.
struct CheckedTest {
  std::string name;
  std::string file;
  std::string reading;  // of subgroups, where one was asked for
  int threads = 0;
  // As the checker sees it, where it is not a flat one of so many threads: in lockstep subgroups
  // are its threads.
  std::optional<Topology> launch;
  int instructions = 0;
  bool family = false;  // whether it is the member of a family
  std::optional<WrongRun> wrong;
  bool error_expected = false;
  bool open_expected = false;       // what is expected is that it cannot be decided
  std::vector<std::string> models;  // those that it was decided under, as in CheckResult::verdicts
  checker::CheckResult result;
  std::string answer;  // what its language's text promises of it, in a sentence; or empty
  std::vector<std::string> premises;          // what verdicts take for granted
  std::vector<int> unreached;                 // lines that no execution comes to
  std::string advice;                         // as of lang::Test
  double seconds = 0;                         // to explore and decide, without reading the file
  std::optional<checker::Boundary> boundary;  // absent when there are too many threads for it
};

// What the rows of a report are: every model under every fairness asked for. A test need not have
// been decided under all of them.
struct VerdictColumns {
  std::vector<std::string> models;  // names
  std::vector<models::Fairness> fairnesses;
};

// Null where the test was not decided under the model.
const checker::ModelVerdict* verdict_under(const CheckedTest& test, const std::string& model);

// One test: models down, fairness across. Several: a line a test, models across.
std::string verdict_table(const std::vector<CheckedTest>& tests, const VerdictColumns& columns,
                          Style style);

// The columns test,model,fairness,verdict and nothing else, with a column subgroup_reading behind
// the first where readings of subgroups were asked for; or behind these the launch of each test:
// workgroups,subgroups,threads,execution, each number that of one group around.
std::string verdict_csv(const std::vector<CheckedTest>& tests, const VerdictColumns& columns,
                        bool with_launch = false);

// An array with an object a test, and behind them one a thing that is wrong with the input, with
// the fields error, file, line and column, as far as they are known.
std::string verdict_json(const std::vector<CheckedTest>& tests, const VerdictColumns& columns,
                         const std::vector<Error>& errors = {});

// What a model guarantees of a test, in one word: weak fairness suffices ("pass"), only strong does
// ("strong"), or neither ("fail"); or "unknown".
Cell verdict_word(const checker::ModelVerdict& verdict);

// "OBE:weak"
std::string reading_name(const models::Reading& reading, const std::vector<std::string>& models);

}  // namespace headway::report
