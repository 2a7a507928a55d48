#include "cli/device_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/file.hpp"
#include "report/table.hpp"

namespace headway::cli {
namespace {

// "P", "F" or "F (3/20)"
bool is_outcome(std::string_view text) {
  if (text == "P" || text == "F") return true;
  if (!text.starts_with("F (") || !text.ends_with(")")) return false;
  const std::string_view runs = text.substr(3, text.size() - 4);
  const std::size_t slash = runs.find('/');
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return slash != std::string_view::npos && is_number(runs.substr(0, slash)) &&
         is_number(runs.substr(slash + 1));
}

}  // namespace

DeviceFile read_device_table(const std::string& path, const suite::Suite& suite) {
  std::unordered_map<std::string_view, std::size_t> tests;
  for (std::size_t t = 0; t < suite.tests.size(); ++t) tests.emplace(suite.tests[t].name, t);

  const auto lines = report::parse_csv(read_file(path), path);
  if (lines.empty() || lines.front().size() < 2) {
    throw Error({path, 1, 0}, "expected a heading: the tests, then the placements of threads");
  }
  const std::filesystem::path file = std::filesystem::absolute(path);
  const std::string folder = file.parent_path().filename().string();
  DeviceFile result;
  report::DeviceTable& table = result.table;
  table.device = file.stem().string();
  table.placements.assign(lines.front().begin() + 1, lines.front().end());
  if (table.placements.size() > 1 && table.placements.back() == "All Passed") {
    table.placements.pop_back();
  }
  const std::size_t outcomes = table.placements.size();
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const std::vector<std::string>& fields = lines[l];
    if (fields == std::vector<std::string>{""} || fields.front().starts_with("Total")) continue;
    const SourcePosition where{path, static_cast<int>(l + 1), 0};
    if (fields.size() < outcomes + 1) {
      throw Error(where, fmt::format("expected {} fields, found {}", outcomes + 1, fields.size()));
    }
    for (std::size_t f = 1; f <= outcomes; ++f) {
      if (is_outcome(fields[f])) continue;
      throw Error(where,
                  fmt::format("expected P or F (3/20), found '{}'", fields[f].substr(0, 40)));
    }
    auto test = tests.find(fields.front());
    const std::string behind_folder = folder + "_" + fields.front();
    if (test == tests.end()) test = tests.find(behind_folder);
    if (test == tests.end()) {
      ++result.unmatched;
      continue;
    }
    table.outcomes[test->second].assign(fields.begin() + 1,
                                        fields.begin() + static_cast<std::ptrdiff_t>(outcomes) + 1);
  }
  if (table.outcomes.empty()) {
    throw Error({path, 0, 0}, fmt::format("no row is about a test of the suite; expected names of "
                                          "tests, or what follows '{}_' in them",
                                          folder));
  }
  return result;
}

}  // namespace headway::cli
