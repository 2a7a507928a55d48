#include "cli/check_targets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/text/suggestion.hpp"
#include "checker/witness/wrong_run.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "models/library.hpp"
#include "report/targets.hpp"
#include "report/wrong_run.hpp"

namespace headway::cli {
namespace {

report::TargetRow decide_on(const lang::Test& test, const std::string& file,
                            const engine::Target& target, const TargetsQuestion& question,
                            models::Library& library) {
  report::TargetRow row{
      test.name,    file,      target.name, std::string(to_string(target.reading)),
      target.model, "unknown", {}};
  try {
    const lang::Test there = engine::on_target(test, target);
    const auto program = lang::make_program(there);
    const std::vector<models::ModelPtr> asked = {library.find(target.model)};
    checker::CheckOptions options = question.options;
    if (question.seconds > 0) options.deadline = StopSigns::after(question.seconds);
    const checker::CheckResult result = checker::Checker().check(*program, asked, options);
    if (result.error) {
      row.ends = "goes wrong";
      row.why = report::wrong_run_summary(checker::wrong_run(*program, *result.error));
    } else if (result.verdicts[0].weak == checker::Verdict::pass) {
      row.ends = "ends";
    } else if (result.verdicts[0].weak == checker::Verdict::fail) {
      row.ends = "may hang";
    } else {
      row.why = result.open.empty() ? "unknown: stopped at a limit" : "unknown: " + result.open;
    }
  } catch (const Error& error) {
    row.ends = "unsupported";
    row.why = error.what();
    const SourcePosition& where = error.where();
    if (where.line > 0) row.why = fmt::format("line {}: {}", where.line, row.why);
  }
  return row;
}

using TestsOfFiles = std::vector<std::pair<lang::Test, std::string>>;

TestsOfFiles read_tests(const TargetsQuestion& question, std::vector<Error>& errors) {
  const std::optional<lang::Sizes> sizes = parse_given_sizes(question.threads);
  TestsOfFiles tests;
  for (const auto& file : find_tests(question.paths, errors)) {
    try {
      const std::string shown = file == "-" ? "<stdin>" : file.string();
      for (lang::Test& test : suite::load_tests(file, sizes, question.languages)) {
        tests.emplace_back(std::move(test), shown);
      }
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  return tests;
}

}  // namespace

std::vector<engine::Target> find_targets(const std::vector<std::string>& names) {
  const std::vector<engine::Target> known = engine::targets();
  std::vector<std::string> words = {"all"};
  for (const engine::Target& target : known) words.push_back(target.name);
  std::vector<engine::Target> result;
  for (const std::string& name : names) {
    if (name == "all") {
      result.insert(result.end(), known.begin(), known.end());
      continue;
    }
    const auto found = std::ranges::find(known, name, &engine::Target::name);
    if (found != known.end()) {
      result.push_back(*found);
    } else if (name.find('/') != std::string::npos || name.ends_with(".yaml") ||
               name.ends_with(".yml")) {
      result.push_back(engine::read_target(read_file(name), name));
    } else {
      throw Error(
          fmt::format("no target is called '{}'; expected one of headway targets, or the "
                      "path of a target file{}",
                      name, did_you_mean(name, words)));
    }
  }
  return result;
}

Outcome check_targets(const TargetsQuestion& question) {
  if (question.format != "table" && question.format != "csv" && question.format != "json") {
    throw Error("--target goes with --format table, csv or json");
  }
  const Interrupt interrupt;
  const std::vector<engine::Target> targets = find_targets(question.targets);
  models::Library library;
  std::vector<Error> errors;
  const TestsOfFiles tests = read_tests(question, errors);
  std::vector<report::TargetRow> rows;
  for (const auto& [test, file] : tests) {
    for (const engine::Target& target : targets) {
      if (Interrupt::flag()) break;
      rows.push_back(decide_on(test, file, target, question, library));
    }
  }
  if (!tests.empty()) {
    print(question.format == "csv" ? report::target_csv(rows)
          : question.format == "json"
              ? report::target_json(rows)
              : report::target_table(rows, tests.size() > 1, output_style()));
  }
  Outcome outcome;
  for (const report::TargetRow& row : rows) {
    if (row.ends == "ends" || row.ends == "may hang") continue;
    complain(fmt::format("{}: {} on {} {}: {}", row.file, row.test, row.target,
                         row.ends == "goes wrong" ? row.ends : "is " + row.ends, row.why));
    if (row.ends == "goes wrong") outcome.wrong();
    if (row.ends == "unknown") outcome.limit();
  }
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (Interrupt::flag()) outcome.interrupted();
  return outcome;
}

}  // namespace headway::cli
