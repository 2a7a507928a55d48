// Models, for tests.
#pragma once

#include <vector>

#include "models/library.hpp"

namespace headway::testing {

inline std::vector<models::ModelPtr> standard_models() { return models::Library().standard(); }

// Those of models/events/, in the same order.
std::vector<models::ModelPtr> event_models();

}  // namespace headway::testing
