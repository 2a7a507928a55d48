// Progress models of verify: those that files name, and what is asked of them.
#pragma once

#ifdef HEADWAY_KERNELS
#include <vector>

#include "kernel/directives.hpp"
#include "models/library.hpp"
#include "models/scoped.hpp"
#include "verify/encoding/options.hpp"

namespace headway::cli {

// For each of the models, whether a launch that waits ends under it.
void ask_of_models(verify::Options& options, std::vector<models::ModelPtr> models);

// Those that a directive names. Throws headway::Error with its place.
std::vector<models::ModelPtr> named_models(const models::Library& library,
                                           const kernel::VerifyDirective& directive);

// Each once, by its name.
std::vector<models::ModelPtr> joined(std::vector<models::ModelPtr> all,
                                     const std::vector<models::ModelPtr>& more);

}  // namespace headway::cli
#endif
