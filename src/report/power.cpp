#include "report/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace headway::report {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string power_summary(const suite::Suite& suite, const suite::Power& power,
                          const std::string& claim) {
  std::string text = fmt::format(
      "{} of {} tests pass under {}; they kill {} of {} mutants, of {} that some test kills.\n",
      power.passing, suite.tests.size(), claim, power.killed(), power.mutants.size(),
      power.killable());
  if (power.fewest.empty()) return text;
  std::vector<std::string> names;
  names.reserve(power.fewest.size());
  for (const std::size_t test : power.fewest) names.push_back(suite.tests[test].name);
  return text + fmt::format("{} test{} kill{} as many, and no fewer do: {}\n", names.size(),
                            names.size() == 1 ? "" : "s", names.size() == 1 ? "s" : "",
                            fmt::join(names, ", "));
}

TextTable power_table(const suite::Suite& suite, const suite::Power& power) {
  TextTable table;
  table.add_row({{"kind", Color::dim},
                 {"mutant", Color::dim},
                 {"what it does", Color::dim},
                 {"tests", Color::dim},
                 {"first", Color::dim}});
  for (std::size_t m = 0; m < power.mutants.size(); ++m) {
    const suite::Mutant& mutant = power.mutants[m];
    const auto& killers = power.killers[m];
    const std::string first = !killers.empty()   ? suite.tests[killers.front()].name
                              : power.missing[m] ? "none; one is below"
                                                 : "none";
    table.add_row({{to_string(mutant.kind), Color::none},
                   {mutant.name, Color::none},
                   {mutant.text, Color::none},
                   {std::to_string(killers.size()), killers.empty() ? Color::red : Color::none},
                   {first, Color::none}});
  }
  return table;
}

TextTable surviving_table(const suite::Power& power) {
  TextTable table;
  table.add_row(
      {{"scheduler", Color::dim}, {"the strongest promises that no test refutes", Color::dim}});
  for (std::size_t m = 0; m < power.mutants.size(); ++m) {
    if (power.mutants[m].kind != suite::Mutant::Kind::scheduler) continue;
    table.add_row({{power.mutants[m].name, Color::none},
                   {fmt::format("{}", fmt::join(power.surviving[m], "; ")), Color::none}});
  }
  return table;
}

std::string missing_tests(const suite::Power& power) {
  std::map<std::string, std::vector<std::string>> by_text;  // mutants
  for (std::size_t m = 0; m < power.mutants.size(); ++m) {
    if (power.missing[m]) {
      by_text[lang::print(*power.missing[m])].push_back(power.mutants[m].name);
    }
  }
  std::string text;
  for (const auto& [test, mutants] : by_text) {
    text += fmt::format("\n// Kills {}.\n{}", fmt::join(mutants, ", "), test);
  }
  return text;
}

std::string power_json(const suite::Suite& suite, const suite::Power& power,
                       const std::string& claim) {
  const auto names = [&](const std::vector<std::size_t>& tests) {
    Json array = Json::array();
    for (const std::size_t test : tests) array.push_back(suite.tests[test].name);
    return array;
  };
  Json object;
  object["claim"] = claim;
  object["tests"] = suite.tests.size();
  object["passing"] = power.passing;
  object["killed"] = power.killed();
  object["killable"] = power.killable();
  object["mutants"] = Json::array();
  for (std::size_t m = 0; m < power.mutants.size(); ++m) {
    const suite::Mutant& mutant = power.mutants[m];
    Json row;
    row["kind"] = to_string(mutant.kind);
    row["mutant"] = mutant.name;
    row["text"] = mutant.text;
    row["killed_by"] = names(power.killers[m]);
    row["missing"] = power.missing[m] ? Json(lang::print(*power.missing[m])) : Json();
    if (mutant.kind == suite::Mutant::Kind::scheduler) row["surviving"] = power.surviving[m];
    object["mutants"].push_back(std::move(row));
  }
  object["fewest"] = names(power.fewest);
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
