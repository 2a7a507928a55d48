#include "report/every.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "report/wrong_run.hpp"

namespace headway::report {
namespace {

using every::Answer;
using every::FamilyAnswer;

Color color_of(const Answer& answer) {
  if (answer.kind == Answer::Kind::pass) return Color::green;
  return answer.kind == Answer::Kind::unknown ? Color::yellow : Color::red;
}

// The answer without its number.
std::string answer_word(const Answer& answer) {
  switch (answer.kind) {
    case Answer::Kind::pass:
      return "pass";
    case Answer::Kind::fail_from:
      return "fail from";
    case Answer::Kind::fail_at:
      return "fail at";
    case Answer::Kind::error_from:
      return "error from";
    case Answer::Kind::error_at:
      return "error at";
    case Answer::Kind::unknown:
      break;
  }
  return "unknown";
}

int answer_number(const Answer& answer, const FamilyAnswer& family) {
  if (answer.kind == Answer::Kind::pass) return family.smallest;
  return answer.kind == Answer::Kind::unknown ? answer.passes_to : answer.n;
}

std::string safety_text(const FamilyAnswer& family) {
  if (family.wrong) {
    return fmt::format("goes wrong {} {}: {}", family.wrong_from_then_on ? "from" : "at",
                       family.wrong_from, wrong_run_summary(*family.wrong));
  }
  if (family.safe) return "safe for every N";
  if (family.safe_to < family.smallest) return "nothing is known of errors";
  return fmt::format("safe to {}, unknown beyond", family.safe_to);
}

// Answers come model by model, each in the same readings.
std::string family_table(const FamilyAnswer& family, Style style) {
  std::vector<std::vector<Cell>> rows;
  std::vector<Cell> heading = {{"model", Color::dim}};
  for (const Answer& answer : family.answers) {
    const std::string model = every::to_string(answer.reading.promise);
    if (rows.empty() || rows.back().front().text != model) rows.push_back({{model, Color::none}});
    rows.back().push_back({answer.to_string(), color_of(answer)});
    if (rows.size() == 1) {
      heading.push_back({models::to_string(answer.reading.fairness), Color::dim});
    }
  }
  TextTable table;
  table.add_row(std::move(heading));
  for (std::vector<Cell>& row : rows) table.add_row(std::move(row));
  return table.to_string(style);
}

}  // namespace

std::string every_table(const std::vector<FamilyAnswer>& families, Style style) {
  std::string text;
  for (const FamilyAnswer& family : families) {
    if (!text.empty()) text += "\n";
    text += paint(family.name, Color::bold, style) + "\n";
    text += fmt::format("every N from {} on; {}\n\n", family.smallest, safety_text(family));
    text += family_table(family, style);
  }
  return text;
}

std::string every_csv(const std::vector<FamilyAnswer>& families) {
  std::string text = csv_line({"family", "model", "fairness", "answer", "n"});
  for (const FamilyAnswer& family : families) {
    for (const Answer& answer : family.answers) {
      text += csv_line({family.name, every::to_string(answer.reading.promise),
                        models::to_string(answer.reading.fairness), answer_word(answer),
                        std::to_string(answer_number(answer, family))});
    }
  }
  return text;
}

std::string every_json(const std::vector<FamilyAnswer>& families) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const FamilyAnswer& family : families) {
    Json answers = Json::array();
    for (const Answer& answer : family.answers) {
      answers.push_back({{"model", every::to_string(answer.reading.promise)},
                         {"fairness", models::to_string(answer.reading.fairness)},
                         {"answer", answer_word(answer)},
                         {"n", answer_number(answer, family)}});
    }
    Json object = {{"family", family.name},       {"file", family.file},
                   {"smallest", family.smallest}, {"safe", family.safe},
                   {"safe_to", family.safe_to},   {"answers", answers}};
    if (family.wrong) {
      object["error"] = {{"n", family.wrong_from},
                         {"from_then_on", family.wrong_from_then_on},
                         {"steps", wrong_run_json(*family.wrong)}};
    }
    if (family.refusal) object["no_proofs"] = family.refusal->what();
    all.push_back(std::move(object));
  }
  return all.dump(2) + "\n";
}

}  // namespace headway::report
