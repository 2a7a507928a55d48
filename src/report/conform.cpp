#include "report/conform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <span>

#include "emit/launch.hpp"
#include "report/chart.hpp"
#include "report/conform_page.hpp"
#include "report/figures.hpp"
#include "report/template.hpp"

namespace headway::report {
namespace {

using campaign::Determinism;
using campaign::DeviceObservations;
using campaign::DeviceResult;
using campaign::Observation;
using campaign::ReadingResult;
using models::Reading;
using Json = nlohmann::ordered_json;

std::vector<Cell> row(const std::vector<std::string>& texts, Color color = Color::none) {
  std::vector<Cell> cells;
  cells.reserve(texts.size());
  for (const std::string& text : texts) cells.push_back({text, color});
  return cells;
}

std::string runs_text(std::uint64_t runs, bool all_known) {
  if (all_known) return fmt::format("{}", runs);
  return runs == 0 ? "?" : fmt::format("at least {}", runs);
}

std::string determinism_text(const ReadingResult& result) {
  if (!result.refuted()) return "";
  switch (result.determinism()) {
    case Determinism::always:
      return "deterministic";
    case Determinism::sometimes:
      return "nondeterministic";
    case Determinism::unknown:
      break;
  }
  return "unknown";
}

std::string result_text(const ReadingResult& result) {
  if (result.refuted()) return "refuted";
  return result.tested() ? "not refuted" : "not tested";
}

Color result_color(const ReadingResult& result) {
  return result.refuted() ? Color::red : Color::none;
}

// The mappings under which some conformance test hung.
std::vector<std::string> refuting_mappings(const DeviceObservations& device,
                                           const ReadingResult& result) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < result.by_mapping.size(); ++m) {
    if (result.by_mapping[m].refuting > 0) names.push_back(device.mappings[m]);
  }
  return names;
}

// What speaks for a reading that is not refuted: how many of its conformance tests ran.
std::string evidence(const ConformReport& report, const DeviceResult& result,
                     const Reading& reading) {
  std::size_t all = 0;
  for (std::size_t t = 0; t < report.suite.tests.size(); ++t) {
    if (report.matrix.verdict(t, reading) == checker::Verdict::pass) ++all;
  }
  std::size_t ran = 0;
  for (const ReadingResult& each : result.readings) {
    if (each.reading.model == reading.model && each.reading.fairness == reading.fairness) {
      ran = each.all.tests;
    }
  }
  return fmt::format("{} of {} test{}", ran, all, all == 1 ? "" : "s");
}

std::string strongest_text(const ConformReport& report, const DeviceResult& result) {
  if (result.tests == 0) return "nothing tested";
  std::vector<std::string> groups;
  for (const std::vector<Reading>& group : result.strongest) {
    std::vector<std::string> names;
    names.reserve(group.size());
    for (const Reading& reading : group) names.push_back(report.order.name(reading));
    groups.push_back(
        fmt::format("{} ({})", fmt::join(names, " = "), evidence(report, result, group.front())));
  }
  return groups.empty() ? "none" : fmt::format("{}", fmt::join(groups, ", "));
}

// The models, and for each "weak" and "strong", or nothing where they are the same.
std::vector<std::pair<std::string, std::vector<std::string>>> by_model(
    const suite::SuiteOrder& order) {
  std::vector<std::pair<std::string, std::vector<std::string>>> models;
  std::size_t last = order.models().size();
  for (const Reading& reading : order.readings()) {
    const std::string& name = order.models()[reading.model]->name();
    if (reading.model != last) models.push_back({name, {}});
    last = reading.model;
    models.back().second.push_back(order.name(reading) == name ? "" : to_string(reading.fairness));
  }
  return models;
}

// A letter for each mapping of the devices: its first one, or a number when that is taken. The
// mappings of headway come first.
using Alphabet = std::vector<std::pair<std::string, char>>;
Alphabet letters(const ConformReport& report) {
  std::vector<std::string> mappings;
  for (const emit::Mapping mapping : emit::kMappings) mappings.push_back(to_string(mapping));
  for (const DeviceObservations& device : report.devices) {
    mappings.insert(mappings.end(), device.mappings.begin(), device.mappings.end());
  }
  Alphabet alphabet;
  for (const std::string& mapping : mappings) {
    const auto known = [&](const auto& same) {
      return std::any_of(alphabet.begin(), alphabet.end(), same);
    };
    const bool is_used =
        std::any_of(report.devices.begin(), report.devices.end(), [&](const auto& device) {
          return std::find(device.mappings.begin(), device.mappings.end(), mapping) !=
                 device.mappings.end();
        });
    if (!is_used || known([&](const auto& entry) { return entry.first == mapping; })) continue;
    const auto taken = [&](char letter) {
      return known([&](const auto& entry) { return entry.second == letter; });
    };
    const auto first = static_cast<unsigned char>(mapping.empty() ? '-' : mapping.front());
    char letter = static_cast<char>(std::toupper(first));
    if (!std::isalpha(first) || taken(letter)) {
      for (letter = '1'; letter < '9' && taken(letter);) ++letter;
    }
    alphabet.emplace_back(mapping, letter);
  }
  return alphabet;
}

std::string spelled(const Alphabet& alphabet, const std::vector<std::string>& mappings) {
  std::string text;
  for (const auto& [mapping, letter] : alphabet) {
    if (std::find(mappings.begin(), mappings.end(), mapping) != mappings.end()) text += letter;
  }
  return text;
}

std::string mapping_lines(const ConformReport& report) {
  std::string text;
  for (const auto& [mapping, letter] : letters(report)) {
    text += fmt::format("  {}  {}\n", letter, mapping);
  }
  return text;
}

// "43 PRC": how many tests, under which mappings.
std::string cell_text(const Alphabet& alphabet, const DeviceObservations& device,
                      const ReadingResult& result) {
  if (!result.tested()) return "?";
  if (!result.refuted()) return "-";
  const std::string text = fmt::format("{} {}", result.all.refuting,
                                       spelled(alphabet, refuting_mappings(device, result)));
  return result.determinism() == Determinism::always ? text : text + "~";
}

// What hung on a device: test, mapping and what was seen.
template <class Action>
void for_each_hang(const DeviceObservations& device, const Action& action) {
  for (const auto& [place, seen] : device.seen) {
    if (seen.hung) action(place.first, place.second, seen);
  }
}

std::vector<std::string> refuted_by(const ConformReport& report, std::size_t test) {
  std::vector<std::string> names;
  for (const Reading& reading : report.order.readings()) {
    if (report.matrix.verdict(test, reading) == checker::Verdict::pass) {
      names.push_back(report.order.name(reading));
    }
  }
  return names;
}

std::string count_text(const std::optional<std::uint64_t>& count) {
  return count ? fmt::format("{}", *count) : "?";
}

Json count_json(const std::optional<std::uint64_t>& count) {
  return count ? Json(*count) : Json(nullptr);
}

Json hangs_json(const DeviceObservations& device, std::size_t test) {
  Json array = Json::array();
  for (auto seen = device.seen.lower_bound({test, 0});
       seen != device.seen.end() && seen->first.first == test; ++seen) {
    if (!seen->second.hung) continue;
    array.push_back({{"mapping", device.mappings[seen->first.second]},
                     {"hung", count_json(seen->second.hangs)},
                     {"runs", count_json(seen->second.runs)},
                     {"device_lost", seen->second.lost}});
  }
  return array;
}

Json tally_json(const campaign::Tally& tally) {
  return {{"tests", tally.tests},
          {"held", tally.held()},
          {"refuting", tally.refuting},
          {"always", tally.always},
          {"always_unknown", tally.unclear},
          {"runs", tally.runs},
          {"all_runs_known", tally.all_runs_known}};
}

Json reading_json(const ConformReport& report, const DeviceObservations& device,
                  const ReadingResult& result) {
  Json json = {{"reading", report.order.name(result.reading)},
               {"model", report.order.models()[result.reading.model]->name()},
               {"fairness", to_string(result.reading.fairness)},
               {"result", result_text(result)}};
  json.update(tally_json(result.all));
  if (result.refuted()) {
    json["determinism"] = determinism_text(result);
    json["only_device_lost"] = result.only_lost;
  }
  Json mappings = Json::array();
  for (std::size_t m = 0; m < result.by_mapping.size(); ++m) {
    Json mapping = {{"mapping", device.mappings[m]}};
    mapping.update(tally_json(result.by_mapping[m]));
    mappings.push_back(std::move(mapping));
  }
  json["mappings"] = std::move(mappings);
  Json tests = Json::array();
  for (const std::size_t test : result.refuting) {
    tests.push_back({{"test", report.suite.tests[test].name}, {"hangs", hangs_json(device, test)}});
  }
  json["refuting_tests"] = std::move(tests);
  return json;
}

// HTML -----------------------------------------------------------------------------------------

std::string html_matrix(const ConformReport& report) {
  const auto alphabet = letters(report);
  std::string text = "<tr><th scope=\"col\" rowspan=\"2\">device</th>";
  std::string second;
  for (const auto& [model, readings] : by_model(report.order)) {
    text += fmt::format("<th scope=\"colgroup\" colspan=\"{}\">{}</th>", readings.size(),
                        in_html(model));
    for (const std::string& fairness : readings) {
      second += fmt::format("<th scope=\"col\">{}</th>", fairness);
    }
  }
  text += fmt::format("</tr>\n<tr>{}</tr>\n", second);
  for (std::size_t d = 0; d < report.devices.size(); ++d) {
    const DeviceObservations& device = report.devices[d];
    text += fmt::format("<tr><th scope=\"row\"><a href=\"#device-{}\">{}</a></th>", d + 1,
                        in_html(device.device));
    for (const ReadingResult& result : report.results[d].readings) {
      const std::string title = fmt::format("{}, {}: {}", device.device,
                                            report.order.name(result.reading), result_text(result));
      text += fmt::format("<td class=\"{}\" title=\"{}\">{}</td>",
                          result.refuted()  ? "refuted"
                          : result.tested() ? "held"
                                            : "untested",
                          in_html(title), in_html(cell_text(alphabet, device, result)));
    }
    text += "</tr>\n";
  }
  return text;
}

// `table` without its first column, the device.
std::string html_table(const TextTable& table) {
  std::string text;
  const char* tag = "th";
  for (const auto& cells : table.rows()) {
    text += "<tr>";
    for (const Cell& cell : std::span(cells).subspan(1)) {
      text += fmt::format("<{0}{1}>{2}</{0}>", tag,
                          tag[1] == 'h'              ? " scope=\"col\""
                          : cell.color == Color::red ? " class=\"refuted\""
                                                     : "",
                          in_html(cell.text));
    }
    text += "</tr>\n";
    tag = "td";
  }
  return text;
}

// The report about one device alone.
ConformReport only(const ConformReport& report, std::size_t device) {
  return {report.suite,
          report.matrix,
          report.order,
          {report.devices[device]},
          {report.results[device]},
          {}};
}

// The driver and what else is known of a device.
std::string html_facts(const DeviceObservations& device) {
  std::vector<std::string> facts;
  if (!device.driver.empty()) facts.push_back("driver: " + device.driver);
  for (const auto& [name, value] : device.details)
    facts.push_back(fmt::format("{}: {}", name, value));
  if (facts.empty()) return {};
  return fmt::format("<p class=\"legend\">{}</p>\n",
                     in_html(fmt::format("{}", fmt::join(facts, "\n"))));
}

std::string html_devices(const ConformReport& report) {
  std::string text;
  for (std::size_t d = 0; d < report.devices.size(); ++d) {
    const ConformReport one = only(report, d);
    text += fmt::format(
        "<section id=\"device-{}\">\n<h2>{}</h2>\n{}<p>Strongest models not refuted: {}.</p>\n"
        "<div class=\"wide\"><table>\n{}</table></div>\n",
        d + 1, in_html(report.devices[d].device), html_facts(report.devices[d]),
        in_html(strongest_text(report, report.results[d])),
        html_table(reading_table(one, MappingNames::full)));
    if (report.results[d].hung > 0) {
      text += fmt::format(
          "<details><summary>Tests that did not terminate: {}</summary>\n"
          "<div class=\"wide\"><table>\n{}</table></div></details>\n",
          report.results[d].hung, html_table(hung_table(one)));
    }
    text += "</section>\n";
  }
  return text;
}

}  // namespace

TextTable device_table(const ConformReport& report) {
  TextTable table;
  table.add_row(
      row({"device", "tests", "hung", "runs", "strongest models not refuted"}, Color::dim));
  for (std::size_t d = 0; d < report.devices.size(); ++d) {
    const DeviceResult& result = report.results[d];
    table.add_row(row(
        {report.devices[d].device, fmt::format("{}", result.tests), fmt::format("{}", result.hung),
         runs_text(result.runs, result.all_runs_known), strongest_text(report, result)}));
  }
  return table;
}

TextTable refutation_matrix(const ConformReport& report) {
  TextTable table;
  std::vector<std::string> models = {"refuted"}, fairnesses = {""};
  for (const auto& [model, readings] : by_model(report.order)) {
    for (const std::string& fairness : readings) {
      models.push_back(&fairness == &readings.front() ? model : "");
      fairnesses.push_back(fairness);
    }
  }
  table.add_row(row(models, Color::dim));
  table.add_row(row(fairnesses, Color::dim));
  const auto alphabet = letters(report);
  for (std::size_t d = 0; d < report.devices.size(); ++d) {
    std::vector<Cell> cells = {{report.devices[d].device, Color::none}};
    for (const ReadingResult& result : report.results[d].readings) {
      cells.push_back({cell_text(alphabet, report.devices[d], result), result_color(result)});
    }
    table.add_row(std::move(cells));
  }
  return table;
}

std::string legend(const ConformReport& report) {
  return "A number counts conformance tests that did not terminate; one refutes the model. ~: none "
         "of them hung in every run.\n- not refuted; ? no conformance test ran. The mappings under "
         "which tests hung:\n" +
         mapping_lines(report);
}

std::string reading_legend(const ConformReport& report) {
  return "tests: the conformance tests that ran; held: those that ended; refuting: those that did "
         "not terminate; always:\nthose that hung in every run, + where of some that is not known. "
         "The mappings under which tests hung:\n" +
         mapping_lines(report);
}

TextTable reading_table(const ConformReport& report, MappingNames names) {
  TextTable table;
  table.add_row(row(
      {"device", "reading", "result", "tests", "held", "refuting", "always", "mappings", "runs"},
      Color::dim));
  const Alphabet alphabet = letters(report);
  for (std::size_t d = 0; d < report.devices.size(); ++d) {
    for (const ReadingResult& result : report.results[d].readings) {
      const auto mappings = refuting_mappings(report.devices[d], result);
      const std::string always =
          fmt::format("{}{}", result.all.always, result.all.unclear > 0 ? "+" : "");
      std::vector<Cell> cells =
          row({report.devices[d].device, report.order.name(result.reading), result_text(result),
               fmt::format("{}", result.all.tests), fmt::format("{}", result.all.held()),
               fmt::format("{}", result.all.refuting), always,
               names == MappingNames::letters ? spelled(alphabet, mappings)
                                              : fmt::format("{}", fmt::join(mappings, "; ")),
               runs_text(result.all.runs, result.all.all_runs_known)});
      cells[2].color = result_color(result);
      table.add_row(std::move(cells));
    }
  }
  return table;
}

TextTable hung_table(const ConformReport& report) {
  TextTable table;
  table.add_row(row({"device", "test", "mapping", "hung", "runs", "refutes"}, Color::dim));
  for (const DeviceObservations& device : report.devices) {
    for_each_hang(device, [&](std::size_t test, std::size_t mapping, const Observation& seen) {
      table.add_row(row({device.device, report.suite.tests[test].name, device.mappings[mapping],
                         count_text(seen.hangs), count_text(seen.runs),
                         fmt::format("{}", fmt::join(refuted_by(report, test), " "))}));
    });
  }
  return table;
}

std::string conform_json(const ConformReport& report) {
  Json devices = Json::array();
  for (std::size_t d = 0; d < report.devices.size(); ++d) {
    const DeviceObservations& device = report.devices[d];
    const DeviceResult& result = report.results[d];
    Json strongest = Json::array();
    for (const std::vector<Reading>& group : result.strongest) {
      Json names = Json::array();
      for (const Reading& reading : group) names.push_back(report.order.name(reading));
      strongest.push_back(std::move(names));
    }
    Json readings = Json::array();
    for (const ReadingResult& reading : result.readings) {
      readings.push_back(reading_json(report, device, reading));
    }
    devices.push_back({{"device", device.device},
                       {"driver", device.driver},
                       {"details", device.details},
                       {"mappings", device.mappings},
                       {"tests", result.tests},
                       {"hung", result.hung},
                       {"runs", result.runs},
                       {"all_runs_known", result.all_runs_known},
                       {"strongest_not_refuted", std::move(strongest)},
                       {"readings", std::move(readings)}});
  }
  const Json root = {{"suite", report.suite.path},
                     {"tests", report.suite.tests.size()},
                     {"order_for_threads", report.order.threads()},
                     {"notes", report.notes},
                     {"devices", std::move(devices)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string conform_html(const ConformReport& report) {
  std::string notes;
  for (const std::string& note : report.notes) notes += "<p>" + in_html(note) + "</p>\n";
  std::map<std::string_view, std::string> parts = {
      {"suite", in_html(report.suite.path)},
      {"tests", fmt::format("{}", report.suite.tests.size())},
      {"notes", notes},
      {"matrix", html_matrix(report)},
      {"legend", in_html(legend(report))},
      {"chart", mapping_chart(report, all_tests(report))},
      {"devices", html_devices(report)}};
  std::string_view frame;
  for (const auto& [name, content] : embedded_conform_page()) {
    if (name.ends_with(".html")) frame = content;
    if (name.ends_with(".css")) parts["style"] = std::string(content) + chart_style();
  }
  return fill(frame, parts);
}

}  // namespace headway::report
