// An explanation (checker/explain.hpp) in words for people and as JSON for programs.
#pragma once

#include <string>

#include "checker/explain.hpp"
#include "report/table.hpp"

namespace headway::report {

// What is explained. The program and the model must be those of the explanation.
struct Explained {
  std::string test;
  std::string file;
  const lang::Program& program;
  const models::Model& model;
  models::Fairness fairness;
  const checker::Explanation& explanation;
};

std::string explanation_text(const Explained& explained, Style style);

// An object; with the same content.
std::string explanation_json(const Explained& explained);

}  // namespace headway::report
