// Answers for every N as a table for people, as CSV and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "every/decide.hpp"
#include "report/table.hpp"

namespace headway::report {

// A family after the other: models down, fairness across, and whether it is safe.
std::string every_table(const std::vector<every::FamilyAnswer>& families, Style style);

// The columns family,model,fairness,answer,n. Behind `unknown` n is how far it passes, behind
// `pass` the smallest N of the family.
std::string every_csv(const std::vector<every::FamilyAnswer>& families);

// An array with an object a family.
std::string every_json(const std::vector<every::FamilyAnswer>& families);

}  // namespace headway::report
