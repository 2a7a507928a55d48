// What certificates of passes hold as JSON, for those who write and who check them.
#pragma once

#include <nlohmann/json.hpp>

#include "every/position_space.hpp"
#include "every/proof.hpp"

namespace headway::every {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Round::Measure, reg, falls)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Round, ranks, place_ranks, measures, owed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PositionSets, drawn, roles, seen, last, all_pass, handed)

}  // namespace headway::every
