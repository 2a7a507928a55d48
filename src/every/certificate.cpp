#include "every/certificate.hpp"

#include <fmt/format.h>

#include <array>

#include "every/certificate_methods.hpp"

namespace headway::every {
namespace {

using Claim = Certificate::Claim;
using Newcomer = Certificate::Newcomer;

constexpr std::array<const char*, 4> kClaims = {"safe", "pass", "fail", "error"};
constexpr std::array<const char*, 3> kNewcomers = {"none", "idle", "restoring"};

Json json_of(const AbstractNode& node) {
  Json may = Json::array();
  for (std::size_t p = 0; p < node.may.size(); ++p) {
    if (node.may[p]) may.push_back(p);
  }
  return {node.memory, node.specials, node.counts, may};
}

AbstractNode node_of(const Json& json) {
  AbstractNode node;
  json.at(0).get_to(node.memory);
  json.at(1).get_to(node.specials);
  json.at(2).get_to(node.counts);
  for (const Json& place : json.at(3)) {
    const auto p = place.get<std::uint16_t>();
    if (node.may.size() <= p) node.may.resize(std::size_t{p} + 1);
    node.may[p] = true;
  }
  return node;
}

Json json_of(const Round& round) {
  Json places = Json::array();
  for (const auto& [rank, of_rank] : round.place_ranks) {
    places.push_back(
        {rank, std::vector<std::pair<int, std::uint32_t>>(of_rank.begin(), of_rank.end())});
  }
  return {{"ranks", round.ranks}, {"place ranks", places}, {"owed", round.owed}};
}

Round round_of(const Json& json) {
  Round round;
  json.at("ranks").get_to(round.ranks);
  json.at("owed").get_to(round.owed);
  for (const Json& entry : json.at("place ranks")) {
    auto& places = round.place_ranks[entry.at(0).get<std::uint32_t>()];
    for (const Json& place : entry.at(1)) {
      places[place.at(0).get<int>()] = place.at(1).get<std::uint32_t>();
    }
  }
  return round;
}

Json json_of(const Escape& escape) {
  return {escape.memory, escape.specials, escape.crowd, escape.distance, escape.mover};
}

Escape escape_of(const Json& json) {
  return {json.at(0).get<int>(), json.at(1).get<std::vector<int>>(),
          json.at(2).get<std::vector<int>>(), json.at(3).get<int>(), json.at(4).get<int>()};
}

void read_row(const Json& json, Certificate& certificate) {
  certificate.row.emplace();
  certificate.row->sets = position_sets_of(json.at("sets"));
  json.at("below ended").get_to(certificate.row_proof.below_ended);
  for (const Json& place : json.at("places")) {
    certificate.row->places.push_back(position_place_of(place));
  }
  for (const Json& round : json.at("rounds")) {
    certificate.row_proof.rounds.push_back(position_round_of(round));
  }
}

void read_counted(const Json& json, Certificate& certificate) {
  CountedGraph& graph = certificate.counted.emplace();
  json.at("largest number").get_to(graph.largest_number);
  json.at("caps").get_to(graph.caps);
  for (const Json& place : json.at("places")) graph.places.push_back(counted_place_of(place));
  for (const Json& node : json.at("nodes")) graph.nodes.push_back(counted_node_of(node));
  for (const Json& round : json.at("rounds")) certificate.rounds.push_back(round_of(round));
}

template <std::size_t Count>
std::size_t word(const Json& json, const std::array<const char*, Count>& words) {
  for (std::size_t w = 0; w < Count; ++w) {
    if (json == words[w]) return w;
  }
  throw Error("unknown word " + json.dump());
}

// An item a line, so that two certificates can be compared.
template <class Items>
std::string lines(const char* name, const Items& items) {
  std::string text = fmt::format(",\n\"{}\": [", name);
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += fmt::format("{}\n{}", i == 0 ? "" : ",", items[i].dump());
  }
  return text + "]";
}

template <class Values>
std::vector<Json> items(const Values& values) {
  std::vector<Json> result;
  result.reserve(values.size());
  for (const auto& value : values) result.push_back(json_of(value));
  return result;
}

}  // namespace

std::string Certificate::title() const {
  switch (claim) {
    case Claim::safe:
      return "safe for every N";
    case Claim::pass:
      return reading.to_string() + ": pass for every N";
    case Claim::fail:
      return fmt::format("{}: fail {} N = {}", reading.to_string(),
                         newcomer == Newcomer::none ? "at" : "from", n);
    case Claim::error:
      break;
  }
  return fmt::format("error {} N = {}", newcomer == Newcomer::none ? "at" : "from", n);
}

std::string to_json(const Certificate& certificate) {
  Json head = {{"certificate", 2},
               {"program", certificate.program},
               {"claim", kClaims[static_cast<std::size_t>(certificate.claim)]}};
  const bool has_reading = certificate.claim == Claim::pass || certificate.claim == Claim::fail;
  if (has_reading) {
    head["model"] = to_string(certificate.reading.promise);
    head["fairness"] = models::to_string(certificate.reading.fairness);
  }
  if (certificate.n > 0) {
    head["n"] = certificate.n;
    head["newcomer"] = kNewcomers[static_cast<std::size_t>(certificate.newcomer)];
    head["stem"] = certificate.stem;
    head["cycle"] = certificate.cycle;
    return head.dump() + "\n";
  }
  std::string text;
  if (certificate.row) {
    head["method"] = "row";
    head["sets"] = json_of(certificate.row->sets);
    head["below ended"] = certificate.row_proof.below_ended;
    text = head.dump();
    text.pop_back();
    return text + lines("places", items(certificate.row->places)) +
           lines("rounds", items(certificate.row_proof.rounds)) + "}\n";
  }
  if (certificate.counted) {
    head["method"] = "counts";
    head["largest number"] = certificate.counted->largest_number;
    head["caps"] = certificate.counted->caps;
    text = head.dump();
    text.pop_back();
    return text + lines("places", items(certificate.counted->places)) +
           lines("nodes", items(certificate.counted->nodes)) +
           lines("rounds", items(certificate.rounds)) + "}\n";
  }
  head["method"] = "caps";
  head["caps"] = certificate.caps;
  text = head.dump();
  text.pop_back();
  text += lines("places", std::vector<Json>(certificate.places.begin(), certificate.places.end()));
  text += lines("memories",
                std::vector<Json>(certificate.memories.begin(), certificate.memories.end()));
  text += lines("nodes", items(certificate.nodes));
  text += lines("rounds", items(certificate.rounds));
  text += lines("escapes", items(certificate.escapes));
  return text + "}\n";
}

Certificate certificate_of(const std::string& text, const std::string& file) {
  try {
    const Json json = Json::parse(text);
    if (json.at("certificate") != 2) throw Error("a version that is not known");
    Certificate certificate;
    json.at("program").get_to(certificate.program);
    certificate.claim = static_cast<Claim>(word(json.at("claim"), kClaims));
    if (certificate.claim == Claim::pass || certificate.claim == Claim::fail) {
      const auto promise = promise_named(json.at("model").get<std::string>());
      if (!promise) throw Error("unknown model");
      certificate.reading.promise = *promise;
      certificate.reading.fairness = static_cast<Fairness>(
          word(json.at("fairness"), std::array<const char*, 2>{"weak", "strong"}));
    }
    if (certificate.claim == Claim::fail || certificate.claim == Claim::error) {
      json.at("n").get_to(certificate.n);
      certificate.newcomer = static_cast<Newcomer>(word(json.at("newcomer"), kNewcomers));
      json.at("stem").get_to(certificate.stem);
      json.at("cycle").get_to(certificate.cycle);
      return certificate;
    }
    switch (word(json.at("method"), std::array<const char*, 3>{"caps", "row", "counts"})) {
      case 1:
        read_row(json, certificate);
        return certificate;
      case 2:
        read_counted(json, certificate);
        return certificate;
      default:
        break;
    }
    json.at("caps").get_to(certificate.caps);
    json.at("places").get_to(certificate.places);
    json.at("memories").get_to(certificate.memories);
    for (const Json& node : json.at("nodes")) certificate.nodes.push_back(node_of(node));
    for (const Json& round : json.at("rounds")) certificate.rounds.push_back(round_of(round));
    for (const Json& escape : json.at("escapes")) certificate.escapes.push_back(escape_of(escape));
    return certificate;
  } catch (const Json::exception& error) {
    throw Error({file, 0, 0}, fmt::format("expected a certificate; {}", error.what()));
  } catch (const Error& error) {
    throw Error({file, 0, 0}, fmt::format("expected a certificate; {}", error.what()));
  }
}

}  // namespace headway::every
