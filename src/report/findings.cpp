#include "report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace headway::report {
namespace {

using Kind = Finding::Kind;

constexpr const char* kUnreadable = "input";

// XML 1.0 knows no other control characters than these three, not even by number; bytes that are no
// UTF-8 are replaced where JSON is, which is done the same way here.
std::string xml(const std::string& text) {
  const std::string utf8 = nlohmann::json::parse(
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::string result;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\n') {
      result += "&#10;";
    } else if (byte >= 0x20 || c == '\t') {
      result += c;
    } else {
      result += "?";
    }
  }
  return result;
}

// A path as a relative or absolute reference (RFC 3986).
std::string uri(const std::string& path) {
  std::string result = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-._~+=@,").find(c) != std::string_view::npos;
    result += plain ? std::string(1, c)
                    : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return result;
}

// What stands in a case that is not as it should be.
std::string trouble(const Finding& finding) {
  switch (finding.kind) {
    case Kind::met:
    case Kind::limited:
      return {};
    case Kind::failed:
      return "failure";
    case Kind::broken:
      return "error";
    case Kind::possible:
    case Kind::open:
      break;
  }
  return "skipped";
}

std::string junit_case(const Finding& finding) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                 xml(finding.group), xml(finding.name), finding.seconds);
  const std::string inside = trouble(finding);
  if (finding.kind == Kind::limited) {
    return text + fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n",
                              xml(finding.message));
  }
  if (inside.empty()) return text + "/>\n";
  text += fmt::format(">\n      <{} message=\"{}\"", inside, xml(finding.message));
  if (inside != "skipped") text += fmt::format(" type=\"{}\"", xml(finding.rule));
  const std::string place = finding.where.file.empty() ? "" : finding.where.to_string();
  text += place.empty() ? "/>\n" : fmt::format(">{}</{}>\n", xml(place), inside);
  return text + "    </testcase>\n";
}

}  // namespace

std::vector<Finding> findings_of(const std::vector<Error>& errors) {
  std::vector<Finding> result;
  for (const Error& error : errors) {
    Finding finding;
    finding.kind = Kind::broken;
    finding.rule = kUnreadable;
    finding.group = error.where().file;
    finding.name = "input";
    finding.message = error.what();
    finding.where = error.where();
    result.push_back(std::move(finding));
  }
  return result;
}

std::string findings_junit(const std::string& command, const std::vector<Finding>& findings) {
  const auto count = [&](const std::vector<Finding>& of, const std::string& what) {
    return std::count_if(of.begin(), of.end(),
                         [&](const Finding& each) { return trouble(each) == what; });
  };
  const auto numbers = [&](const std::vector<Finding>& of) {
    double seconds = 0;
    for (const Finding& each : of) seconds += each.seconds;
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                       of.size(), count(of, "failure"), count(of, "error"), count(of, "skipped"),
                       seconds);
  };
  // A suite a group, in the order of their first cases.
  std::vector<std::string> order;
  std::map<std::string, std::vector<Finding>> groups;
  for (const Finding& finding : findings) {
    if (!groups.contains(finding.group)) order.push_back(finding.group);
    groups[finding.group].push_back(finding);
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<Finding> all;
  for (const std::string& group : order) {
    all.insert(all.end(), groups[group].begin(), groups[group].end());
  }
  text += fmt::format("<testsuites name=\"headway {}\" {}>\n", xml(command), numbers(all));
  for (const std::string& group : order) {
    const std::vector<Finding>& inside = groups[group];
    text += fmt::format("  <testsuite name=\"{}\" {}>\n", xml(group.empty() ? command : group),
                        numbers(inside));
    for (const Finding& finding : inside) text += junit_case(finding);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

namespace {

// Our columns count bytes, SARIF's UTF-16 code units. 0 where the line cannot be read.
int column_in_utf16(const SourcePosition& where) {
  std::ifstream in(where.file);
  std::string line;
  for (int n = 0; n < where.line; ++n) {
    if (!std::getline(in, line)) return 0;
  }
  int units = 1;
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(where.column) && i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const bool begins = (byte & 0xc0) != 0x80;  // a character, and not inside one
    units += begins ? (byte >= 0xf0 ? 2 : 1) : 0;
  }
  return units;
}

}  // namespace

std::string findings_sarif(const std::vector<Finding>& findings, std::vector<FindingRule> rules) {
  using Json = nlohmann::ordered_json;
  rules.push_back({kUnreadable, "What was given cannot be read"});
  Json described = Json::array(), results = Json::array();
  for (const FindingRule& rule : rules) {
    described.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.text}}}});
  }
  for (const Finding& finding : findings) {
    if (finding.kind == Kind::met) continue;
    const bool certain = finding.kind == Kind::failed || finding.kind == Kind::broken;
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const FindingRule& each) {
      return each.id == finding.rule;
    });
    Json one;
    one["ruleId"] = finding.rule;
    if (rule != rules.end()) one["ruleIndex"] = rule - rules.begin();
    one["kind"] = certain                          ? "fail"
                  : finding.kind == Kind::limited  ? "pass"
                  : finding.kind == Kind::possible ? "review"
                                                   : "open";
    one["level"] = certain ? "error" : "none";
    one["message"]["text"] = finding.name.empty() || finding.kind == Kind::broken
                                 ? finding.message
                                 : finding.name + ": " + finding.message;
    if (!finding.where.file.empty()) {
      Json place;
      place["artifactLocation"]["uri"] = uri(finding.where.file);
      place["region"]["startLine"] = std::max(1, finding.where.line);
      const int column = finding.where.column > 0 ? column_in_utf16(finding.where) : 0;
      if (column > 0) place["region"]["startColumn"] = column;
      one["locations"] = Json::array({Json{{"physicalLocation", place}}});
    }
    results.push_back(std::move(one));
  }
  Json run;
  run["tool"]["driver"] = {
      {"name", "headway"}, {"semanticVersion", HEADWAY_VERSION}, {"rules", std::move(described)}};
  run["columnKind"] = "utf16CodeUnits";
  run["results"] = std::move(results);
  Json all;
  all["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  all["version"] = "2.1.0";
  all["runs"] = Json::array({std::move(run)});
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
