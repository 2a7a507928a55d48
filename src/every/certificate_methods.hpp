// What certificates of methods B and C hold, as JSON. Lists of numbers, as there are many.
#pragma once

#include <nlohmann/json.hpp>

#include "every/counting.hpp"
#include "every/positions.hpp"

namespace headway::every {

using Json = nlohmann::ordered_json;

Json json_of(const CountedPlace& place);
Json json_of(const CountedNode& node);
CountedPlace counted_place_of(const Json& json);
CountedNode counted_node_of(const Json& json);

Json json_of(const PositionSets& sets);
Json json_of(const PositionPlace& place);
Json json_of(const PositionRound& round);
PositionSets position_sets_of(const Json& json);
PositionPlace position_place_of(const Json& json);
PositionRound position_round_of(const Json& json);

}  // namespace headway::every
