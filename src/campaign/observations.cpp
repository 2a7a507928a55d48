#include "campaign/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <unordered_map>

#include "base/file.hpp"
#include "base/text/csv.hpp"
#include "base/text/key.hpp"
#include "base/text/names.hpp"
#include "campaign/results.hpp"

namespace headway::campaign {
namespace fs = std::filesystem;

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "P", "F" or "F (3/20)"; nothing for anything else.
std::optional<Observation> parse_outcome(std::string_view text) {
  Observation seen;
  if (text == "P") return seen;
  seen.hung = true;
  if (text == "F") return seen;
  if (!text.starts_with("F (") || !text.ends_with(")")) return std::nullopt;
  text = text.substr(3, text.size() - 4);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  seen.hangs = number(text.substr(0, slash));
  seen.runs = number(text.substr(slash + 1));
  if (!seen.hangs || !seen.runs || *seen.hangs == 0 || *seen.hangs > *seen.runs) {
    return std::nullopt;
  }
  return seen;
}

void add_runs(Observation& seen, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.outcome == RunOutcome::crashed || run.outcome == RunOutcome::error) {
      ++seen.invalid;
      continue;
    }
    ++*seen.runs;
    if (!is_hang(run.outcome)) continue;
    seen.hung = true;
    ++*seen.hangs;
    if (run.outcome == RunOutcome::device_lost) ++seen.lost;
  }
}

// The mappings that the placements of a published table are.
std::vector<std::string> mapping_names(const std::vector<std::string>& placements) {
  std::vector<std::string> names;
  for (std::string heading : placements) {
    std::transform(heading.begin(), heading.end(), heading.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const auto says = [&](const char* word) { return heading.find(word) != std::string::npos; };
    const bool first = names.empty();
    names.push_back(says("round")   ? "round-robin"
                    : says("chunk") ? "chunked"
                    : first         ? "plain"
                                    : placements[names.size()]);
  }
  return distinct_names(std::move(names));
}

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto index = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return index;
}

}  // namespace

std::optional<bool> Observation::always() const {
  if (!hung) return false;
  if (!hangs || !runs) return std::nullopt;
  return *hangs == *runs;
}

std::string Observation::to_string() const {
  if (!valid()) return "";
  if (!hung) return "P";
  return hangs && runs ? fmt::format("F ({}/{})", *hangs, *runs) : "F";
}

PublishedTable read_published(const std::string& path, const suite::Suite& suite) {
  std::unordered_map<std::string_view, std::size_t> tests;
  for (std::size_t t = 0; t < suite.tests.size(); ++t) tests.emplace(suite.tests[t].name, t);

  const auto lines = parse_csv(read_file(path), path);
  if (lines.empty() || lines.front().size() < 2) {
    throw Error({path, 1, 0}, "expected a heading: the tests, then the placements of threads");
  }
  const fs::path file = fs::absolute(path);
  const std::string folder = file.parent_path().filename().string();
  PublishedTable table;
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
    std::vector<Observation> row;
    for (std::size_t f = 1; f <= outcomes; ++f) {
      const auto seen = parse_outcome(fields[f]);
      if (!seen) {
        throw Error(where,
                    fmt::format("expected P or F (3/20), found '{}'", fields[f].substr(0, 40)));
      }
      row.push_back(*seen);
    }
    auto test = tests.find(fields.front());
    const std::string behind_folder = folder + "_" + fields.front();
    if (test == tests.end()) test = tests.find(behind_folder);
    if (test == tests.end()) {
      ++table.unmatched;
    } else if (!table.rows.emplace(test->second, std::move(row)).second) {
      throw Error(where, fmt::format("a second row about {}", test->first));
    }
  }
  if (table.rows.empty()) {
    throw Error({path, 0, 0}, fmt::format("no row is about a test of the suite; expected names of "
                                          "tests, or what follows '{}_' in them",
                                          folder));
  }
  return table;
}

std::vector<std::string> find_results(const std::vector<std::string>& paths,
                                      std::vector<Error>& errors) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const fs::path& file : files_below(path, errors)) {
      const std::string name = file.filename().string();
      const bool kept = name == "verdicts.json" || name.ends_with(".verdicts.json");
      if ((name.ends_with(".csv") || name.ends_with(".json")) && !kept) {
        found.push_back(file.string());
      }
    }
    if (found.empty()) {
      errors.emplace_back(SourcePosition{path, 0, 0},
                          "no results in this folder; expected .json or .csv files");
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

DeviceObservations& Collection::device(const std::string& name, const std::string& driver,
                                       const std::string& target) {
  for (Entry& entry : entries_) {
    if (entry.name == name && entry.target == target && entry.observations.driver == driver) {
      return entry.observations;
    }
  }
  entries_.push_back({name, target, {{}, driver, {}, {}, {}}});
  return entries_.back().observations;
}

void Collection::add(const std::string& path) {
  const std::string text = read_file(path, kMaxResultBytes);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') return add_results(text, path);
  if (path.ends_with(".json") || path == "-") parse_results(text, path);  // says what is wrong
  add_table(path);
}

void Collection::add_results(const std::string& text, const std::string& path) {
  const Results results = parse_results(text, path);
  const std::vector<std::size_t> tests = locate(results, suite_, path);
  // A campaign that was gone on with has another file, and began when it did before.
  const auto& [name, driver, target, details] = results.device;
  Key campaign;
  campaign.texts(name, driver, target, results.started).list(results.mappings);
  campaign.list(results.tests, [&](const TestIdentity& test) { campaign.texts(test.program); });
  const auto [known, is_new] = campaigns_.emplace(campaign.text(), path);
  if (!is_new) {
    throw Error({path, 0, 0}, fmt::format("results of the campaign that {} has results of; "
                                          "expected each once",
                                          known->second));
  }
  DeviceObservations& there = device(name, driver, target);
  there.details.insert(details.begin(), details.end());
  there.details.emplace("target", target);
  std::uint64_t invalid = 0;
  for (const TestRuns& entry : results.runs) {
    const std::size_t mapping = index_of(there.mappings, results.mappings[entry.mapping]);
    Observation& seen = there.seen[{tests[entry.test], mapping}];
    if (!seen.runs) seen.runs = seen.hangs = 0;
    const std::uint64_t before = seen.invalid;
    add_runs(seen, entry.runs);
    invalid += seen.invalid - before;
  }
  if (!results.complete()) {
    notes_.push_back(fmt::format("{}: unfinished: {} of {} results are there", path,
                                 results.runs.size(),
                                 results.tests.size() * results.mappings.size()));
  }
  if (invalid > 0) {
    notes_.push_back(fmt::format("{}: {} run{} crashed or did not come about and say{} nothing",
                                 path, invalid, invalid == 1 ? "" : "s", invalid == 1 ? "s" : ""));
  }
}

void Collection::add_table(const std::string& path) {
  const PublishedTable table = read_published(path, suite_);
  for (const Entry& entry : entries_) {
    if (entry.name != table.device || !entry.target.empty()) continue;
    for (const auto& [test, row] : table.rows) {
      const auto other = entry.observations.seen.lower_bound({test, 0});
      if (other == entry.observations.seen.end() || other->first.first != test) continue;
      throw Error({path, 0, 0}, fmt::format("another table of {} has a row about {} too",
                                            table.device, suite_.tests[test].name));
    }
  }
  DeviceObservations& there = device(table.device, {}, {});
  const std::vector<std::string> names = mapping_names(table.placements);
  for (std::size_t p = 0; p < names.size(); ++p) {
    const std::size_t mapping = index_of(there.mappings, names[p]);
    for (const auto& [test, row] : table.rows) there.seen[{test, mapping}] = row[p];
  }
  if (table.unmatched > 0) {
    notes_.push_back(
        fmt::format("{}: {} about no test of {}", path,
                    table.unmatched == 1 ? "1 row is" : fmt::format("{} rows are", table.unmatched),
                    suite_.path));
  }
}

std::vector<DeviceObservations> Collection::devices() const {
  // What tells devices apart is part of their names as far as it has to be.
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    const auto others = [&](const auto& same) {
      return std::count_if(entries_.begin(), entries_.end(), same) > 1;
    };
    std::vector<std::string> more;
    if (!entry.target.empty()) more.push_back(entry.target);
    if (!entry.observations.driver.empty() && others([&](const Entry& other) {
          return other.name == entry.name && other.target == entry.target;
        })) {
      more.push_back(entry.observations.driver);
    }
    names.push_back(more.empty() ? entry.name
                                 : fmt::format("{} ({})", entry.name, fmt::join(more, ", ")));
  }
  names = distinct_names(std::move(names));
  std::vector<DeviceObservations> devices;
  for (std::size_t d = 0; d < entries_.size(); ++d) {
    devices.push_back(entries_[d].observations);
    devices.back().device = names[d];
  }
  return devices;
}

}  // namespace headway::campaign
