// headway check --threads any and its kin: answers for every number of threads.
#pragma once

#include <string>
#include <vector>

#include "cli/outcome.hpp"

namespace headway::cli {

struct EveryArguments {
  std::vector<std::string> paths;
  std::vector<std::string> models;  // none: the six that it knows
  std::string fairness = "both";
  std::string format = "table";
  std::string certificate;  // a folder; empty for none
};

// Throws headway::Error for a model that is not decided for every N.
Outcome check_every(const EveryArguments& arguments);

// One family and one reading, in words.
Outcome explain_every(const std::string& path, const std::string& model,
                      const std::string& fairness, const std::string& format);
// How many threads of one family must be resident.
Outcome residency_every(const std::string& path, const std::string& format);

// All families of a path as a page of their own in the file `out`, or on standard output for -.
Outcome report_every(const std::string& path, const std::vector<std::string>& models,
                     const std::string& title, const std::string& out);

}  // namespace headway::cli
