#include "report/model_order.hpp"

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "models/library.hpp"
#include "support/errors.hpp"
#include "support/texts.hpp"

using namespace headway;
using models::Fairness;
using models::Hasse;
using models::ModelOrder;
using models::ModelPtr;
using models::Reading;
using models::Scope;
using report::OrderReport;
using testing::contains;
using testing::without_colors;
using Json = nlohmann::json;

namespace {

std::string name(const ModelOrder& order, const Reading& reading) {
  return order.models()[reading.model]->name() + ":" + to_string(reading.fairness);
}

std::string node_name(const ModelOrder& order, const std::vector<Reading>& node) {
  std::string text;
  for (const Reading& reading : node) text += (text.empty() ? "" : " = ") + name(order, reading);
  return text;
}

template <class Visit>
void for_each_order(const Visit& visit) {
  for (int threads = 1; threads <= 4; ++threads) {
    for (const Scope scope : {Scope::recurring, Scope::all}) {
      visit(ModelOrder(models::Library().all(), threads, scope), threads, scope);
    }
  }
}

}  // namespace

TEST_CASE("report/model_order: the table of three models for two threads") {
  models::Library library;
  const ModelOrder order({library.named("HSA"), library.named("OBE"), library.named("HSA+OBE")}, 2,
                         Scope::recurring);
  CHECK(report::order_table({order, Scope::recurring, true, false, {}}, {}) ==
        "order of the models for 2 threads, over the histories that recur (the order that decides "
        "verdicts)\n"
        "         HSA  OBE  HSA+OBE\n"
        "HSA      =    #    <\n"
        "OBE      #    =    <\n"
        "HSA+OBE  >    >    =\n"
        "row < column: the column's model guarantees at least what the row's does, and more; # "
        "incomparable\n"
        "\n"
        "readings, from the weakest up\n"
        "reading         next stronger\n"
        "HSA:weak        HSA:strong, HSA+OBE:weak\n"
        "OBE:weak        OBE:strong, HSA+OBE:weak\n"
        "HSA:strong      HSA+OBE:strong\n"
        "OBE:strong      HSA+OBE:strong\n"
        "HSA+OBE:weak    HSA+OBE:strong\n"
        "HSA+OBE:strong  nothing\n"
        "\n"
        "shortest histories that separate\n"
        "guarantees more  than  F       F of the other  after\n"
        "HSA              OBE   {0}     {1}             thread 1 steps\n"
        "OBE              HSA   {1}     {0}             thread 1 steps\n"
        "HSA+OBE          HSA   {0, 1}  {0}             thread 1 steps\n"
        "HSA+OBE          OBE   {0, 1}  {1}             thread 1 steps\n");
}

TEST_CASE("report/model_order: a table says what it compares") {
  models::Library library;
  const ModelOrder order({library.named("HSA")}, 1, Scope::all);
  const std::string text = report::order_table({order, Scope::all, true, false, {}}, {});
  CHECK(text.starts_with("order of the models for 1 thread, over all histories\n"));
  CHECK_FALSE(contains(text, "shortest histories"));
  CHECK_FALSE(contains(text, "tests of the suite"));
}

TEST_CASE("report/model_order: tests of a suite are listed by the models they tell apart") {
  models::Library library;
  const ModelOrder order({library.named("HSA"), library.named("OBE")}, 2, Scope::recurring);
  CHECK(contains(report::order_table({order, Scope::recurring, true, true, {}}, {}),
                 "\ntests of the suite\nNo test of the suite tells these models apart.\n"));
  const OrderReport report{order,
                           Scope::recurring,
                           true,
                           true,
                           {{0, 1, Fairness::weak, "increasing", "a/b.litmus"},
                            {1, 0, Fairness::strong, "mutex", "c.litmus"}}};
  CHECK(contains(report::order_table(report, {}),
                 "\ntests of the suite\n"
                 "passes      fails       smallest test\n"
                 "HSA:weak    OBE:weak    increasing\n"
                 "OBE:strong  HSA:strong  mutex\n"));
  CHECK(without_colors(report::order_table(report, {true})) == report::order_table(report, {}));
  const Json json = Json::parse(report::order_json(report));
  CHECK(json["tests"] == Json{{{"passes", "HSA"},
                               {"fails", "OBE"},
                               {"fairness", "weak"},
                               {"test", "increasing"},
                               {"file", "a/b.litmus"}},
                              {{"passes", "OBE"},
                               {"fails", "HSA"},
                               {"fairness", "strong"},
                               {"test", "mutex"},
                               {"file", "c.litmus"}}});
}

TEST_CASE("report/model_order: JSON holds the relations and what separates") {
  for_each_order([](const ModelOrder& order, int threads, Scope scope) {
    const Json json = Json::parse(report::order_json({order, scope, true, false, {}}));
    REQUIRE(json["threads"] == threads);
    REQUIRE(json["histories"] == (scope == Scope::all ? "all" : "recurring"));
    REQUIRE_FALSE(json.contains("tests"));
    const std::size_t size = order.models().size();
    REQUIRE(json["models"].size() == size);
    std::map<std::string, std::size_t> number;
    for (std::size_t m = 0; m < size; ++m) {
      REQUIRE(json["models"][m] == order.models()[m]->name());
      number[order.models()[m]->name()] = m;
    }
    REQUIRE(json["relations"].size() == size * (size - 1) / 2);
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    const auto compare = [](const Json& found, const std::optional<models::Separation>& expected) {
      REQUIRE(found.is_null() != expected.has_value());
      if (!expected) return;
      std::vector<int> more, less;
      for (int t : expected->more.threads) more.push_back(t);
      for (int t : expected->less.threads) less.push_back(t);
      REQUIRE(found["fair"] == more);
      REQUIRE(found["other"] == less);
      REQUIRE(found["history"].size() == expected->path.size());
      for (std::size_t e = 0; e < expected->path.size(); ++e) {
        REQUIRE(found["history"][e] == Json{{"thread", expected->path[e].thread},
                                            {"terminates", expected->path[e].terminates}});
      }
    };
    for (const Json& relation : json["relations"]) {
      const std::size_t a = number.at(relation["first"]), b = number.at(relation["second"]);
      REQUIRE(a < b);
      REQUIRE(pairs.emplace(a, b).second);
      REQUIRE(relation["relation"] == to_string(order.relation(a, b)));
      compare(relation["first_has_more"], order.separation(a, b));
      compare(relation["second_has_more"], order.separation(b, a));
    }
    const Hasse hasse = models::hasse_diagram(order);
    REQUIRE(json["hasse"]["nodes"].size() == hasse.nodes.size());
    for (std::size_t n = 0; n < hasse.nodes.size(); ++n) {
      std::vector<std::string> names;
      for (const Reading& reading : hasse.nodes[n]) names.push_back(name(order, reading));
      REQUIRE(json["hasse"]["nodes"][n] == names);
    }
    REQUIRE(json["hasse"]["edges"] == hasse.edges);
  });
}

TEST_CASE("report/model_order: DOT is the Hasse diagram") {
  for_each_order([](const ModelOrder& order, int, Scope scope) {
    const Hasse hasse = models::hasse_diagram(order);
    std::istringstream in(report::order_dot({order, scope, true, false, {}}));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    REQUIRE(lines.size() == 5 + hasse.nodes.size() + hasse.edges.size());
    REQUIRE(lines.front() == "digraph models {");
    REQUIRE(lines.back() == "}");
    std::size_t at = 1;
    REQUIRE(lines[at++] == "  rankdir=BT;");
    REQUIRE(lines[at++].starts_with("  node ["));
    REQUIRE(lines[at++].starts_with("  edge ["));
    for (std::size_t n = 0; n < hasse.nodes.size(); ++n) {
      REQUIRE(lines[at++] ==
              "  " + std::to_string(n) + " [label=\"" + node_name(order, hasse.nodes[n]) + "\"];");
    }
    for (const auto& [lower, upper] : hasse.edges) {
      REQUIRE(lines[at++] == "  " + std::to_string(lower) + " -> " + std::to_string(upper) + ";");
    }
  });
}

TEST_CASE("report/model_order: the table of readings leads from each to those directly above") {
  for_each_order([](const ModelOrder& order, int, Scope scope) {
    const std::string text = report::order_table({order, scope, true, false, {}}, {});
    const Hasse hasse = models::hasse_diagram(order);
    const std::size_t begin = text.find("readings, from the weakest up\n");
    REQUIRE(begin != std::string::npos);
    std::istringstream in(text.substr(begin));
    std::string line;
    std::getline(in, line);
    std::getline(in, line);
    for (std::size_t n = 0; n < hasse.nodes.size(); ++n) {
      REQUIRE(std::getline(in, line));
      std::string above;
      for (const auto& [lower, upper] : hasse.edges) {
        if (lower != n) continue;
        above += (above.empty() ? "" : ", ") + node_name(order, hasse.nodes[upper]);
      }
      REQUIRE(line.starts_with(node_name(order, hasse.nodes[n]) + "  "));
      REQUIRE(line.ends_with("  " + (above.empty() ? "nothing" : above)));
    }
  });
}
