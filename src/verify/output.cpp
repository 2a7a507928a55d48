#include "verify/output.hpp"

#include <nlohmann/json.hpp>

namespace headway::verify {

using Json = nlohmann::ordered_json;

std::string to_json(const std::vector<Report>& reports) {
  Json all = Json::array();
  for (const Report& r : reports) {
    Json one;
    one["file"] = r.file;
    one["kernel"] = r.kernel;
    one["covers"] = r.covers;
    one["findings"] = Json::array();
    for (const Finding& f : r.findings) {
      Json finding;
      finding["property"] = name_of(f.property);
      finding["verdict"] = name_of(f.verdict);
      if (f.line > 0) finding["line"] = f.line;
      if (!f.detail.empty()) finding["detail"] = f.detail;
      one["findings"].push_back(finding);
    }
    one["assumed"] = r.assumed;
    one["invariants"] = r.invariants;
    one["rules"] = Json::array();
    for (const RuleCount& c : r.rules) {
      one["rules"].push_back({{"rule", c.rule}, {"candidates", c.made}, {"held", c.held}});
    }
    one["seconds"] = r.seconds;
    one["questions"] = r.questions;
    all.push_back(one);
  }
  return all.dump(2) + "\n";
}

std::string to_sarif(const std::vector<Report>& reports) {
  Json rules = Json::array(), results = Json::array();
  for (const Property p : {Property::race, Property::divergence, Property::assertion}) {
    static constexpr const char* texts[] = {
        "Two threads access the same memory at once, one of them writing",
        "Not all threads of a workgroup come to a barrier together", "A claim in the code fails"};
    rules.push_back(
        {{"id", name_of(p)}, {"shortDescription", {{"text", texts[static_cast<std::size_t>(p)]}}}});
  }
  for (const Report& r : reports) {
    for (const Finding& f : r.findings) {
      if (f.verdict == Verdict::verified) continue;
      Json one;
      one["ruleId"] = name_of(f.property);
      one["kind"] = f.verdict == Verdict::violated ? "fail" : "review";
      one["level"] = f.verdict == Verdict::violated   ? "error"
                     : f.verdict == Verdict::possible ? "warning"
                                                      : "note";
      if (f.verdict != Verdict::violated) one["level"] = "none";
      one["message"]["text"] = r.kernel + ": " + std::string(name_of(f.verdict)) +
                               (f.detail.empty() ? "" : ": " + f.detail);
      Json place;
      place["artifactLocation"]["uri"] = r.file;
      place["region"]["startLine"] = f.line > 0 ? f.line : 1;
      one["locations"] = Json::array();
      one["locations"].push_back({{"physicalLocation", place}});
      results.push_back(one);
    }
  }
  Json run;
  run["tool"]["driver"] = {{"name", "headway"}, {"rules", rules}};
  run["results"] = results;
  Json all;
  all["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  all["version"] = "2.1.0";
  all["runs"] = Json::array();
  all["runs"].push_back(run);
  return all.dump(2) + "\n";
}

}  // namespace headway::verify
