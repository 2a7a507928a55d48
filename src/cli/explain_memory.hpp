// headway explain of tests that ask what memory may do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/kernels.hpp"
#include "cli/outcome.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"

namespace headway::cli {

struct MemoryExplanation {
  std::string path;
  const lang::Languages& languages;
  std::optional<lang::Sizes> sizes;  // of a family, which member
  const KernelArguments& kernels;
  std::string memory;  // a model by name or file; empty: that of the test's language
  std::string model;   // a progress model; empty: the condition and what is flagged is explained
  std::string format;  // text, json or dot
  double timeout = 0;  // seconds; 0: any
};

// What is printed.
std::string explain_memory(const MemoryExplanation& asked, models::Library& library,
                           Outcome& outcome);

}  // namespace headway::cli
