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
      finding["verdict"] = status_of(f);
      if (f.line > 0) finding["line"] = f.line;
      if (!f.detail.empty()) finding["detail"] = f.detail;
      if (!f.but_for.empty()) finding["but_for"] = f.but_for;
      if (!f.condition.empty()) finding["condition"] = f.condition;
      if (!f.overflow.empty()) finding["only_by_overflow"] = f.overflow;
      one["findings"].push_back(finding);
    }
    one["assumed"] = r.assumed;
    one["premises"] = r.premises;
    one["invariants"] = r.invariants;
    one["rankings"] = r.rankings;
    one["may_go_on"] = r.may_go_on;
    one["rules"] = Json::array();
    for (const RuleCount& c : r.rules) {
      one["rules"].push_back({{"rule", c.rule}, {"candidates", c.made}, {"held", c.held}});
    }
    one["engines"] = Json::array();
    for (const EngineCount& c : r.engines) {
      one["engines"].push_back(
          {{"engine", c.engine}, {"dropped", c.dropped}, {"seconds", c.seconds}});
    }
    one["seconds"] = r.seconds;
    one["stages"] = {{"front_end", r.stages.front_end},
                     {"encoding", r.stages.encoding},
                     {"houdini", r.stages.houdini},
                     {"checks", r.stages.checks}};
    one["questions"] = r.questions;
    all.push_back(one);
  }
  return all.dump(2) + "\n";
}

}  // namespace headway::verify
