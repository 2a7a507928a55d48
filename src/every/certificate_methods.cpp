#include "every/certificate_methods.hpp"

#include "base/error.hpp"

namespace headway::every {
namespace {

Json bound(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); }
std::optional<std::int64_t> bound_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<std::int64_t>();
}

Json in_n_json(const std::optional<InN>& value) {
  return value ? Json::array({value->constant, value->by_n}) : Json();
}
std::optional<InN> in_n_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return InN{json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>()};
}

template <class Word>
Word word_of(const Json& json, int last) {
  const int word = json.get<int>();
  if (word < 0 || word > last) throw Error("a number that stands for nothing");
  return static_cast<Word>(word);
}

Json json_of(const PositionSets::ByOwner& sets) {
  Json result = Json::array();
  for (const auto& [owner, values] : sets) {
    result.push_back(Json::array({owner.first, owner.second, values}));
  }
  return result;
}

PositionSets::ByOwner by_owner_of(const Json& json) {
  PositionSets::ByOwner result;
  for (const Json& entry : json) {
    result[{entry.at(0).get<int>(), entry.at(1).get<bool>()}] =
        entry.at(2).get<std::set<std::int64_t>>();
  }
  return result;
}

}  // namespace

// A register is a number, or [counter, low, high].
Json json_of(const CountedPlace& place) {
  Json registers = Json::array();
  for (const Content& content : place.registers) {
    registers.push_back(content.is_number ? Json(content.number)
                                          : Json::array({content.counter, in_n_json(content.low),
                                                         in_n_json(content.high)}));
  }
  return Json::array(
      {static_cast<int>(place.stage), place.kind, place.at, registers, place.shares});
}

CountedPlace counted_place_of(const Json& json) {
  CountedPlace place;
  place.stage = word_of<CountedPlace::Stage>(json.at(0), 2);
  json.at(1).get_to(place.kind);
  json.at(2).get_to(place.at);
  for (const Json& entry : json.at(3)) {
    Content& content = place.registers.emplace_back();
    content.is_number = entry.is_number();
    if (content.is_number) {
      entry.get_to(content.number);
      continue;
    }
    entry.at(0).get_to(content.counter);
    content.low = in_n_of(entry.at(1));
    content.high = in_n_of(entry.at(2));
  }
  json.at(4).get_to(place.shares);
  return place;
}

Json json_of(const CountedNode& node) {
  Json counters = Json::array();
  for (const CountedCounter& counter : node.memory.counters) {
    counters.push_back(Json::array({counter.by_n, counter.constant}));
  }
  return Json::array({node.memory.cells, counters, node.counts, node.may});
}

CountedNode counted_node_of(const Json& json) {
  CountedNode node;
  json.at(0).get_to(node.memory.cells);
  for (const Json& counter : json.at(1)) {
    node.memory.counters.push_back(
        {counter.at(0).get<std::int64_t>(), counter.at(1).get<std::int64_t>()});
  }
  json.at(2).get_to(node.counts);
  json.at(3).get_to(node.may);
  return node;
}

Json json_of(const PositionSets& sets) {
  Json roles = Json::array();
  for (const Role role : sets.roles) roles.push_back(static_cast<int>(role));
  return {{"drawn", sets.drawn},        {"roles", roles},
          {"seen", json_of(sets.seen)}, {"last", json_of(sets.last)},
          {"all pass", sets.all_pass},  {"handed", sets.handed}};
}

PositionSets position_sets_of(const Json& json) {
  PositionSets sets;
  json.at("drawn").get_to(sets.drawn);
  for (const Json& role : json.at("roles")) sets.roles.push_back(word_of<Role>(role, 4));
  sets.seen = by_owner_of(json.at("seen"));
  sets.last = by_owner_of(json.at("last"));
  json.at("all pass").get_to(sets.all_pass);
  json.at("handed").get_to(sets.handed);
  return sets;
}

// A register is a number, or [low, low from the position, high, high from it, high from N].
Json json_of(const PositionPlace& place) {
  Json registers = Json::array();
  for (const Between& r : place.registers) {
    registers.push_back(r.is_number
                            ? Json(r.number)
                            : Json::array({bound(r.low), bound(r.low_position), bound(r.high),
                                           bound(r.high_position), bound(r.high_n)}));
  }
  return Json::array({place.block, place.fresh, place.ended, static_cast<int>(place.position),
                      static_cast<int>(place.baton), place.at, place.own, place.guarded,
                      registers});
}

PositionPlace position_place_of(const Json& json) {
  PositionPlace place;
  json.at(0).get_to(place.block);
  json.at(1).get_to(place.fresh);
  json.at(2).get_to(place.ended);
  place.position = word_of<PositionPlace::At>(json.at(3), 2);
  place.baton = word_of<PositionPlace::Baton>(json.at(4), 2);
  json.at(5).get_to(place.at);
  json.at(6).get_to(place.own);
  json.at(7).get_to(place.guarded);
  for (const Json& entry : json.at(8)) {
    Between& content = place.registers.emplace_back();
    content.is_number = entry.is_number();
    if (content.is_number) {
      entry.get_to(content.number);
      continue;
    }
    content.low = bound_of(entry.at(0));
    content.low_position = bound_of(entry.at(1));
    content.high = bound_of(entry.at(2));
    content.high_position = bound_of(entry.at(3));
    content.high_n = bound_of(entry.at(4));
  }
  return place;
}

Json json_of(const Round& round) {
  Json places = Json::array(), measures = Json::array();
  for (const auto& [rank, of_rank] : round.place_ranks) {
    places.push_back(
        {rank, std::vector<std::pair<int, std::uint32_t>>(of_rank.begin(), of_rank.end())});
  }
  for (const auto& [rank, measure] : round.measures) {
    measures.push_back(Json::array({rank, measure.reg, measure.falls}));
  }
  return {{"ranks", round.ranks},
          {"place ranks", places},
          {"measures", measures},
          {"owed", round.owed}};
}

Round round_of(const Json& json) {
  Round round;
  json.at("ranks").get_to(round.ranks);
  for (const Json& entry : json.at("place ranks")) {
    auto& places = round.place_ranks[entry.at(0).get<std::uint32_t>()];
    for (const Json& place : entry.at(1)) {
      places[place.at(0).get<int>()] = place.at(1).get<std::uint32_t>();
    }
  }
  for (const Json& entry : json.at("measures")) {
    round.measures[entry.at(0).get<std::uint32_t>()] = {entry.at(1).get<int>(),
                                                        entry.at(2).get<bool>()};
  }
  json.at("owed").get_to(round.owed);
  return round;
}

Json json_of(const Escape& escape) {
  return Json::array({escape.node, escape.places, escape.distance, escape.mover});
}

Escape escape_of(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::vector<int>>(),
          json.at(2).get<int>(), json.at(3).get<int>()};
}

}  // namespace headway::every
