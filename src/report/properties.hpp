// Verdicts a property, of programs and kernels, as tables, CSV and JSON.
#pragma once

#include <string>
#include <vector>

namespace headway::report {

struct PropertyRow {
  std::string file, kernel, property;
  std::string verdict;  // as verify::status_of() has it
  int line = 0;         // 0: none
  std::string detail;
  std::vector<std::string> premises = {};  // what it takes for granted, and was told to assume
};

// With lines of at most kLongestLine places.
std::string property_table(const std::vector<PropertyRow>& rows);
// file,kernel,property,verdict,line,detail,assumed
std::string property_csv(const std::vector<PropertyRow>& rows);
std::string property_json(const std::vector<PropertyRow>& rows);

}  // namespace headway::report
