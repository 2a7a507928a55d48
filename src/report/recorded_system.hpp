// The transition system of a program that the page of a report does not explore by itself, as JSON
// for src/report/page/recorded.js.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "checker/labelled_graph.hpp"
#include "checker/witness/replay.hpp"

namespace headway::report {

// Page numbers of texts.
using NumberText = std::function<std::size_t(const std::string&)>;

struct RecordedSystem {
  // What does not depend on the reading, so that readings share it: {leaf, states, edges}. A state
  // is its memory and what each thread does next, as texts, the lines of these, and the sets of
  // threads that have not ended and that have failed; an edge is from, thread, to and its effect.
  nlohmann::ordered_json graph;
  // {fair, owed, marked}: by state F as a text and the threads whose steps pay what is owed; the
  // states on fair cycles.
  nlohmann::ordered_json reading;
  // The states on the way of a witness.
  std::optional<std::vector<std::size_t>> path;
};

// Sets of threads are numbers of 32 bits in the page.
inline constexpr int kMaxRecordedThreads = 30;

// Nothing where there are more than `max_states` states. `moments` are those of a replay, of the
// stem and of the first round of the cycle; empty where there is no witness.
std::optional<RecordedSystem> record_system(const lang::Program& program,
                                            const models::Model& model, models::Fairness fairness,
                                            std::size_t max_states,
                                            std::span<const checker::Moment> moments,
                                            std::span<const lang::Step> steps,
                                            const NumberText& number);

}  // namespace headway::report
