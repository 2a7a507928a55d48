#include "campaign/foreign_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/error.hpp"
#include "base/text/names.hpp"

namespace headway::campaign {
namespace {

// Tests by their names and by the names of their files when exported.
std::unordered_map<std::string, std::size_t> tests_by_name(const suite::Suite& suite) {
  std::unordered_map<std::string, std::size_t> tests;
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    tests.emplace(suite.tests[t].name, t);
    tests.emplace(safe_name(suite.tests[t].name, "-+_=()."), t);
  }
  return tests;
}

// "folder/2t_2i_0.amber" as "2t_2i_0".
std::string test_of_path(std::string path) {
  path = path.substr(path.find_last_of('/') + 1);
  const std::string ending = ".amber";
  if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  return path;
}

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::vector<ForeignRun> read_amber_log(const std::string& text, const std::string& file,
                                       const suite::Suite& suite, double timeout) {
  const auto tests = tests_by_name(suite);
  std::vector<ForeignRun> runs;
  std::set<std::size_t> failed;
  bool failures = false;
  int number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const SourcePosition where{file, ++number, 0};
    line = without_blanks(line);
    if (line == "Summary of Failures:") {
      failures = true;
    } else if (line.starts_with("Summary: ")) {
      unsigned long passes = 0, fails = 0;
      if (std::sscanf(line.c_str(), "Summary: %lu pass, %lu fail", &passes, &fails) != 2) {
        throw Error(where, "expected 'Summary: 8 pass, 0 fail'");
      }
      if (passes + fails != suite.tests.size() || fails != failed.size()) {
        throw Error(where,
                    fmt::format("{} passed and {} failed of which {} are named; expected "
                                "the {} tests of {}",
                                passes, fails, failed.size(), suite.tests.size(), suite.path));
      }
      for (std::size_t t = 0; t < suite.tests.size(); ++t) {
        const bool hung = failed.contains(t);
        runs.push_back(
            {t, {hung ? RunOutcome::timed_out : RunOutcome::terminated, hung ? timeout : 0.0, {}}});
      }
      failed.clear();
      failures = false;
    } else if (failures && !line.empty()) {
      const auto found = tests.find(test_of_path(line));
      if (found == tests.end()) {
        throw Error(where,
                    fmt::format("no test of {} is called '{}'", suite.path, test_of_path(line)));
      }
      failed.insert(found->second);
    }
  }
  if (failures || runs.empty()) {
    throw Error({file, number, 0}, "expected 'Summary: 8 pass, 0 fail', as Amber ends");
  }
  return runs;
}

std::vector<ForeignRun> read_run_lines(const std::string& text, const std::string& file,
                                       const suite::Suite& suite, double timeout) {
  const auto tests = tests_by_name(suite);
  std::vector<ForeignRun> runs;
  int number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const SourcePosition where{file, ++number, 0};
    line = without_blanks(line);
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string test, outcome, time, more;
    words >> test >> outcome >> time >> more;
    const auto found = tests.find(test);
    if (found == tests.end()) {
      throw Error(where, fmt::format("no test of {} is called '{}'", suite.path, test));
    }
    ForeignRun run{found->second, {}};
    std::replace(outcome.begin(), outcome.end(), '-', ' ');
    const auto known = {RunOutcome::terminated, RunOutcome::timed_out, RunOutcome::device_lost,
                        RunOutcome::crashed, RunOutcome::error};
    const auto* const which = std::find_if(
        known.begin(), known.end(), [&](RunOutcome each) { return to_string(each) == outcome; });
    if (which == known.end() || !more.empty()) {
      throw Error(where,
                  "expected a test and terminated, timed-out, device-lost, crashed or "
                  "error, and perhaps milliseconds");
    }
    run.run.outcome = *which;
    if (!time.empty()) {
      const char* const end = time.data() + time.size();
      const auto [rest, error] = std::from_chars(time.data(), end, run.run.milliseconds);
      if (error != std::errc() || rest != end || !(run.run.milliseconds >= 0) ||
          run.run.milliseconds > 1e12) {
        throw Error(where, fmt::format("expected milliseconds, found '{}'", time));
      }
    } else if (run.run.outcome == RunOutcome::timed_out) {
      run.run.milliseconds = timeout;
    }
    runs.push_back(run);
  }
  if (runs.empty())
    throw Error({file, 0, 0}, "no run; expected lines such as '2t_2i_0 terminated'");
  return runs;
}

}  // namespace headway::campaign
