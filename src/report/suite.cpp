#include "report/suite.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "report/verdicts.hpp"

namespace headway::report {
namespace {

using checker::Verdict;
using models::Reading;
using suite::Difference;
using suite::PublishedAttribution;
using suite::Suite;
using suite::VerdictMatrix;
using Json = nlohmann::ordered_json;

// Tests, names and paths may hold any bytes; what is not UTF-8 is replaced.
std::string dump(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::vector<Cell> dim(const std::vector<std::string>& texts) {
  std::vector<Cell> cells;
  cells.reserve(texts.size());
  for (const std::string& text : texts) cells.push_back({text, Color::dim});
  return cells;
}

std::string number(std::size_t value) { return std::to_string(value); }

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

void add_words(std::vector<Cell>& row, const suite::Signature& signature) {
  for (const auto& verdict : signature) row.push_back(verdict_word(verdict));
}

std::vector<std::string> model_names(const VerdictMatrix& matrix) {
  std::vector<std::string> names;
  for (const auto& model : matrix.models()) names.push_back(model->name());
  return names;
}

Json verdict_array(const suite::Signature& signature, const VerdictMatrix& matrix) {
  Json array = Json::array();
  for (std::size_t m = 0; m < signature.size(); ++m) {
    for (const models::Fairness fairness : models::kFairnesses) {
      array.push_back({{"model", matrix.models()[m]->name()},
                       {"fairness", to_string(fairness)},
                       {"verdict", to_string(signature[m].of(fairness))}});
    }
  }
  return array;
}

Json test_object(const Suite& suite, std::size_t test) {
  return {{"test", suite.tests[test].name},
          {"file", suite.file(test)},
          {"threads", suite.tests[test].thread_count()},
          {"instructions", suite.tests[test].instruction_count()}};
}

// The readings that a signature is distinguishing for, or conforms to.
std::vector<std::string> readings_of(const std::vector<bool>& which,
                                     const suite::SuiteOrder& order) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < which.size(); ++r) {
    if (which[r]) names.push_back(order.name(order.readings()[r]));
  }
  return names;
}

// The names of the tests of each group that has more than one.
std::vector<std::vector<std::string>> shared_groups(const suite::Groups& groups,
                                                    const Suite& suite) {
  std::vector<std::vector<std::string>> members(groups.count);
  for (std::size_t t = 0; t < groups.group_of.size(); ++t) {
    members[groups.group_of[t]].push_back(suite.tests[t].name);
  }
  std::erase_if(members, [](const auto& group) { return group.size() < 2; });
  return members;
}

}  // namespace

TextTable suite_verdict_table(const Suite& suite, const VerdictMatrix& matrix) {
  TextTable table;
  std::vector<std::string> heading = model_names(matrix);
  heading.insert(heading.begin(), "test");
  table.add_row(dim(heading));
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    std::vector<Cell> row = {{suite.tests[t].name, Color::none}};
    add_words(row, matrix.verdicts(t));
    table.add_row(std::move(row));
  }
  return table;
}

void suite_verdict_csv(const Suite& suite, const VerdictMatrix& matrix, const Sink& sink) {
  sink(csv_line({"test", "model", "fairness", "verdict"}));
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    std::string text;
    for (std::size_t m = 0; m < matrix.models().size(); ++m) {
      for (const models::Fairness fairness : models::kFairnesses) {
        text += csv_line({suite.tests[t].name, matrix.models()[m]->name(), to_string(fairness),
                          to_string(matrix.verdict(t, {m, fairness}))});
      }
    }
    sink(text);
  }
}

void suite_verdict_json(const Suite& suite, const VerdictMatrix& matrix, const Sink& sink) {
  std::string separator = "[\n";
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    Json object = test_object(suite, t);
    object["verdicts"] = verdict_array(matrix.verdicts(t), matrix);
    sink(separator + dump(object));
    separator = ",\n";
  }
  sink(suite.tests.empty() ? "[]\n" : "\n]\n");
}

TextTable class_table(const ClassificationReport& report) {
  TextTable table;
  if (!report.published) {
    table.add_row(dim({"reading", "conformance", "distinguishing"}));
    for (std::size_t r = 0; r < report.order.readings().size(); ++r) {
      table.add_row({{report.order.name(report.order.readings()[r]), Color::none},
                     {number(report.classification.conformance[r]), Color::none},
                     {number(report.classification.distinguishing[r]), Color::none}});
    }
    return table;
  }
  table.add_row(dim({"tests", "model", "distinguishing", "conformance"}));
  const auto add = [&](const char* kind, const PublishedAttribution::Count& side) {
    for (std::size_t m = 0; m < PublishedAttribution::kModels.size(); ++m) {
      table.add_row({{kind, Color::none},
                     {PublishedAttribution::kModels[m], Color::none},
                     {number(side.distinguishing[m]), Color::none},
                     {number(side.conformance[m]), Color::none}});
    }
  };
  add("weak", report.published->weak);
  add("strong", report.published->strong);
  return table;
}

TextTable signature_table(const ClassificationReport& report) {
  TextTable table;
  std::vector<std::string> heading = model_names(report.matrix);
  heading.insert(heading.begin(), {"signature", "tests"});
  heading.insert(heading.end(), {"threads", "instructions", "smallest"});
  table.add_row(dim(heading));
  for (std::size_t s = 0; s < report.signatures.size(); ++s) {
    const suite::SignatureClass& its = report.signatures[s];
    const lang::Test& smallest = report.suite.tests[its.smallest];
    std::vector<Cell> row = {{number(s + 1), Color::none}, {number(its.tests), Color::none}};
    add_words(row, report.matrix.signatures()[its.signature]);
    row.push_back({std::to_string(smallest.thread_count()), Color::none});
    row.push_back({std::to_string(smallest.instruction_count()), Color::none});
    row.push_back({smallest.name, Color::none});
    table.add_row(std::move(row));
  }
  return table;
}

TextTable duplicate_table(const ClassificationReport& report) {
  TextTable table;
  table.add_row(dim({"same", "tests", "names"}));
  const auto add = [&](const char* same, const suite::Groups& groups) {
    for (const auto& group : shared_groups(groups, report.suite)) {
      table.add_row({{same, Color::none},
                     {number(group.size()), Color::none},
                     {joined(group, " "), Color::none}});
    }
  };
  add("program", report.programs);
  add("behaviour", report.behaviours);
  return table;
}

TextTable test_table(const ClassificationReport& report) {
  std::vector<std::size_t> row_of(report.matrix.signatures().size());
  for (std::size_t s = 0; s < report.signatures.size(); ++s) {
    row_of[report.signatures[s].signature] = s + 1;
  }
  TextTable table;
  std::vector<std::string> heading = {"test", "signature", "behaviour", "distinguishing"};
  if (report.published) heading.back() = "attribution";
  table.add_row(dim(heading));
  std::optional<PublishedAttribution> attribution;
  if (report.published) attribution.emplace(report.matrix.models());
  for (std::size_t t = 0; t < report.suite.tests.size(); ++t) {
    const std::uint32_t signature = report.matrix.signature_of(t);
    std::string place =
        joined(readings_of(report.classification.distinguishes[signature], report.order), " ");
    if (attribution && suite::is_decided(report.matrix.verdicts(t))) {
      const auto its = attribution->place(report.matrix.verdicts(t));
      place = to_string(its.kind) + " ";
      place += its.model ? PublishedAttribution::kModels[*its.model] : "none";
    }
    table.add_row({{report.suite.tests[t].name, Color::none},
                   {number(row_of[signature]), Color::none},
                   {number(report.behaviours.group_of[t] + 1), Color::none},
                   {place, Color::none}});
  }
  return table;
}

std::string classification_json(const ClassificationReport& report) {
  Json root;
  root["tests"] = report.suite.tests.size();
  root["undecided"] = report.classification.undecided;
  root["order_threads"] = report.order.threads();
  root["readings"] = Json::array();
  for (std::size_t r = 0; r < report.order.readings().size(); ++r) {
    root["readings"].push_back({{"reading", report.order.name(report.order.readings()[r])},
                                {"conformance", report.classification.conformance[r]},
                                {"distinguishing", report.classification.distinguishing[r]}});
  }
  if (report.published) {
    const auto side = [](const PublishedAttribution::Count& count) {
      Json object = {{"tests", count.tests}, {"unattributed", count.unattributed}};
      for (std::size_t m = 0; m < PublishedAttribution::kModels.size(); ++m) {
        object["models"].push_back({{"model", PublishedAttribution::kModels[m]},
                                    {"distinguishing", count.distinguishing[m]},
                                    {"conformance", count.conformance[m]}});
      }
      return object;
    };
    root["published"] = {{"weak", side(report.published->weak)},
                         {"strong", side(report.published->strong)}};
  }
  root["signatures"] = Json::array();
  for (const suite::SignatureClass& its : report.signatures) {
    Json object = {{"tests", its.tests}, {"smallest", test_object(report.suite, its.smallest)}};
    object["distinguishing"] =
        readings_of(report.classification.distinguishes[its.signature], report.order);
    object["verdicts"] = verdict_array(report.matrix.signatures()[its.signature], report.matrix);
    root["signatures"].push_back(std::move(object));
  }
  root["same_program"] = shared_groups(report.programs, report.suite);
  root["same_behaviour"] = shared_groups(report.behaviours, report.suite);
  return dump(root) + "\n";
}

TextTable fingerprint_table(const Suite& suite, const VerdictMatrix& matrix,
                            const suite::Fingerprint& fingerprint) {
  TextTable table;
  std::vector<std::string> heading = model_names(matrix);
  heading.insert(heading.begin(), {"test", "threads", "instructions"});
  table.add_row(dim(heading));
  for (const std::size_t test : fingerprint.tests) {
    std::vector<Cell> row = {{suite.tests[test].name, Color::none},
                             {std::to_string(suite.tests[test].thread_count()), Color::none},
                             {std::to_string(suite.tests[test].instruction_count()), Color::none}};
    add_words(row, matrix.verdicts(test));
    table.add_row(std::move(row));
  }
  return table;
}

TextTable inseparable_table(const suite::SuiteOrder& order, const suite::Fingerprint& fingerprint) {
  TextTable table;
  table.add_row(dim({"reading", "not separated from", "why"}));
  for (const auto& [a, b] : fingerprint.inseparable) {
    const bool never = order.equal(a, b);
    table.add_row(
        {{order.name(a), Color::none},
         {order.name(b), Color::none},
         {never ? "equal for so few threads" : "no test of the suite does", Color::none}});
  }
  return table;
}

std::string fingerprint_json(const Suite& suite, const VerdictMatrix& matrix,
                             const suite::SuiteOrder& order,
                             const suite::Fingerprint& fingerprint) {
  Json root;
  root["tests"] = Json::array();
  for (const std::size_t test : fingerprint.tests) {
    Json object = test_object(suite, test);
    object["verdicts"] = verdict_array(matrix.verdicts(test), matrix);
    root["tests"].push_back(std::move(object));
  }
  const auto pairs = [&](const std::vector<suite::ReadingPair>& of) {
    Json array = Json::array();
    for (const auto& [a, b] : of) array.push_back({order.name(a), order.name(b)});
    return array;
  };
  root["separated"] = pairs(fingerprint.separated);
  root["inseparable"] = pairs(fingerprint.inseparable);
  return dump(root) + "\n";
}

TextTable idiom_table(const std::vector<FoundIdiom>& idioms) {
  TextTable table;
  table.add_row(dim({"idiom", "tests"}));
  for (const FoundIdiom& idiom : idioms) {
    const Cell found = {joined(idiom.tests, " "), Color::none};
    const Cell missing = {"missing" + (idiom.note.empty() ? "" : ": " + idiom.note), Color::yellow};
    table.add_row({{idiom.name, Color::none}, idiom.tests.empty() ? missing : found});
  }
  return table;
}

std::string idiom_csv(const std::vector<FoundIdiom>& idioms) {
  std::string text = csv_line({"idiom", "test"});
  for (const FoundIdiom& idiom : idioms) {
    if (idiom.tests.empty()) text += csv_line({idiom.name, ""});
    for (const std::string& test : idiom.tests) text += csv_line({idiom.name, test});
  }
  return text;
}

std::string idiom_json(const std::vector<FoundIdiom>& idioms) {
  Json root = Json::array();
  for (const FoundIdiom& idiom : idioms) {
    root.push_back({{"idiom", idiom.name}, {"tests", idiom.tests}, {"note", idiom.note}});
  }
  return dump(root) + "\n";
}

namespace {

const char* kind_name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::only_a:
      return "only in A";
    case Difference::Kind::only_b:
      return "only in B";
    case Difference::Kind::changed:
      return "changed";
    case Difference::Kind::expectations:
      return "expectations";
  }
  return "";
}

// What is different about a test that both suites have.
std::vector<std::string> details(const Difference& difference,
                                 const std::vector<models::ModelPtr>& models) {
  if (difference.kind != Difference::Kind::changed) return difference.expectations;
  std::vector<std::string> changes;
  for (const suite::Change& change : difference.verdicts) {
    changes.push_back(fmt::format("{}:{} {} -> {}", models[change.reading.model]->name(),
                                  to_string(change.reading.fairness), to_string(change.a),
                                  to_string(change.b)));
  }
  if (changes.empty()) changes.emplace_back("another program, the same verdicts");
  return changes;
}

std::string name_in(const Suite& suite, const std::optional<std::size_t>& test) {
  return test ? suite.tests[*test].name : "";
}

}  // namespace

TextTable diff_table(const Suite& a, const Suite& b, const suite::SuiteDiff& diff,
                     const std::vector<models::ModelPtr>& models) {
  TextTable table;
  table.add_row(dim({"difference", "test in A", "test in B", "what"}));
  for (const Difference& difference : diff.differences) {
    table.add_row({{kind_name(difference.kind), Color::none},
                   {name_in(a, difference.a), Color::none},
                   {name_in(b, difference.b), Color::none},
                   {joined(details(difference, models), ", "), Color::none}});
  }
  return table;
}

std::string diff_json(const Suite& a, const Suite& b, const suite::SuiteDiff& diff,
                      const std::vector<models::ModelPtr>& models) {
  Json root = {{"in_both", diff.in_both}, {"renamed", diff.renamed}};
  root["differences"] = Json::array();
  for (const Difference& difference : diff.differences) {
    Json object = {{"difference", kind_name(difference.kind)}};
    if (difference.a) object["a"] = test_object(a, *difference.a);
    if (difference.b) object["b"] = test_object(b, *difference.b);
    object["what"] = details(difference, models);
    root["differences"].push_back(std::move(object));
  }
  return dump(root) + "\n";
}

}  // namespace headway::report
