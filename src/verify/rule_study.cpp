#include "verify/rule_study.hpp"

#include <algorithm>
#include <map>

#include "verify/rules/scene.hpp"

namespace headway::verify {

namespace {

std::map<std::string, RuleCount> counts_of(const Report& report) {
  std::map<std::string, RuleCount> counts;
  for (const RuleCount& one : report.rules) counts[one.rule] = one;
  return counts;
}

}  // namespace

RuleStudy::RuleStudy() {
  for (const rules::Rule& rule : rules::all_rules()) {
    rules_.push_back({rule.name, rule.about, 0, 0, 0, 0, {}});
  }
}

void RuleStudy::add(const std::function<Report(const std::string& left_out)>& verify_without) {
  const Report all = verify_without("");
  const bool proved = all.worst() == Verdict::verified;
  ++kernels_;
  if (proved) ++verified_;
  const std::map<std::string, RuleCount> counts = counts_of(all);
  for (RuleWorth& rule : rules_) {
    const auto mine = counts.find(rule.rule);
    if (mine == counts.end() || mine->second.made == 0) continue;
    ++rule.kernels;
    rule.made += mine->second.made;
    rule.held += mine->second.held;
    if (!proved) continue;
    const Report without = verify_without(rule.rule);
    if (without.worst() != Verdict::verified) ++rule.worth;
    for (const auto& [name, count] : counts_of(without)) {
      const auto before = counts.find(name);
      if (name != rule.rule && before != counts.end() && before->second.held != count.held) {
        rule.influences.insert(name);
      }
    }
  }
}

std::vector<std::vector<std::string>> RuleStudy::rows() const {
  std::vector<std::vector<std::string>> rows{
      {"rule", "kernels", "candidates", "held", "worth", "influences"}};
  for (const RuleWorth& rule : rules_) {
    std::string influences;
    for (const std::string& name : rule.influences) {
      influences += (influences.empty() ? "" : " ") + name;
    }
    rows.push_back({rule.rule, std::to_string(rule.kernels), std::to_string(rule.made),
                    std::to_string(rule.held), std::to_string(rule.worth), influences});
  }
  return rows;
}

}  // namespace headway::verify
