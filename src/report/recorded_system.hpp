// The transition system of a program under a reading, as JSON for src/report/page/shown.js.
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
  // is its memory, by thread what it does next and its place, and the sets of threads that have not
  // ended and that have failed; an edge is from, thread, to and its effect. A place is a line, 0
  // for none, and has a letter behind it, "14b", where a thread has several statements in that
  // line.
  nlohmann::ordered_json graph;
  // {fair, owed, sets, started}: by state F as a text and the threads whose steps pay what is owed;
  // the states that a fair cycle can visit together, set by set; by state the threads that have
  // started, where the model looks at that.
  nlohmann::ordered_json reading;
  // The states on the way of a witness.
  std::optional<std::vector<std::size_t>> path;
  // The state of an execution at a moment, of those that are here.
  std::function<std::optional<std::size_t>(const checker::Moment&)> state_at;
};

// Sets of threads are numbers of 32 bits in the page.
inline constexpr int kMaxRecordedThreads = 30;

// Nothing where there are more than `options.max_states` states or it was stopped. `moments` are
// those of a replay, of the stem and of the first round of the cycle; empty where there is no
// witness.
std::optional<RecordedSystem> record_system(const lang::Program& program,
                                            const models::Model& model, models::Fairness fairness,
                                            const checker::CheckOptions& options,
                                            std::span<const checker::Moment> moments,
                                            std::span<const lang::Step> steps,
                                            const NumberText& number);

}  // namespace headway::report
