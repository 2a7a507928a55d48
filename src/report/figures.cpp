#include "report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/chart.hpp"
#include "report/template.hpp"

namespace headway::report {
namespace {

using campaign::DeviceObservations;
using campaign::Observation;
using checker::Verdict;
using models::Fairness;
using models::Reading;
using suite::PublishedAttribution;

std::vector<Cell> line(const std::vector<std::string>& texts, Color color = Color::none) {
  std::vector<Cell> cells;
  cells.reserve(texts.size());
  for (const std::string& text : texts) cells.push_back({text, color});
  return cells;
}

std::string percent(std::size_t part, std::size_t whole) {
  return fmt::format("{:.1f}", 100.0 * static_cast<double>(part) /
                                   static_cast<double>(std::max<std::size_t>(1, whole)));
}

std::string html(const TextTable& table) {
  std::string text = "<table>\n";
  const char* tag = "th";
  for (const auto& cells : table.rows()) {
    text += "<tr>";
    for (const Cell& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, in_html(cell.text));
    text += "</tr>\n";
    tag = "td";
  }
  return text + "</table>\n";
}

// What was seen of the tests of a choice on a device under a mapping.
struct Seen {
  std::size_t ran = 0, always = 0, sometimes = 0, unclear = 0;
  std::size_t hung() const { return always + sometimes + unclear; }
};

Seen seen_under(const DeviceObservations& device, std::size_t mapping, const TestChoice& choice) {
  Seen result;
  for (const std::size_t test : choice.tests) {
    const auto found = device.seen.find({test, mapping});
    if (found == device.seen.end() || !found->second.valid()) continue;
    ++result.ran;
    if (!found->second.hung) continue;
    const auto always = found->second.always();
    ++(!always ? result.unclear : *always ? result.always : result.sometimes);
  }
  return result;
}

// The tests of a choice that ran on a device, and those that hung under some mapping.
struct Sets {
  std::set<std::size_t> ran, hung;
};

Sets sets_of(const DeviceObservations& device, const TestChoice& choice) {
  Sets sets;
  for (const auto& [place, seen] : device.seen) {
    if (!seen.valid() ||
        !std::binary_search(choice.tests.begin(), choice.tests.end(), place.first)) {
      continue;
    }
    sets.ran.insert(place.first);
    if (seen.hung) sets.hung.insert(place.first);
  }
  return sets;
}

}  // namespace

TextTable share_table(const ClassificationReport& report) {
  TextTable table;
  const std::size_t all = report.suite.tests.size();
  if (!report.published) {
    table.add_row(line({"reading", "conformance", "conformance_percent", "distinguishing",
                        "distinguishing_percent"},
                       Color::dim));
    for (std::size_t r = 0; r < report.order.readings().size(); ++r) {
      const std::size_t conform = report.classification.conformance[r];
      const std::size_t distinguish = report.classification.distinguishing[r];
      table.add_row(
          line({report.order.name(report.order.readings()[r]), fmt::format("{}", conform),
                percent(conform, all), fmt::format("{}", distinguish), percent(distinguish, all)}));
    }
    return table;
  }
  table.add_row(line({"tests", "model", "distinguishing", "distinguishing_percent", "conformance",
                      "conformance_percent"},
                     Color::dim));
  const auto add = [&](const char* kind, const PublishedAttribution::Count& side) {
    for (std::size_t m = 0; m < PublishedAttribution::kModels.size(); ++m) {
      table.add_row(
          line({kind, PublishedAttribution::kModels[m], fmt::format("{}", side.distinguishing[m]),
                percent(side.distinguishing[m], side.tests), fmt::format("{}", side.conformance[m]),
                percent(side.conformance[m], side.tests)}));
    }
  };
  add("weak", report.published->weak);
  add("strong", report.published->strong);
  return table;
}

std::string classification_html(const ClassificationReport& report) {
  const std::size_t all = report.suite.tests.size();
  std::string chart;
  if (report.published) {
    std::vector<Bar> bars;
    const auto add = [&](const char* kind, const PublishedAttribution::Count& side) {
      Bar bar{fmt::format("{} tests", kind), {}, fmt::format("{} tests", side.tests)};
      for (const std::size_t count : side.distinguishing) {
        bar.parts.push_back(std::stod(percent(count, side.tests)));
      }
      bars.push_back(std::move(bar));
    };
    add("weak", report.published->weak);
    add("strong", report.published->strong);
    chart = bar_chart("Tests by the model that they are attributed to, in percent",
                      {PublishedAttribution::kModels.begin(), PublishedAttribution::kModels.end()},
                      bars);
  } else {
    std::vector<Bar> bars;
    for (std::size_t r = 0; r < report.order.readings().size(); ++r) {
      const std::size_t conform = report.classification.conformance[r];
      const std::size_t distinguish = report.classification.distinguishing[r];
      bars.push_back(
          {report.order.name(report.order.readings()[r]),
           {static_cast<double>(distinguish), static_cast<double>(conform - distinguish)},
           percent(conform, all) + " %"});
    }
    chart = bar_chart("Conformance tests of each reading",
                      {"distinguishing", "other conformance tests"}, bars);
  }
  return chart_page("What the tests of " + report.suite.path + " show",
                    fmt::format("<p>{} tests.</p>\n{}{}", all, chart, html(share_table(report))));
}

TestChoice all_tests(const ConformReport& report) {
  TestChoice choice{"all", {}};
  for (std::size_t t = 0; t < report.suite.tests.size(); ++t) choice.tests.push_back(t);
  return choice;
}

TestChoice conformance_tests(const ConformReport& report, const Reading& reading) {
  TestChoice choice{report.order.name(reading), {}};
  for (std::size_t t = 0; t < report.suite.tests.size(); ++t) {
    if (report.matrix.verdict(t, reading) == Verdict::pass) choice.tests.push_back(t);
  }
  return choice;
}

TestChoice tests_between(const ConformReport& report, const std::string& from,
                         const std::string& to) {
  const auto& models = report.order.models();
  // A model, and which reading of it if one is named.
  const auto parsed = [&](const std::string& name) {
    const std::size_t colon = name.rfind(':');
    const std::string behind = colon == std::string::npos ? "" : name.substr(colon + 1);
    const bool one = behind == "weak" || behind == "strong";
    const std::string model = one ? name.substr(0, colon) : name;
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const auto& known) { return known->name() == model; });
    if (found == models.end()) {
      throw Error(fmt::format("--between {}: not among the models; name it with --model", name));
    }
    std::optional<Fairness> fairness;
    if (one) fairness = behind == "weak" ? Fairness::weak : Fairness::strong;
    return std::pair(static_cast<std::size_t>(found - models.begin()), fairness);
  };
  const auto [lower, lower_fairness] = parsed(from);
  const auto [upper, upper_fairness] = parsed(to);
  TestChoice choice{fmt::format("between {} and {}", from, to), {}};
  for (std::size_t t = 0; t < report.suite.tests.size(); ++t) {
    const suite::Signature& verdicts = report.matrix.verdicts(t);
    const bool weak = verdicts[upper].weak == Verdict::pass;
    const Fairness kind = weak ? Fairness::weak : Fairness::strong;
    if (verdicts[upper].of(upper_fairness.value_or(kind)) == Verdict::pass &&
        verdicts[lower].of(lower_fairness.value_or(kind)) == Verdict::fail) {
      choice.tests.push_back(t);
    }
  }
  return choice;
}

TextTable mapping_table(const ConformReport& report, const std::vector<TestChoice>& choices) {
  TextTable table;
  table.add_row(line({"device", "driver", "mapping", "of", "tests", "hung", "deterministic",
                      "nondeterministic", "unknown"},
                     Color::dim));
  for (const TestChoice& choice : choices) {
    for (const DeviceObservations& device : report.devices) {
      for (std::size_t m = 0; m < device.mappings.size(); ++m) {
        const Seen seen = seen_under(device, m, choice);
        table.add_row(line({device.device, device.driver, device.mappings[m], choice.name,
                            fmt::format("{}", seen.ran), fmt::format("{}", seen.hung()),
                            fmt::format("{}", seen.always), fmt::format("{}", seen.sometimes),
                            fmt::format("{}", seen.unclear)}));
      }
    }
  }
  return table;
}

std::string mapping_chart(const ConformReport& report, const TestChoice& choice) {
  std::vector<Bar> bars;
  for (const DeviceObservations& device : report.devices) {
    for (std::size_t m = 0; m < device.mappings.size(); ++m) {
      const Seen seen = seen_under(device, m, choice);
      if (seen.ran == 0) continue;
      bars.push_back({device.device + ", " + device.mappings[m].substr(0, 14),
                      {static_cast<double>(seen.always), static_cast<double>(seen.sometimes),
                       static_cast<double>(seen.unclear)},
                      fmt::format("{} of {}", seen.hung(), seen.ran)});
    }
  }
  return bar_chart("Tests that hung, by device and mapping",
                   {"in every run", "in some runs", "not known"}, bars);
}

TextTable between_table(const ConformReport& report, const TestChoice& choice) {
  TextTable table;
  table.add_row(line({"device", "of", "tests", "ran", "hung"}, Color::dim));
  std::set<std::size_t> ran, hung;
  const auto add = [&](const std::string& device, const std::set<std::size_t>& all,
                       const std::set<std::size_t>& some) {
    table.add_row(line({device, choice.name, fmt::format("{}", choice.tests.size()),
                        fmt::format("{}", all.size()), fmt::format("{}", some.size())}));
  };
  for (const DeviceObservations& device : report.devices) {
    const Sets sets = sets_of(device, choice);
    add(device.device, sets.ran, sets.hung);
    ran.insert(sets.ran.begin(), sets.ran.end());
    hung.insert(sets.hung.begin(), sets.hung.end());
  }
  add("any", ran, hung);
  return table;
}

std::vector<std::string> never_hung(const ConformReport& report, const TestChoice& choice) {
  std::set<std::size_t> quiet, hung;
  for (const DeviceObservations& device : report.devices) {
    const Sets sets = sets_of(device, choice);
    quiet.insert(sets.ran.begin(), sets.ran.end());
    hung.insert(sets.hung.begin(), sets.hung.end());
  }
  std::vector<std::string> names;
  for (const std::size_t test : quiet) {
    if (!hung.contains(test)) names.push_back(report.suite.tests[test].name);
  }
  return names;
}

TextTable comparison_table(const ConformReport& report, const TestChoice& choice) {
  TextTable table;
  table.add_row(
      line({"device", "other", "of", "tests", "both", "first_only", "second_only", "neither"},
           Color::dim));
  std::vector<Sets> sets;
  for (const DeviceObservations& device : report.devices) sets.push_back(sets_of(device, choice));
  for (std::size_t a = 0; a < sets.size(); ++a) {
    for (std::size_t b = a + 1; b < sets.size(); ++b) {
      std::size_t counts[2][2] = {}, common = 0;
      for (const std::size_t test : sets[a].ran) {
        if (!sets[b].ran.contains(test)) continue;
        ++common;
        ++counts[sets[a].hung.contains(test)][sets[b].hung.contains(test)];
      }
      table.add_row(line({report.devices[a].device, report.devices[b].device, choice.name,
                          fmt::format("{}", common), fmt::format("{}", counts[1][1]),
                          fmt::format("{}", counts[1][0]), fmt::format("{}", counts[0][1]),
                          fmt::format("{}", counts[0][0])}));
    }
  }
  return table;
}

}  // namespace headway::report
