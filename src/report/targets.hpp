// Where tests end, and where they may hang: a row each target.
#pragma once

#include <string>
#include <vector>

#include "report/table.hpp"

namespace headway::report {

// What becomes of a test on a target, and why where that is not decided.
struct TargetRow {
  std::string test, file, target;
  std::string reading, model;  // how subgroups run there, and what is promised
  std::string ends;            // "ends", "may hang", "goes wrong", "unknown", "unsupported"
  std::string why;
};

// With a column for the test where there are several.
std::string target_table(const std::vector<TargetRow>& rows, bool several, Style style);
// The columns test,target,subgroup_reading,model,outcome.
std::string target_csv(const std::vector<TargetRow>& rows);
std::string target_json(const std::vector<TargetRow>& rows);

}  // namespace headway::report
