// headway check of litmus tests that ask what memory may do, in the format of herd.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/outcome.hpp"
#include "models/model.hpp"

namespace headway::cli {

struct MemoryArguments {
  std::vector<std::string> paths;
  std::vector<std::string> models;  // by name or file; none: that of each test's language
  // Progress models, to ask whether the tests end; none: their conditions are asked about.
  std::vector<models::ModelPtr> progress;
  std::string format;
  int jobs = 0;
  double timeout = 0;  // seconds a test and model; 0: any
};

// Whether a path is a file, or standard input, that holds such a test, or a folder whose first file
// of a test is one.
bool begins_with_memory_test(const std::filesystem::path& path);

Outcome check_memory(const MemoryArguments& arguments);

}  // namespace headway::cli
