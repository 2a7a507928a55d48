// What rules for candidates are worth over a set of kernels, after the measures of the TSE 2017
// paper: how many kernels trigger a rule, how many of its candidates hold, how many kernels verify
// with all rules and not without it, and whose candidates hold or fall with it. Verifies each
// kernel once, and once more for each rule that it triggers.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "verify/verify.hpp"

namespace headway::verify {

struct RuleWorth {
  std::string rule, about;
  int kernels = 0;                   // that trigger it
  int made = 0, held = 0;            // candidates
  int worth = 0;                     // kernels that it is needed for
  std::set<std::string> influences;  // rules of which other candidates hold without it
};

class RuleStudy {
 public:
  RuleStudy();
  // Not to be called by several threads at once.
  void add(const std::function<Report(const std::string& left_out)>& verify_without);
  const std::vector<RuleWorth>& rules() const { return rules_; }
  int kernels() const { return kernels_; }
  int verified() const { return verified_; }
  // rule,kernels,candidates,held,worth,influences; the first row says so.
  std::vector<std::vector<std::string>> rows() const;

 private:
  std::vector<RuleWorth> rules_;
  int kernels_ = 0, verified_ = 0;
};

}  // namespace headway::verify
