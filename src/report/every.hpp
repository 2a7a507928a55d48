// Answers for every N as a table for people, as CSV and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "every/decide.hpp"
#include "report/table.hpp"

namespace headway::report {

// What an answer rests on, a line each; of one that is open, what is missing.
std::vector<std::string> every_words(const every::Answer& answer,
                                     const every::FamilyAnswer& family);
// "safe for every N", or how far it is safe, or what goes wrong.
std::string every_safety(const every::FamilyAnswer& family);

// A family after the other: models down, fairness across, and whether it is safe.
std::string every_table(const std::vector<every::FamilyAnswer>& families, Style style);

// The columns family,model,fairness,answer,n. Behind `unknown` n is how far it passes, behind
// `pass` the smallest N of the family.
std::string every_csv(const std::vector<every::FamilyAnswer>& families);

// An array with an object a family.
std::string every_json(const std::vector<every::FamilyAnswer>& families);

// What the answers rest on, in words, and what is missing where there are none. As JSON: an object
// with an answer a reading.
std::string every_explanation(const every::FamilyAnswer& family, Style style);
std::string every_explanation_json(const every::FamilyAnswer& family);

// How many threads must be resident (docs/reference/models.md, OBE-k), as far as the answers under
// OBE and under fair say it.
std::string every_residency(const every::FamilyAnswer& family);
std::string every_residency_csv(const every::FamilyAnswer& family);
std::string every_residency_json(const every::FamilyAnswer& family);

}  // namespace headway::report
