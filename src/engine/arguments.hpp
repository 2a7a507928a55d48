// What commands are told in words: sizes, launches and models.
#pragma once

#include <string>
#include <vector>

#include "base/topology.hpp"
#include "lang/language.hpp"
#include "models/library.hpp"

namespace headway::engine {

// "4", "2..6" or "2-6" as numbers of threads, or several of these with commas between them. Throws
// headway::Error.
lang::Sizes parse_sizes(const std::string& text);

// "2x4", "2x2x4": workgroups, subgroups of each where there are any, and threads. Throws
// headway::Error.
Topology parse_launch(const std::string& text);

// The models that `--model` options name; the standard ones when there are none.
std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names);

}  // namespace headway::engine
