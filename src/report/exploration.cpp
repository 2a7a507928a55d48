#include "report/exploration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits/thread_ranges.hpp"
#include "report/table.hpp"

namespace headway::report {
namespace {

using Json = nlohmann::ordered_json;

std::string swept_heights(const checker::CheckResult& result, const checker::Swept& swept) {
  std::string text =
      fmt::format("layer by layer, {} of {} heights", swept.heights, swept.all_heights);
  const std::size_t others = result.verdicts.size() - swept.models;
  if (others > 0) {
    text += fmt::format("; as a whole for the {} model{} whose F depends on more than the history",
                        others, others == 1 ? "" : "s");
  }
  return text;
}

}  // namespace

std::string symmetry_text(const checker::CheckResult& result) {
  if (!result.swept || result.swept->interchangeable.empty()) return {};
  std::string text;
  for (const ThreadSet threads : result.swept->interchangeable) {
    text += (text.empty() ? result.swept->leaf + "s " : " and ") + ranges(threads);
  }
  return text;
}

std::string exploration_text(const std::string& name, const checker::CheckResult& result) {
  TextTable table;
  const auto row = [&](const std::string& what, const std::string& value) {
    table.add_row({{"  " + what, Color::none}, {value, Color::none}});
  };
  if (!result.swept) {
    row("explored", "as a whole");
    row("states", std::to_string(result.states));
    row("transitions", std::to_string(result.transitions));
  } else {
    const checker::Swept& swept = *result.swept;
    const auto states = static_cast<double>(std::max<std::size_t>(swept.states, 1));
    const std::string symmetry = symmetry_text(result);
    row("explored", swept_heights(result, swept));
    row("states",
        fmt::format("{} of {} word{}", swept.states, swept.words, swept.words == 1 ? "" : "s"));
    row("transitions", std::to_string(swept.transitions));
    const std::string none =
        swept.no_tables.empty() ? "none" : fmt::format("none, as {}", swept.no_tables);
    row("symmetry", symmetry.empty() ? none : symmetry + " run the same code");
    if (swept.silent_steps) row("silent steps", "taken at once");
    row("history", swept.tracks_started ? "started and terminated" : "terminated");
    row("seconds", fmt::format("{:.3f}, {:.3g} states a second", swept.seconds,
                               states / std::max(swept.seconds, 1e-6)));
    row("memory", fmt::format("{:.1f} MiB, {:.1f} bytes a state",
                              static_cast<double>(swept.memory) / (1 << 20),
                              static_cast<double>(swept.memory) / states));
  }
  std::string text = name + "\n" + table.to_string({});
  text.pop_back();
  return text;
}

Json exploration_json(const checker::CheckResult& result) {
  if (!result.swept) return {{"engine", "whole"}};
  const checker::Swept& swept = *result.swept;
  Json object = {{"engine", swept.models == result.verdicts.size() ? "layers" : "layers and whole"},
                 {"states", swept.states},
                 {"transitions", swept.transitions},
                 {"tracks_started", swept.tracks_started},
                 {"words_a_state", swept.words},
                 {"heights", swept.heights},
                 {"all_heights", swept.all_heights},
                 {"seconds", swept.seconds},
                 {"memory", swept.memory},
                 {"interchangeable", Json::array()}};
  if (swept.silent_steps) object["silent_steps"] = true;
  if (!swept.no_tables.empty()) object["no_tables"] = swept.no_tables;
  for (const ThreadSet threads : swept.interchangeable) {
    Json ids = Json::array();
    for (const int thread : threads) ids.push_back(thread);
    object["interchangeable"].push_back(std::move(ids));
  }
  return object;
}

std::string to_string(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "none";
    case Limit::states:
      return "states";
    case Limit::memory:
      return "memory";
    case Limit::time:
      return "time";
    case Limit::interrupt:
      return "interrupt";
  }
  return {};
}

}  // namespace headway::report
