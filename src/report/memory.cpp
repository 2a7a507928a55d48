#include "report/memory.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"

namespace headway::report {
namespace {

using Json = nlohmann::ordered_json;
using Quantifier = consistency::Program::Quantifier;

std::string flags_of(const consistency::Outcomes& outcomes) {
  std::string text;
  for (const auto& flag : outcomes.flagged) text += (text.empty() ? "" : " ") + flag.first;
  return text;
}

// What herd calls a test whose condition is asked about in this way.
std::string_view kind_of(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::exists:
      return "Allowed";
    case Quantifier::never:
      return "Forbidden";
    case Quantifier::forall:
      return "Required";
  }
  return {};
}

const std::string& cut_of(const MemoryAnswer& answer) {
  return answer.outcomes.cut.empty() ? answer.termination.cut : answer.outcomes.cut;
}

std::string_view condition_verdict(const MemoryAnswer& answer) {
  if (!answer.outcomes.decides(answer.program)) return "unknown";
  return answer.outcomes.holds(answer.program) ? "holds" : "does not hold";
}

}  // namespace

std::string memory_verdict(const MemoryAnswer& answer) {
  const std::string verdict(condition_verdict(answer));
  return verdict == "unknown" ? "unknown: " + answer.outcomes.cut : verdict;
}

std::string termination_verdict(const MemoryAnswer& answer, std::size_t model) {
  using Verdict = consistency::Termination::Verdict;
  if (answer.outcomes.error) return "error";
  if (!answer.outcomes.flagged.empty()) return answer.outcomes.flagged.begin()->first;
  switch (answer.termination.verdicts[model]) {
    case Verdict::pass:
      return answer.outcomes.cut.empty() ? "pass" : "unknown";  // a race may have been missed
    case Verdict::fail:
      return "fail";
    case Verdict::unknown:
      return "unknown";
  }
  return {};
}

TextTable termination_table(const std::vector<MemoryAnswer>& answers) {
  TextTable table;
  std::vector<Cell> heading = {{"test", Color::dim}, {"memory", Color::dim}};
  for (const std::string& model : answers.front().progress) heading.push_back({model, Color::dim});
  table.add_row(std::move(heading));
  for (const MemoryAnswer& answer : answers) {
    std::vector<Cell> row = {{answer.program.name, Color::none}, {answer.model, Color::none}};
    for (std::size_t m = 0; m < answer.progress.size(); ++m) {
      const std::string verdict = termination_verdict(answer, m);
      row.push_back({verdict, verdict == "pass"      ? Color::green
                              : verdict == "unknown" ? Color::yellow
                                                     : Color::red});
    }
    table.add_row(std::move(row));
  }
  return table;
}

TextTable memory_table(const std::vector<MemoryAnswer>& answers) {
  TextTable table;
  table.add_row({{"test", Color::dim},
                 {"memory", Color::dim},
                 {"condition", Color::dim},
                 {"is", Color::dim},
                 {"executions", Color::dim},
                 {"flags", Color::dim}});
  for (const MemoryAnswer& answer : answers) {
    const consistency::Outcomes& outcomes = answer.outcomes;
    const std::string verdict = memory_verdict(answer);
    const Color color = verdict == "holds"           ? Color::green
                        : verdict == "does not hold" ? Color::none
                                                     : Color::yellow;
    table.add_row(
        {{answer.program.name, Color::none},
         {answer.model, Color::none},
         {answer.program.condition_text, Color::none},
         {verdict, color},
         {fmt::format("{} {} {}", outcomes.observation(), outcomes.positive, outcomes.negative),
          Color::none},
         {flags_of(outcomes), Color::red}});
  }
  return table;
}

std::string memory_csv(const std::vector<MemoryAnswer>& answers) {
  std::string text = csv_line({"test", "file", "memory", "model", "verdict", "observation",
                               "positive", "negative", "flags", "why"});
  for (const MemoryAnswer& answer : answers) {
    const consistency::Outcomes& outcomes = answer.outcomes;
    const std::string why = outcomes.error ? outcomes.fault : cut_of(answer);
    if (answer.progress.empty()) {
      text += csv_line({answer.program.name, answer.file, answer.model, "",
                        std::string(condition_verdict(answer)), outcomes.observation(),
                        std::to_string(outcomes.positive), std::to_string(outcomes.negative),
                        flags_of(outcomes), why});
    }
    for (std::size_t m = 0; m < answer.progress.size(); ++m) {
      text += csv_line({answer.program.name, answer.file, answer.model, answer.progress[m],
                        termination_verdict(answer, m), "", "", "", flags_of(outcomes), why});
    }
  }
  return text;
}

std::string memory_json(const std::vector<MemoryAnswer>& answers) {
  Json array = Json::array();
  for (const MemoryAnswer& answer : answers) {
    const consistency::Outcomes& outcomes = answer.outcomes;
    Json states = Json::array();
    for (const auto& [state, executions] : outcomes.states) {
      states.push_back({{"state", state}, {"executions", executions}});
    }
    Json flags = Json::array();
    for (const auto& [flag, executions] : outcomes.flagged) {
      flags.push_back({{"flag", flag}, {"executions", executions}});
    }
    Json progress = Json::array();
    for (std::size_t m = 0; m < answer.progress.size(); ++m) {
      progress.push_back({{"model", answer.progress[m]},
                          {"fairness", "weak"},
                          {"verdict", termination_verdict(answer, m)}});
    }
    const std::string& cut = cut_of(answer);
    // A program that is asked whether it ends has no condition.
    const bool has_condition = answer.progress.empty() || !answer.program.condition_text.empty();
    array.push_back({{"test", answer.program.name},
                     {"file", answer.file},
                     {"language", answer.program.language},
                     {"memory", answer.model},
                     {"condition", answer.program.condition_text},
                     {"verdict", has_condition ? Json(memory_verdict(answer)) : Json()},
                     {"observation", has_condition ? Json(outcomes.observation()) : Json()},
                     {"positive", outcomes.positive},
                     {"negative", outcomes.negative},
                     {"error", outcomes.error ? Json(outcomes.fault) : Json()},
                     {"states", std::move(states)},
                     {"flags", std::move(flags)},
                     {"progress", std::move(progress)},
                     {"candidates", outcomes.candidates},
                     {"cut", cut.empty() ? Json() : Json(cut)}});
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string memory_herd(const std::vector<MemoryAnswer>& answers) {
  std::string text;
  for (const MemoryAnswer& answer : answers) {
    const consistency::Outcomes& outcomes = answer.outcomes;
    const std::string& name = answer.program.name;
    text += fmt::format("Test {} {}\nStates {}\n", name, kind_of(answer.program.quantifier),
                        outcomes.states.size());
    for (const auto& state : outcomes.states) text += state.first + "\n";
    text += !outcomes.decides(answer.program) ? fmt::format("Undecided: {}\n", outcomes.cut)
            : outcomes.holds(answer.program)  ? "Ok\n"
                                              : "No\n";
    text +=
        fmt::format("Witnesses\nPositive: {} Negative: {}\n", outcomes.positive, outcomes.negative);
    for (const auto& flag : outcomes.flagged) text += fmt::format("Flag {}\n", flag.first);
    text += fmt::format("Condition {}\nObservation {} {} {} {}\n\n", answer.program.condition_text,
                        name, outcomes.observation(), outcomes.positive, outcomes.negative);
  }
  return text;
}

}  // namespace headway::report
