#include "report/model_order.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/histories.hpp"
#include "report/set_json.hpp"

namespace headway::report {
namespace {

using models::Reading;
using models::Relation;
using Json = nlohmann::ordered_json;

const char* symbol(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "=";
    case Relation::below:
      return "<";
    case Relation::above:
      return ">";
    case Relation::incomparable:
      return "#";
  }
  return "";
}

std::string name(const OrderReport& report, std::size_t model) {
  return report.order.models()[model]->name();
}

std::string name(const OrderReport& report, const Reading& reading) {
  return name(report, reading.model) + ":" + to_string(reading.fairness);
}

std::string node_name(const OrderReport& report, const std::vector<Reading>& node) {
  std::string text;
  for (const Reading& reading : node) text += (text.empty() ? "" : " = ") + name(report, reading);
  return text;
}

std::string relations_table(const OrderReport& report, Style style) {
  TextTable table;
  std::vector<Cell> heading = {{"", Color::none}};
  const std::size_t size = report.order.models().size();
  for (std::size_t b = 0; b < size; ++b) heading.push_back({name(report, b), Color::dim});
  table.add_row(std::move(heading));
  for (std::size_t a = 0; a < size; ++a) {
    std::vector<Cell> row = {{name(report, a), Color::dim}};
    for (std::size_t b = 0; b < size; ++b) {
      row.push_back({symbol(report.order.relation(a, b)), Color::none});
    }
    table.add_row(std::move(row));
  }
  return table.to_string(style) + paint(
                                      "row < column: the column's model guarantees at least what "
                                      "the row's does, and more; # incomparable\n",
                                      Color::dim, style);
}

std::string hasse_table(const OrderReport& report, const models::Hasse& hasse, Style style) {
  TextTable table;
  table.add_row({{"reading", Color::dim}, {"next stronger", Color::dim}});
  for (std::size_t n = 0; n < hasse.nodes.size(); ++n) {
    std::string above;
    for (const auto& [lower, upper] : hasse.edges) {
      if (lower != n) continue;
      above += (above.empty() ? "" : ", ") + node_name(report, hasse.nodes[upper]);
    }
    table.add_row({{node_name(report, hasse.nodes[n]), Color::none},
                   {above.empty() ? "nothing" : above, Color::none}});
  }
  return table.to_string(style);
}

// "thread 1 steps; thread 0 is blocked"
std::string history_text(const models::Separation& separation) {
  std::string text = models::describe_events(separation.path);
  for (const int thread : separation.blocked) text += fmt::format("; thread {} is blocked", thread);
  return text;
}

std::string separations_table(const OrderReport& report, Style style) {
  TextTable table;
  table.add_row({{"guarantees more", Color::dim},
                 {"than", Color::dim},
                 {"F", Color::dim},
                 {"F of the other", Color::dim},
                 {"after", Color::dim}});
  bool any = false;
  for (std::size_t a = 0; a < report.order.models().size(); ++a) {
    for (std::size_t b = 0; b < report.order.models().size(); ++b) {
      const auto& separation = report.order.separation(a, b);
      if (!separation) continue;
      any = true;
      table.add_row({{name(report, a), Color::none},
                     {name(report, b), Color::none},
                     {separation->more.to_string(report.order.topology()), Color::none},
                     {separation->less.to_string(report.order.topology()), Color::none},
                     {history_text(*separation), Color::none}});
    }
  }
  return any ? table.to_string(style) : "";
}

std::string tests_table(const OrderReport& report, Style style) {
  TextTable table;
  table.add_row({{"passes", Color::dim}, {"fails", Color::dim}, {"smallest test", Color::dim}});
  for (const DistinguishingTest& test : report.tests) {
    table.add_row({{name(report, Reading{test.passes, test.fairness}), Color::green},
                   {name(report, Reading{test.fails, test.fairness}), Color::red},
                   {test.test, Color::none}});
  }
  return report.tests.empty() ? "No test of the suite tells these models apart.\n"
                              : table.to_string(style);
}

Json separation_json(const Topology& topology,
                     const std::optional<models::Separation>& separation) {
  if (!separation) return nullptr;
  Json path = Json::array();
  for (const models::Event& event : separation->path) {
    path.push_back({{"thread", event.thread}, {"terminates", event.terminates}});
    if (event.instruction != models::Instruction()) {
      path.back()["instruction"] = models::describe_step(event.instruction);
    }
  }
  Json object = {{"history", path}};
  if (!separation->blocked.empty()) object["blocked"] = set_json(separation->blocked);
  object["fair"] = groups_json(topology, separation->more);
  object["other"] = groups_json(topology, separation->less);
  return object;
}

}  // namespace

std::string order_table(const OrderReport& report, Style style) {
  const auto title = [&](const std::string& text) {
    return paint(text, Color::bold, style) + "\n";
  };
  std::string text = title(fmt::format(
      "order of the models for {}, over {}", report.order.topology().to_string(),
      report.scope == models::Scope::all ? "all histories"
                                         : "the histories that recur (the order that decides "
                                           "verdicts)"));
  text += relations_table(report, style);
  if (!report.may_block) {
    text += paint("no thread is blocked in these histories: there would be too many\n", Color::dim,
                  style);
  }
  text += "\n" + title("readings, from the weakest up");
  text += hasse_table(report, models::hasse_diagram(report.order), style);
  const std::string separations = separations_table(report, style);
  if (!separations.empty()) text += "\n" + title("shortest histories that separate") + separations;
  if (report.has_suite) text += "\n" + title("tests of the suite") + tests_table(report, style);
  return text;
}

std::string order_json(const OrderReport& report) {
  Json object;
  const Topology& topology = report.order.topology();
  object["threads"] = topology.threads();
  if (!topology.is_flat()) {
    if (topology.is_uniform()) {
      object["launch"] = {topology.workgroups(), topology.subgroups(), topology.subgroup_threads()};
    } else {
      object["launch"] = topology.placement();
    }
  }
  object["histories"] = report.scope == models::Scope::all ? "all" : "recurring";
  object["models"] = Json::array();
  for (const auto& model : report.order.models()) object["models"].push_back(model->name());
  object["relations"] = Json::array();
  const std::size_t size = report.order.models().size();
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = a + 1; b < size; ++b) {
      object["relations"].push_back(
          {{"first", name(report, a)},
           {"second", name(report, b)},
           {"relation", to_string(report.order.relation(a, b))},
           {"first_has_more",
            separation_json(report.order.topology(), report.order.separation(a, b))},
           {"second_has_more",
            separation_json(report.order.topology(), report.order.separation(b, a))}});
    }
  }
  const models::Hasse hasse = models::hasse_diagram(report.order);
  object["hasse"] = {{"nodes", Json::array()}, {"edges", Json::array()}};
  for (const auto& node : hasse.nodes) {
    Json names = Json::array();
    for (const Reading& reading : node) names.push_back(name(report, reading));
    object["hasse"]["nodes"].push_back(std::move(names));
  }
  for (const auto& [lower, upper] : hasse.edges) {
    object["hasse"]["edges"].push_back({lower, upper});
  }
  if (report.has_suite) {
    object["tests"] = Json::array();
    for (const DistinguishingTest& test : report.tests) {
      object["tests"].push_back({{"passes", name(report, test.passes)},
                                 {"fails", name(report, test.fails)},
                                 {"fairness", to_string(test.fairness)},
                                 {"test", test.test},
                                 {"file", test.file}});
    }
  }
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string order_dot(const OrderReport& report) {
  const models::Hasse hasse = models::hasse_diagram(report.order);
  std::string text =
      "digraph models {\n"
      "  rankdir=BT;\n"
      "  node [shape=box, style=rounded];\n"
      "  edge [dir=none];\n";
  for (std::size_t n = 0; n < hasse.nodes.size(); ++n) {
    text += fmt::format("  {} [label=\"{}\"];\n", n, node_name(report, hasse.nodes[n]));
  }
  for (const auto& [lower, upper] : hasse.edges) text += fmt::format("  {} -> {};\n", lower, upper);
  return text + "}\n";
}

}  // namespace headway::report
