#include "report/repair.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text/csv.hpp"
#include "report/memory_witness.hpp"

namespace headway::report {
namespace {

using Json = nlohmann::ordered_json;
using consistency::Breach;
using consistency::RepairAnswer;
using consistency::Weakening;
using consistency::litmus::Choice;

std::string option_name(const Choice& choice, std::size_t option) {
  const std::string& name = choice.options[option].name;
  return name.empty() ? "none" : name;
}

std::string written_name(const Choice& choice) {
  return choice.written ? option_name(choice, *choice.written) : "several";
}

std::string breach_text(const Breach& breach, bool with_memory) {
  return fmt::format("{}{}: {}", breach.what, with_memory ? " (" + breach.memory + ")" : "",
                     reads_text(breach.witness));
}

TextTable choices_table(const consistency::Repair& repair) {
  TextTable table;
  std::vector<Cell> heading = {{"thread", Color::dim},
                               {"line", Color::dim},
                               {"instruction", Color::dim},
                               {"what", Color::dim},
                               {"is", Color::dim}};
  for (std::size_t a = 0; a < repair.answers.size(); ++a) {
    const bool is_one = repair.answers.size() == 1;
    heading.push_back({is_one ? "weakest" : fmt::format("weakest {}", a + 1), Color::dim});
  }
  table.add_row(std::move(heading));
  for (std::size_t c = 0; c < repair.choices.size(); ++c) {
    const Choice& choice = repair.choices[c];
    std::vector<Cell> row = {{choice.thread < 0 ? "" : fmt::format("P{}", choice.thread)},
                             {choice.line > 0 ? std::to_string(choice.line) : ""},
                             {choice.instruction},
                             {choice.what},
                             {written_name(choice)}};
    for (const RepairAnswer& answer : repair.answers) {
      const bool changes = choice.written != answer.point[c];
      row.push_back({option_name(choice, answer.point[c]), changes ? Color::yellow : Color::green});
    }
    table.add_row(std::move(row));
  }
  return table;
}

TextTable weakenings_table(const RepairedTest& test) {
  const consistency::Repair& repair = test.repair;
  TextTable table;
  std::vector<Cell> heading;
  if (repair.answers.size() > 1) heading.push_back({"weakest", Color::dim});
  heading.push_back({"where weaker still", Color::dim});
  heading.push_back({"what happens", Color::dim});
  table.add_row(std::move(heading));
  for (std::size_t a = 0; a < repair.answers.size(); ++a) {
    for (const Weakening& weakening : repair.answers[a].weakenings) {
      const Choice& choice = repair.choices[weakening.choice];
      std::vector<Cell> row;
      if (repair.answers.size() > 1) row.push_back({std::to_string(a + 1)});
      const std::string place = choice.line == 0 ? choice.what
                                : choice.thread < 0
                                    ? fmt::format("line {}", choice.line)
                                    : fmt::format("P{} line {}", choice.thread, choice.line);
      row.push_back({fmt::format("{}: {}", place, option_name(choice, weakening.option))});
      row.push_back({weakening.breach ? breach_text(*weakening.breach, test.memory.size() > 1)
                                      : "not decided"});
      table.add_row(std::move(row));
    }
  }
  return table;
}

Json breach_json(const std::optional<Breach>& breach) {
  if (!breach) return {};
  return {{"memory", breach->memory},
          {"what", breach->what},
          {"execution", witness_json(breach->witness)}};
}

Json answer_json(const consistency::Repair& repair, const RepairAnswer& answer) {
  Json options = Json::array();
  for (std::size_t c = 0; c < answer.point.size(); ++c) {
    options.push_back(option_name(repair.choices[c], answer.point[c]));
  }
  Json weakenings = Json::array();
  for (const Weakening& weakening : answer.weakenings) {
    const Choice& choice = repair.choices[weakening.choice];
    weakenings.push_back({{"choice", weakening.choice},
                          {"option", option_name(choice, weakening.option)},
                          {"breach", breach_json(weakening.breach)}});
  }
  return {
      {"options", std::move(options)}, {"weaker", std::move(weakenings)}, {"text", answer.text}};
}

}  // namespace

std::string repair_text(const RepairedTest& test, Style style) {
  const consistency::Repair& repair = test.repair;
  const bool several = test.memory.size() > 1;
  std::string text = fmt::format("{}: {}; under {}\n", repair.name, fmt::join(repair.asked, ", "),
                                 fmt::join(test.memory, " and "));
  if (repair.as_strong) {
    return text + "Nothing is strong enough: " + breach_text(*repair.as_strong, several) + "\n";
  }
  if (repair.as_written) {
    text += "As it is written: " + breach_text(*repair.as_written, several) + "\n";
  }
  if (repair.answers.empty()) return text;
  text += "\n" + choices_table(repair).to_string(style);
  const TextTable weakenings = weakenings_table(test);
  if (weakenings.rows().size() > 1) text += "\n" + weakenings.to_string(style);
  return text;
}

std::string repair_csv(const std::vector<RepairedTest>& tests) {
  std::string text = csv_line({"test", "file", "memory", "thread", "line", "instruction", "what",
                               "is", "answer", "weakest"});
  for (const RepairedTest& test : tests) {
    const consistency::Repair& repair = test.repair;
    for (std::size_t a = 0; a < repair.answers.size(); ++a) {
      for (std::size_t c = 0; c < repair.choices.size(); ++c) {
        const Choice& choice = repair.choices[c];
        text += csv_line({repair.name, test.file, fmt::format("{}", fmt::join(test.memory, " ")),
                          choice.thread < 0 ? "" : std::to_string(choice.thread),
                          choice.line > 0 ? std::to_string(choice.line) : "", choice.instruction,
                          choice.what, written_name(choice), std::to_string(a + 1),
                          option_name(choice, repair.answers[a].point[c])});
      }
    }
  }
  return text;
}

std::string repair_json(const std::vector<RepairedTest>& tests) {
  Json array = Json::array();
  for (const RepairedTest& test : tests) {
    const consistency::Repair& repair = test.repair;
    Json choices = Json::array();
    for (const Choice& choice : repair.choices) {
      choices.push_back({{"thread", choice.thread < 0 ? Json() : Json(choice.thread)},
                         {"line", choice.line > 0 ? Json(choice.line) : Json()},
                         {"instruction", choice.instruction},
                         {"what", choice.what},
                         {"is", written_name(choice)}});
    }
    Json answers = Json::array();
    for (const RepairAnswer& answer : repair.answers) {
      answers.push_back(answer_json(repair, answer));
    }
    array.push_back({{"test", repair.name},
                     {"file", test.file},
                     {"memory", test.memory},
                     {"asked", repair.asked},
                     {"choices", std::move(choices)},
                     {"as_written", breach_json(repair.as_written)},
                     {"as_strong", breach_json(repair.as_strong)},
                     {"answers", std::move(answers)},
                     {"questions", repair.questions},
                     {"cut", repair.cut.empty() ? Json() : Json(repair.cut)}});
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Lines change where they stand, and none come or go.
std::string repair_diff(const RepairedTest& test) {
  if (test.repair.answers.empty()) return {};
  std::istringstream before(test.text), after(test.repair.answers.front().text);
  std::string text, was, is;
  for (int line = 1; std::getline(before, was) && std::getline(after, is); ++line) {
    if (was == is) continue;
    text += fmt::format("@@ -{0} +{0} @@\n-{1}\n+{2}\n", line, was, is);
  }
  return text.empty() ? text : fmt::format("--- {0}\n+++ {0}\n{1}", test.file, text);
}

}  // namespace headway::report
