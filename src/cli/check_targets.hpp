// headway check --target: where programs hang, a row each target.
#pragma once

#include <string>
#include <vector>

#include "checker/check.hpp"
#include "cli/outcome.hpp"
#include "engine/targets.hpp"
#include "languages/languages.hpp"

namespace headway::cli {

// Targets by name or by the path of a file; "all" are those that come with headway. Throws
// headway::Error.
std::vector<engine::Target> find_targets(const std::vector<std::string>& names);

struct TargetsQuestion {
  const lang::Languages& languages;
  std::vector<std::string> paths;
  std::string threads;               // sizes of families; empty: those that they declare
  std::vector<std::string> targets;  // as of find_targets
  std::string format;                // table, csv or json
  checker::CheckOptions options;
  double seconds = 0;  // for each test on each target; 0: any
};

Outcome check_targets(const TargetsQuestion& question);

}  // namespace headway::cli
