// headway check of litmus tests that ask what memory may do, in the format of herd.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/kernels.hpp"
#include "cli/outcome.hpp"
#include "models/model.hpp"

namespace headway::cli {

struct MemoryArguments {
  std::vector<std::string> paths;
  std::set<std::filesystem::path> others;  // files below these that are no such tests
  std::vector<std::string> models;         // by name or file; none: that of each test's language
  // Progress models, to ask whether the tests end; none: their conditions are asked about.
  std::vector<models::ModelPtr> progress;
  std::string format;
  int jobs = 0;
  double timeout = 0;  // seconds a test and model; 0: any
};

// Of the files that paths lead to, those that hold such tests, and all others.
struct Kinds {
  std::vector<std::filesystem::path> of_memory, others;
};
Kinds kinds_of(const std::vector<std::string>& paths, const CompilerArguments& arguments);

Outcome check_memory(const MemoryArguments& arguments);

}  // namespace headway::cli
