#include "every/certificate.hpp"

#include <fmt/format.h>

#include <array>

#include "every/certificate_form.hpp"

namespace headway::every {
namespace {

using Claim = Certificate::Claim;

constexpr std::array<const char*, 4> kClaims = {"safe", "pass", "fail", "error"};
constexpr std::array<const char*, 3> kNewcomers = {"none", "idle", "restoring"};

// An item a line, so that two certificates can be compared.
std::string lines(const char* name, const std::vector<Json>& items) {
  std::string text = fmt::format(",\n\"{}\": [", name);
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += fmt::format("{}\n{}", i == 0 ? "" : ",", items[i].dump());
  }
  return text + "]";
}

template <class Places>
std::vector<Json> keys(const Places& places) {
  std::vector<Json> result;
  result.reserve(places.size());
  for (const auto& place : places) result.emplace_back(place.key());
  return result;
}

// What is in memory, and who stands where; of a place that is not counted, 0.
Json json_of(const CountedNode& node) {
  std::map<int, int> counts(node.counts.begin(), node.counts.end());
  for (const int place : node.may) counts.emplace(place, 0);
  return Json::array({node.memory.key(), counts});
}

}  // namespace

std::string to_json(const Certificate& certificate) {
  nlohmann::ordered_json head = {{"certificate", 4},
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
    head["below ended"] = certificate.row->below_ended;
    text = lines("places", keys(certificate.row->places)) +
           fmt::format(",\n\"sets\": {}", Json(certificate.row->sets).dump());
  } else if (certificate.counted) {
    const CountedGraph& graph = *certificate.counted;
    head["method"] = graph.symbolic ? "counts" : "caps";
    head["largest number"] = graph.largest_number;
    head["caps"] = graph.caps;
    std::vector<Json> nodes;
    nodes.reserve(graph.nodes.size());
    for (const CountedNode& node : graph.nodes) nodes.push_back(json_of(node));
    text = lines("places", keys(graph.places)) + lines("nodes", nodes);
  }
  text += lines("rounds", {certificate.rounds.begin(), certificate.rounds.end()}) + "}\n";
  std::string beginning = head.dump();
  beginning.pop_back();
  return beginning + text;
}

std::string title_of(const std::string& certificate) {
  try {
    const Json json = Json::parse(certificate);
    const std::string claim = json.at("claim");
    if (claim == "safe") return "safe for every N";
    std::string reading = claim;
    if (claim != "error") {
      reading = fmt::format("{}:{}: {}", json.at("model").get<std::string>(),
                            json.at("fairness").get<std::string>(), claim);
    }
    if (claim == "pass") return reading + " for every N";
    return fmt::format("{} {} N = {}", reading, json.at("newcomer") == "none" ? "at" : "from",
                       json.at("n").get<int>());
  } catch (const Json::exception& error) {
    throw Error({}, fmt::format("expected a certificate; {}", error.what()));
  }
}

}  // namespace headway::every
