#include "report/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "report/exploration.hpp"

namespace headway::report {
namespace {

using checker::Verdict;
using models::Fairness;
using Json = nlohmann::ordered_json;

Color color_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Color::green;
    case Verdict::fail:
    case Verdict::error:
      return Color::red;
    case Verdict::unknown:
      break;
  }
  return Color::yellow;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "OBE:weak; HSA:weak = HSA:strong"
std::string groups_text(const std::vector<std::vector<models::Reading>>& groups,
                        const std::vector<std::string>& models) {
  std::string text;
  for (const auto& group : groups) {
    if (!text.empty()) text += ", ";
    for (std::size_t r = 0; r < group.size(); ++r) {
      text += (r > 0 ? " = " : "") + reading_name(group[r], models);
    }
  }
  return text.empty() ? "none of these" : text;
}

Json groups_json(const std::vector<std::vector<models::Reading>>& groups,
                 const std::vector<std::string>& models) {
  Json array = Json::array();
  for (const auto& group : groups) {
    for (const auto& reading : group) array.push_back(reading_name(reading, models));
  }
  return array;
}

std::string one_test(const CheckedTest& test, const VerdictColumns& columns, Style style) {
  std::string title = test.answer.empty() ? test.name : test.answer;
  if (!test.reading.empty()) title += fmt::format(" with --subgroups {}", test.reading);
  std::string text = paint(title, Color::bold, style) + "\n";
  text += fmt::format("{}, {}", counted(test.threads, "thread"),
                      counted(test.instructions, "instruction"));
  // Who gave up before the first state says elsewhere how far it came.
  if (test.result.complete || test.result.states > 0) {
    text += fmt::format(", {}{}", counted(test.result.states, "state"),
                        test.result.complete ? "" : " explored before the limit");
  }
  text += "\n";
  if (const std::string symmetry = symmetry_text(test.result); !symmetry.empty()) {
    text += fmt::format("up to symmetry: {} run the same code\n", symmetry);
  }
  text += "\n";
  TextTable table;
  std::vector<Cell> heading = {{"model", Color::dim}};
  for (Fairness fairness : columns.fairnesses) {
    heading.push_back({to_string(fairness), Color::dim});
  }
  table.add_row(std::move(heading));
  for (const std::string& model : columns.models) {
    std::vector<Cell> row = {{model, Color::none}};
    const checker::ModelVerdict* decided = verdict_under(test, model);
    for (Fairness fairness : columns.fairnesses) {
      if (decided == nullptr) continue;
      const Verdict verdict = decided->of(fairness);
      row.push_back({to_string(verdict), color_of(verdict)});
    }
    table.add_row(std::move(row));
  }
  text += table.to_string(style);
  if (test.wrong) {
    text += "\n" + paint("how it goes wrong", Color::bold, style) + "\n" +
            (test.wrong->steps.empty() ? wrong_run_summary(*test.wrong) + "\n"
                                       : wrong_run_text(*test.wrong, style));
  }
  if (test.boundary) {
    TextTable lines;
    lines.add_row({{"weakest that suffice", Color::dim},
                   {groups_text(test.boundary->weakest_sufficient, test.models), Color::none}});
    lines.add_row({{"strongest that do not", Color::dim},
                   {groups_text(test.boundary->strongest_insufficient, test.models), Color::none}});
    text += "\n" + lines.to_string(style);
  }
  return text;
}

// Workgroups, subgroups of each and threads of each of these.
std::array<int, 3> launch_sizes(const CheckedTest& test) {
  const Topology launch = test.launch.value_or(Topology(test.threads));
  const int lanes = test.threads / std::max(1, launch.threads());  // of a thread of the launch
  return {launch.workgroups(), launch.subgroups(), launch.subgroup_threads() * lanes};
}

// The same as fields. Where groups are not equal the last one says how threads are placed.
std::array<std::string, 3> launch_fields(const CheckedTest& test) {
  if (test.launch && !test.launch->is_uniform()) {
    return {std::to_string(test.launch->workgroups()), "", test.launch->placement()};
  }
  const std::array<int, 3> sizes = launch_sizes(test);
  return {std::to_string(sizes[0]), std::to_string(sizes[1]), std::to_string(sizes[2])};
}

bool has_readings(const std::vector<CheckedTest>& tests) {
  return std::any_of(tests.begin(), tests.end(),
                     [](const CheckedTest& test) { return !test.reading.empty(); });
}

std::string execution(const CheckedTest& test) {
  if (!test.reading.empty()) return test.reading;
  return test.launch && test.launch->leaf_name() != "thread" ? "lockstep" : "independent";
}

// The word for the fairnesses that were asked for.
Cell summary(const checker::ModelVerdict* verdict, const VerdictColumns& columns) {
  if (verdict == nullptr) return {"-", Color::dim};
  if (columns.fairnesses.size() > 1) return verdict_word(*verdict);
  const Verdict only = verdict->of(columns.fairnesses.front());
  return {to_string(only), color_of(only)};
}

}  // namespace

Cell verdict_word(const checker::ModelVerdict& verdict) {
  if (verdict.weak == Verdict::fail && verdict.strong == Verdict::pass) {
    return {"strong", Color::yellow};
  }
  if (verdict.strong == Verdict::unknown) return {to_string(Verdict::unknown), Color::yellow};
  return {to_string(verdict.weak), color_of(verdict.weak)};
}

const checker::ModelVerdict* verdict_under(const CheckedTest& test, const std::string& model) {
  const auto found = std::find(test.models.begin(), test.models.end(), model);
  return found == test.models.end()
             ? nullptr
             : &test.result.verdicts[static_cast<std::size_t>(found - test.models.begin())];
}

std::string reading_name(const models::Reading& reading, const std::vector<std::string>& models) {
  return models[reading.model] + ":" + to_string(reading.fairness);
}

std::string verdict_table(const std::vector<CheckedTest>& tests, const VerdictColumns& columns,
                          Style style) {
  if (tests.size() == 1) return one_test(tests.front(), columns, style);
  std::string text;
  for (const CheckedTest& test : tests) {
    if (!test.answer.empty()) text += test.answer + "\n";
  }
  if (!text.empty()) text += "\n";
  TextTable table;
  const bool readings = has_readings(tests);
  std::vector<Cell> heading = {{"test", Color::dim}};
  if (readings) heading.push_back({"subgroups", Color::dim});
  for (const std::string& model : columns.models) heading.push_back({model, Color::dim});
  table.add_row(std::move(heading));
  for (const CheckedTest& test : tests) {
    std::vector<Cell> row = {{test.name, Color::none}};
    if (readings) row.push_back({test.reading, Color::none});
    for (const std::string& model : columns.models) {
      row.push_back(summary(verdict_under(test, model), columns));
    }
    table.add_row(std::move(row));
  }
  text += table.to_string(style);
  if (columns.fairnesses.size() == 2) {
    text += paint(
        "\npass: terminates under weak fairness and so under strong; "
        "strong: only under strong fairness\n",
        Color::dim, style);
  }
  return text;
}

std::string verdict_csv(const std::vector<CheckedTest>& tests, const VerdictColumns& columns,
                        bool with_launch) {
  const bool readings = has_readings(tests);
  std::vector<std::string> heading = {"test", "model", "fairness", "verdict"};
  if (readings) heading.insert(heading.begin() + 1, "subgroup_reading");
  if (with_launch)
    heading.insert(heading.end(), {"workgroups", "subgroups", "threads", "execution"});
  std::string text = csv_line(heading);
  for (const CheckedTest& test : tests) {
    for (const std::string& model : columns.models) {
      const checker::ModelVerdict* decided = verdict_under(test, model);
      for (Fairness fairness : columns.fairnesses) {
        if (decided == nullptr) continue;
        std::vector<std::string> fields = {test.name, model, to_string(fairness),
                                           to_string(decided->of(fairness))};
        if (readings) fields.insert(fields.begin() + 1, test.reading);
        if (with_launch) {
          for (std::string& size : launch_fields(test)) fields.push_back(std::move(size));
          fields.push_back(execution(test));
        }
        text += csv_line(fields);
      }
    }
  }
  return text;
}

std::string verdict_json(const std::vector<CheckedTest>& tests, const VerdictColumns& columns,
                         const std::vector<Error>& errors) {
  Json array = Json::array();
  for (const CheckedTest& test : tests) {
    Json object;
    object["test"] = test.name;
    object["file"] = test.file;
    if (!test.reading.empty()) object["subgroup_reading"] = test.reading;
    object["threads"] = test.threads;
    if (test.launch) {
      if (test.launch->is_uniform()) {
        object["launch"] = launch_sizes(test);
      } else {
        object["launch"] = test.launch->placement();
      }
      object["execution"] = execution(test);
    }
    object["instructions"] = test.instructions;
    object["states"] = test.result.states;
    object["transitions"] = test.result.transitions;
    object["complete"] = test.result.complete;
    if (!test.result.complete) object["stopped_by"] = to_string(test.result.stopped_by);
    if (test.wrong) object["error"] = wrong_run_json(*test.wrong);
    if (!test.premises.empty()) object["premises"] = test.premises;
    if (!test.unreached.empty()) object["unreached_lines"] = test.unreached;
    object["exploration"] = exploration_json(test.result);
    object["seconds"] = test.seconds;
    if (!test.answer.empty()) object["answer"] = test.answer;
    object["verdicts"] = Json::array();
    for (const std::string& model : columns.models) {
      const checker::ModelVerdict* decided = verdict_under(test, model);
      for (Fairness fairness : columns.fairnesses) {
        if (decided == nullptr) continue;
        object["verdicts"].push_back({{"model", model},
                                      {"fairness", to_string(fairness)},
                                      {"verdict", to_string(decided->of(fairness))}});
      }
    }
    if (test.boundary) {
      object["weakest_sufficient"] = groups_json(test.boundary->weakest_sufficient, test.models);
      object["strongest_insufficient"] =
          groups_json(test.boundary->strongest_insufficient, test.models);
    }
    array.push_back(std::move(object));
  }
  for (const Error& error : errors) {
    Json object = {{"error", error.what()}};
    if (!error.where().file.empty()) object["file"] = error.where().file;
    if (error.where().line > 0) object["line"] = error.where().line;
    if (error.where().column > 0) object["column"] = error.where().column;
    array.push_back(std::move(object));
  }
  // File names may hold any bytes; what is not UTF-8 is replaced.
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
