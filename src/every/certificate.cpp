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
  Json head = {{"certificate", 3},
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
    head["below ended"] = certificate.row->below_ended;
    text = lines("places", items(certificate.row->places));
  } else if (certificate.counted) {
    const CountedGraph& graph = *certificate.counted;
    head["method"] = graph.symbolic ? "counts" : "caps";
    head["largest number"] = graph.largest_number;
    head["caps"] = graph.caps;
    text = lines("places", items(graph.places)) + lines("nodes", items(graph.nodes));
  }
  text += lines("rounds", items(certificate.rounds)) +
          lines("escapes", items(certificate.escapes)) + "}\n";
  std::string beginning = head.dump();
  beginning.pop_back();
  return beginning + text;
}

Certificate certificate_of(const std::string& text, const std::string& file) {
  try {
    const Json json = Json::parse(text);
    if (json.at("certificate") != 3) throw Error("a version that is not known");
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
    const std::size_t method =
        word(json.at("method"), std::array<const char*, 3>{"row", "caps", "counts"});
    if (method == 0) {
      PositionGraph& row = certificate.row.emplace();
      row.sets = position_sets_of(json.at("sets"));
      json.at("below ended").get_to(row.below_ended);
      for (const Json& place : json.at("places")) row.places.push_back(position_place_of(place));
    } else {
      CountedGraph& graph = certificate.counted.emplace();
      graph.symbolic = method == 2;
      json.at("largest number").get_to(graph.largest_number);
      json.at("caps").get_to(graph.caps);
      for (const Json& place : json.at("places")) graph.places.push_back(counted_place_of(place));
      for (const Json& node : json.at("nodes")) graph.nodes.push_back(counted_node_of(node));
    }
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
