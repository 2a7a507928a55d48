// An explanation (checker/explain.hpp) in words for people and as JSON for programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

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

// Of a verdict fail, what the text says behind the steps.
struct FailureWords {
  // Why the cycle is fair, group by group, or of a stuck state who waits where for whom: a name,
  // "thread 1" or "each of threads 2-5", and what is said.
  std::vector<std::pair<std::string, std::string>> groups;
  std::string summary;
};
FailureWords failure_words(const Explained& explained);

}  // namespace headway::report
