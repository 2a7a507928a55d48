// How the weakest orders of litmus tests look.
#pragma once

#include <string>
#include <vector>

#include "consistency/repair/repair.hpp"
#include "report/table.hpp"

namespace headway::report {

struct RepairedTest {
  std::string file, text;           // as it is written
  std::vector<std::string> memory;  // the models, by name
  consistency::Repair repair;
};

// Of one test: what was asked, a row a choice with a column an answer, and what happens where an
// answer is made weaker.
std::string repair_text(const RepairedTest& test, Style style);
std::string repair_csv(const std::vector<RepairedTest>& tests);
std::string repair_json(const std::vector<RepairedTest>& tests);
// A patch for patch(1): what the first answer changes. Empty: nothing.
std::string repair_diff(const RepairedTest& test);

}  // namespace headway::report
