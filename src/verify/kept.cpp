#include "verify/kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/bits/hash.hpp"
#include "base/file.hpp"

namespace headway::verify {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::chrono::seconds kBetweenWrites{5};

Json json_of(const Report& report) {
  Json result = {{"file", report.file},
                 {"kernel", report.kernel},
                 {"covers", report.covers},
                 {"assumed", report.assumed},
                 {"premises", report.premises},
                 {"invariants", report.invariants},
                 {"rankings", report.rankings},
                 {"seconds", report.seconds},
                 {"stages",
                  {report.stages.front_end, report.stages.encoding, report.stages.houdini,
                   report.stages.checks}},
                 {"questions", report.questions},
                 {"may_go_on", report.may_go_on}};
  for (const Finding& f : report.findings) {
    Json sides = Json::array();
    for (const Side& s : f.sides) sides.push_back({s.thread, s.line, s.act});
    result["findings"].push_back({name_of(f.property), name_of(f.verdict), f.line, f.detail, sides,
                                  f.overflow, f.but_for, f.condition});
  }
  for (const RuleCount& c : report.rules) result["rules"].push_back({c.rule, c.made, c.held});
  result["engines"] = Json::array();
  for (const EngineCount& c : report.engines) {
    result["engines"].push_back({c.engine, c.dropped, c.seconds});
  }
  return result;
}

// Throws Json::exception and Error for what json_of() does not write.
template <typename Enum>
Enum named(const std::string& name, Enum last) {
  for (int k = 0; k <= static_cast<int>(last); ++k) {
    if (name_of(static_cast<Enum>(k)) == name) return static_cast<Enum>(k);
  }
  throw Error("damaged");
}

Report report_of(const Json& json) {
  Report result;
  json.at("file").get_to(result.file);
  json.at("kernel").get_to(result.kernel);
  json.at("covers").get_to(result.covers);
  json.at("assumed").get_to(result.assumed);
  json.at("premises").get_to(result.premises);
  json.at("invariants").get_to(result.invariants);
  json.at("rankings").get_to(result.rankings);
  json.at("may_go_on").get_to(result.may_go_on);
  json.at("seconds").get_to(result.seconds);
  const Json& stages = json.at("stages");
  result.stages = {stages.at(0), stages.at(1), stages.at(2), stages.at(3)};
  json.at("questions").get_to(result.questions);
  for (const Json& f : json.at("findings")) {
    Finding finding{named(f.at(0).get<std::string>(), Property::termination),
                    named(f.at(1).get<std::string>(), Verdict::unsupported),
                    f.at(2),
                    f.at(3),
                    {}};
    for (const Json& s : f.at(4)) finding.sides.push_back({s.at(0), s.at(1), s.at(2)});
    f.at(5).get_to(finding.overflow);
    f.at(6).get_to(finding.but_for);
    f.at(7).get_to(finding.condition);
    result.findings.push_back(std::move(finding));
  }
  for (const Json& c : json.at("engines")) {
    result.engines.push_back({c.at(0), c.at(1), c.at(2)});
  }
  if (json.contains("rules")) {
    for (const Json& c : json.at("rules")) result.rules.push_back({c.at(0), c.at(1), c.at(2)});
  }
  return result;
}

bool is_decided(const Report& report) {
  return std::all_of(report.findings.begin(), report.findings.end(), [](const Finding& f) {
    return f.property == Property::termination ||
           (f.verdict != Verdict::conditional && f.verdict != Verdict::possible &&
            f.verdict != Verdict::unknown);
  });
}

std::string checksum(const Json& reports) {
  return fmt::format("{:016x}", stable_hash(reports.dump()));
}

}  // namespace

std::filesystem::path kept_path(const std::string& path) {
  if (std::filesystem::is_directory(path)) return std::filesystem::path(path) / "verify.json";
  return path + ".verify.json";
}

KeptReports::KeptReports(std::filesystem::path path) : path_(std::move(path)) {
  if (!std::filesystem::exists(path_)) return;
  try {
    const Json root = Json::parse(read_file(path_));
    if (root.at("headway") != HEADWAY_VERSION) {
      throw Error({path_.string(), 0, 0}, "of another version of headway");
    }
    const Json& reports = root.at("reports");
    if (root.at("checksum") != checksum(reports)) throw Error({path_.string(), 0, 0}, "damaged");
    for (const auto& [key, of_file] : reports.items()) {
      for (const Json& report : of_file) read_[key].push_back(report_of(report));
    }
  } catch (const Json::exception&) {
    note_ = fmt::format("{}: damaged; everything is proved anew", path_.string());
  } catch (const Error& error) {
    note_ = fmt::format("{}; everything is proved anew", error.diagnostic());
  }
  if (!note_.empty()) read_.clear();
}

std::optional<std::vector<Report>> KeptReports::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = read_.find(key);
  if (found == read_.end()) return {};
  kept_[key] = found->second;
  return found->second;
}

void KeptReports::add(const std::string& key, const std::vector<Report>& reports) {
  if (!std::all_of(reports.begin(), reports.end(), is_decided)) return;
  {
    const std::lock_guard lock(mutex_);
    kept_[key] = reports;
    if (std::chrono::steady_clock::now() - written_ < kBetweenWrites) return;
  }
  write();
}

void KeptReports::write() {
  const std::lock_guard lock(mutex_);
  Json reports = Json::object();
  for (const auto& [key, of_file] : kept_) {
    for (const Report& report : of_file) reports[key].push_back(json_of(report));
  }
  const Json root = {
      {"headway", HEADWAY_VERSION}, {"checksum", checksum(reports)}, {"reports", reports}};
  write_file(path_, root.dump(1) + "\n");
  written_ = std::chrono::steady_clock::now();
}

}  // namespace headway::verify
