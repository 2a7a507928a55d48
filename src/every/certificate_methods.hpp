// What certificates of passes hold, as JSON. Lists of numbers, as there are many.
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
PositionSets position_sets_of(const Json& json);
PositionPlace position_place_of(const Json& json);

Json json_of(const Round& round);
Json json_of(const Escape& escape);
Round round_of(const Json& json);
Escape escape_of(const Json& json);

}  // namespace headway::every
