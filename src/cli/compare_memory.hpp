// headway models compare of memory models.
#pragma once

#include <string>
#include <vector>

#include "cli/outcome.hpp"
#include "models/library.hpp"

namespace headway::cli {

struct MemoryComparison {
  std::vector<std::string> models;  // two, by name or file
  std::string language;             // of the tests; empty: that of the models
  std::string progress;             // a progress model; empty: none
  int most_statements = 0;
  double timeout = 0;  // seconds; 0: any
  std::string format;  // table or json
};

Outcome compare_memory(const MemoryComparison& comparison, models::Library& library);

}  // namespace headway::cli
