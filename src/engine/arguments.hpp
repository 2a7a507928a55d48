// What commands are told in words: sizes, launches and models.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "every/certificate.hpp"
#include "lang/language.hpp"
#include "models/library.hpp"

namespace headway::engine {

// "4", "2..6" or "2-6" as numbers of threads, or several of these with commas between them. Throws
// headway::Error.
lang::Sizes parse_sizes(const std::string& text);
// The same; nothing where no text is given.
std::optional<lang::Sizes> parse_given_sizes(const std::string& text);

// "2x4", "2x2x4": workgroups, subgroups of each where there are any, and threads; or a placement as
// below, "2|1". Throws headway::Error.
Topology parse_launch(const std::string& text);

// "2|1", "1,1|2": the threads of each subgroup, with commas between those of a workgroup; or a
// launch as above. Throws headway::Error.
Topology parse_placement(const std::string& text);

// Of models, the standard ones.
inline constexpr const char* kAll = "all";

// The models that `--model` options name; the standard ones of a launch when there are none.
std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names,
                                          const Topology& launch = 1);

// The readings of models that are decided for every N; of all that are when none is named.
// `fairness` is weak, strong or both. Throws headway::Error for a model that is not.
std::vector<every::Reading> every_readings(const std::vector<std::string>& models,
                                           const std::string& fairness);

}  // namespace headway::engine
