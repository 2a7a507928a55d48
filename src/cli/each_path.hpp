// Commands that show the same of each path that they are given.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/outcome.hpp"

namespace headway::cli {

using Show = std::function<void(std::string text)>;

// Calls `one` with each path, until an interruption; what it throws becomes a message and counts.
// What it shows is printed one below the other; of several as JSON as a list.
void for_each_path(const std::vector<std::string>& paths, bool json, Outcome& outcome,
                   const std::function<void(const std::string& path, const Show& show)>& one);

// As messages and results name it.
std::string shown_path(const std::string& path);

}  // namespace headway::cli
