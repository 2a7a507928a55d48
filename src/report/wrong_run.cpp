#include "report/wrong_run.hpp"

#include <fmt/format.h>

#include "report/changed_memory.hpp"

namespace headway::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kLastSteps = 100;  // those shown in text
constexpr std::size_t kLongEffect = 48;  // one that does not fit into a column

// What goes wrong has a line of its own where it takes many words: "race: line 10 (thread ...".
std::string kind_of(const std::string& effect) { return effect.substr(0, effect.find(": ")); }

}  // namespace

std::string wrong_run_summary(const WrongRun& run) {
  if (run.steps.empty()) return "an execution that does has more states before it than the limits";
  const WrongRun::Step& last = run.steps.back();
  return fmt::format("step {}, {} {}, line {}, {} {}", run.steps.size(), run.leaf, last.thread,
                     last.text.line, last.text.statement, last.text.effect);
}

std::string wrong_run_text(const WrongRun& run, Style style) {
  if (run.steps.empty()) return {};
  TextTable table;
  std::vector<Cell> heading;
  for (const char* title :
       {"step", run.leaf.c_str(), "line", "statement", "effect", "memory after"}) {
    heading.push_back({title, Color::dim});
  }
  table.add_row(std::move(heading));
  const std::string& last = run.steps.back().text.effect;
  const bool is_long = last.size() > kLongEffect && kind_of(last) != last;
  const std::size_t hidden = run.steps.size() > kLastSteps ? run.steps.size() - kLastSteps : 0;
  if (hidden > 0) table.add_row({{fmt::format("... {} more before", hidden), Color::dim}});
  for (std::size_t i = hidden; i < run.steps.size(); ++i) {
    const WrongRun::Step& step = run.steps[i];
    table.add_row(
        {{std::to_string(i + 1), Color::none},
         {std::to_string(step.thread), Color::none},
         {step.text.line > 0 ? std::to_string(step.text.line) : "", Color::none},
         {step.text.statement, Color::none},
         {is_long && i + 1 == run.steps.size() ? kind_of(step.text.effect) : step.text.effect,
          i + 1 == run.steps.size() ? Color::red : Color::none},
         {i == hidden ? step.memory : changed_memory(run.steps[i - 1].memory, step.memory),
          Color::none}});
  }
  std::string text = table.to_string(style);
  if (is_long) text += fmt::format("\n{}\n", paint(last, Color::red, style));
  return text;
}

Json wrong_run_json(const WrongRun& run) {
  Json array = Json::array();
  for (const WrongRun::Step& step : run.steps) {
    array.push_back({{run.leaf, step.thread},
                     {"line", step.text.line},
                     {"statement", step.text.statement},
                     {"effect", step.text.effect},
                     {"memory_after", step.memory}});
  }
  return array;
}

}  // namespace headway::report
