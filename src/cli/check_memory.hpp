// headway check of tests that ask what memory may do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/memory_tests.hpp"
#include "cli/outcome.hpp"
#include "models/model.hpp"

namespace headway::cli {

struct MemoryArguments {
  Found tests;
  const lang::Languages& languages;
  std::optional<lang::Sizes> sizes;  // of families of the idiom language
  const KernelArguments& kernels;
  std::vector<std::string> models;  // by name or file; none: that of each test's language
  // Progress models, to ask whether tests end; none: of tests in herd's format the conditions are
  // asked about, of others whether they end under the usual models.
  std::vector<models::ModelPtr> progress, usual;
  std::string format;
  int jobs = 0;
  double timeout = 0;  // seconds a test and model; 0: any
};

Outcome check_memory(const MemoryArguments& arguments);

}  // namespace headway::cli
