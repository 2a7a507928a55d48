#include "cli/reference_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "cli/console.hpp"

namespace headway::cli {
namespace {

using checker::Verdict;
using models::Fairness;

}  // namespace

void ReferenceTable::read(const std::string& path) {
  const auto lines = parse_csv(read_file(path), path);
  const std::vector<std::string> heading = {"test", "model", "fairness", "verdict"};
  std::vector<std::string> with_launch = heading;  // which a test says itself
  with_launch.insert(with_launch.end(), {"workgroups", "subgroups", "threads", "execution"});
  if (lines.empty() || (lines.front() != heading && lines.front() != with_launch)) {
    throw Error({path, 1, 0}, "expected the heading test,model,fairness,verdict");
  }
  const std::size_t columns = lines.front().size();
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const std::vector<std::string>& fields = lines[l];
    if (fields == std::vector<std::string>{""}) continue;  // an empty line
    const SourcePosition where{path, static_cast<int>(l + 1), 0};
    const auto among = [&](std::size_t field, const char* first, const char* second) {
      if (fields[field] != first && fields[field] != second) {
        throw Error(where, fmt::format("expected {} or {}, found '{}'", first, second,
                                       fields[field].substr(0, 40)));
      }
      return fields[field] == first;
    };
    if (fields.size() != columns) {
      throw Error(where, fmt::format("expected {} fields, found {}", columns, fields.size()));
    }
    const Fairness fairness = among(2, "weak", "strong") ? Fairness::weak : Fairness::strong;
    const Verdict verdict = among(3, "pass", "fail") ? Verdict::pass : Verdict::fail;
    rows_[fields[0]].push_back({fields[1], fairness, verdict, where});
  }
}

bool ReferenceTable::compare(const std::vector<report::CheckedTest>& tests,
                             const report::VerdictColumns& columns) const {
  std::map<std::string, std::vector<const report::CheckedTest*>> by_name;
  for (const report::CheckedTest& test : tests) by_name[test.name].push_back(&test);
  std::size_t compared = 0;
  std::size_t different = 0;
  const auto differ = [&](const std::string& test, const Row& row, const std::string& found) {
    ++different;
    complain(fmt::format("{}: {},{},{}: expected {}, {}", row.where.to_string(), test, row.model,
                         to_string(row.fairness), to_string(row.verdict), found));
  };
  std::size_t missing = 0;  // rows
  std::string one;
  for (const auto& [name, rows] : rows_) {
    const bool decided_here = by_name.contains(name);
    for (const Row& row : rows) {
      const auto column = std::find(columns.models.begin(), columns.models.end(), row.model);
      const bool asked = std::find(columns.fairnesses.begin(), columns.fairnesses.end(),
                                   row.fairness) != columns.fairnesses.end();
      if (column == columns.models.end() || !asked) continue;
      if (!decided_here) {
        if (missing++ == 0) one = name;
        continue;
      }
      ++compared;
      for (const report::CheckedTest* test : by_name.at(name)) {
        const checker::ModelVerdict* decided = report::verdict_under(*test, row.model);
        if (decided == nullptr) {
          differ(name, row, "not decided");
        } else if (decided->of(row.fairness) != row.verdict) {
          differ(name, row, "decided " + to_string(decided->of(row.fairness)));
        }
      }
    }
  }
  if (missing > 0) {
    const std::size_t all = compared + missing;
    complain(fmt::format("{} of {} row{} {} about tests that were not decided, such as {}", missing,
                         all, all == 1 ? "" : "s", missing == 1 ? "is" : "are", one));
  }
  complain(fmt::format("{} row{} compared, {} different", compared, compared == 1 ? "" : "s",
                       different));
  return different == 0 && missing == 0 && compared > 0;
}

}  // namespace headway::cli
