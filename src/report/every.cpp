#include "report/every.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "every/words.hpp"
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

bool is_open(const FamilyAnswer& family) {
  return std::any_of(family.answers.begin(), family.answers.end(),
                     [](const Answer& answer) { return answer.open(); });
}

// How an answer was found; null where it is open.
nlohmann::ordered_json every_method(const Answer& answer) {
  if (!answer.certificate) return nullptr;
  if (answer.kind != Answer::Kind::pass) return "run";
  return answer.certificate->row                 ? "row"
         : answer.certificate->counted->symbolic ? "counts"
                                                 : "caps";
}

// What OBE-k needs of k.
struct EveryResidency {
  std::string fairness, answer, words;
  int n = 0;  // from which on
};

std::vector<EveryResidency> every_residencies(const FamilyAnswer& family) {
  using Kind = Answer::Kind;
  std::vector<EveryResidency> result;
  for (const models::Fairness fairness : models::kFairnesses) {
    const Answer *obe = nullptr, *fair = nullptr;
    for (const Answer& answer : family.answers) {
      if (answer.reading.fairness != fairness) continue;
      if (answer.reading.promise == every::Promise::obe) obe = &answer;
      if (answer.reading.promise == every::Promise::fair) fair = &answer;
    }
    if (obe == nullptr || fair == nullptr) continue;
    EveryResidency& residency = result.emplace_back();
    residency.fairness = models::to_string(fairness);
    residency.n = family.smallest;
    if (obe->kind == Kind::pass) {
      residency.answer = "0";
      residency.words = "0 for every N: it is enough that started threads go on";
    } else if (fair->kind == Kind::pass && obe->kind == Kind::fail_from) {
      residency.answer = "some";
      residency.n = obe->n;
      residency.words = fmt::format("some k from 1 to N for every N from {} on{}", obe->n,
                                    obe->n > family.smallest ? ", and 0 below" : "");
    } else if (fair->kind == Kind::fail_from) {
      residency.answer = "never";
      residency.n = fair->n;
      residency.words = fmt::format("not even N is enough, for every N from {} on", fair->n);
    } else {
      residency.answer = "unknown";
      residency.words = "unknown";
    }
  }
  return result;
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

std::vector<std::string> every_words(const Answer& answer, const FamilyAnswer& family) {
  if (answer.certificate) return in_words(*answer.certificate, family.file);
  std::vector<std::string> words = {"Nothing is known beyond the N that were run."};
  const auto add = [&](const Error& reason) {
    words.push_back(fmt::format("{}: {}", reason.where().to_string(), reason.what()));
  };
  if (family.refusal) add(*family.refusal);
  for (const Error& reason : family.reasons) add(reason);
  return words;
}

std::string every_safety(const FamilyAnswer& family) {
  if (family.wrong) {
    return fmt::format("goes wrong {} {}: {}", family.wrong_from_then_on ? "from" : "at",
                       family.wrong_from, wrong_run_summary(*family.wrong));
  }
  if (family.safe) return "safe for every N";
  if (family.safe_to < family.smallest) return "nothing is known of errors";
  return fmt::format("safe to {}, unknown beyond", family.safe_to);
}

std::string every_table(const std::vector<FamilyAnswer>& families, Style style) {
  std::string text;
  for (const FamilyAnswer& family : families) {
    if (!text.empty()) text += "\n";
    text += paint(family.name, Color::bold, style) + "\n";
    text += fmt::format("every N from {} on; {}\n\n", family.smallest, every_safety(family));
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
                         {"n", answer_number(answer, family)},
                         {"method", every_method(answer)}});
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
    if (is_open(family)) {
      object["reasons"] = Json::array();
      for (const Error& reason : family.reasons) object["reasons"].push_back(reason.what());
    }
    all.push_back(std::move(object));
  }
  return all.dump(2) + "\n";
}

std::string every_explanation(const FamilyAnswer& family, Style style) {
  std::string text = paint(family.name, Color::bold, style) + "\n";
  text += fmt::format("every N from {} on; {}\n", family.smallest, every_safety(family));
  for (const Answer& answer : family.answers) {
    text += fmt::format("\n{}, read {}: {}\n", every::to_string(answer.reading.promise),
                        answer.reading.fairness == models::Fairness::weak ? "weakly" : "strongly",
                        paint(answer.to_string(), color_of(answer), style));
    for (const std::string& line : every_words(answer, family)) text += "  " + line + "\n";
  }
  return text;
}

std::string every_explanation_json(const FamilyAnswer& family) {
  using Json = nlohmann::ordered_json;
  Json answers = Json::array();
  for (const Answer& answer : family.answers) {
    answers.push_back({{"model", every::to_string(answer.reading.promise)},
                       {"fairness", models::to_string(answer.reading.fairness)},
                       {"answer", answer_word(answer)},
                       {"n", answer_number(answer, family)},
                       {"method", every_method(answer)},
                       {"words", every_words(answer, family)}});
  }
  const Json object = {{"family", family.name}, {"file", family.file}, {"answers", answers}};
  return object.dump(2) + "\n";
}

std::string every_residency(const FamilyAnswer& family) {
  std::string text = family.name + "\nevery N\n\n";
  for (const EveryResidency& residency : every_residencies(family)) {
    text += fmt::format("{:<6}  {}\n", residency.fairness, residency.words);
  }
  return text;
}

std::string every_residency_csv(const FamilyAnswer& family) {
  std::string text = csv_line({"family", "fairness", "resident", "from"});
  for (const EveryResidency& residency : every_residencies(family)) {
    text +=
        csv_line({family.name, residency.fairness, residency.answer, std::to_string(residency.n)});
  }
  return text;
}

std::string every_residency_json(const FamilyAnswer& family) {
  using Json = nlohmann::ordered_json;
  Json object = {{"family", family.name}, {"file", family.file}, {"readings", Json::array()}};
  for (const EveryResidency& residency : every_residencies(family)) {
    object["readings"].push_back(
        {{"fairness", residency.fairness}, {"resident", residency.answer}, {"from", residency.n}});
  }
  return object.dump(2) + "\n";
}

}  // namespace headway::report
