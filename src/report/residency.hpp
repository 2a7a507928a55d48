// How many threads must be resident, as a table over N, in words, as CSV and as JSON.
#pragma once

#include <string>
#include <vector>

#include "checker/residency.hpp"
#include "report/table.hpp"

namespace headway::report {

// A test, or a family, and the answers for its sizes in increasing order.
struct ResidencyReport {
  std::string test;
  std::vector<checker::Residency> sizes;
  std::string file = {};  // that is to be named; or empty
};

// "needs all N", "needs 2 whatever N is", "needs none", ...: what all sizes have in common.
std::string residency_trend(const std::vector<checker::Residency>& sizes,
                            models::Fairness fairness);

std::string residency_text(const ResidencyReport& report, Style style);
// The columns test,threads,fairness,resident; or workgroups, where these are counted.
std::string residency_csv(const ResidencyReport& report);
std::string residency_json(const ResidencyReport& report);

}  // namespace headway::report
