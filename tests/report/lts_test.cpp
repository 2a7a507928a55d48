#include "report/lts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.hpp"
#include "lang/axb/program.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/axb.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace headway;
using checker::Label;
using checker::LabelledGraph;
using lang::Test;
using models::Fairness;
using models::ModelPtr;
using testing::contains;
using testing::lines_of;
using testing::litmus;
using Json = nlohmann::json;

namespace {

// A transition as .aut and JSON tell it.
struct Transition {
  unsigned from;
  std::string label;
  unsigned to;
  friend bool operator==(const Transition&, const Transition&) = default;
};

std::string label_of(const Label& label, bool has_model) {
  switch (label.kind) {
    case Label::Kind::step:
      return "STEP !" + std::to_string(label.thread) +
             (has_model ? " !" + label.fair.threads.to_string() : "");
    case Label::Kind::terminate:
      return "TERMINATE !" + std::to_string(label.thread);
    case Label::Kind::all_done:
      return "ALLDONE";
    case Label::Kind::exit:
      break;
  }
  return "exit";
}

std::vector<Transition> transitions(const LabelledGraph& graph) {
  std::vector<Transition> result;
  for (const auto& edge : graph.edges) {
    result.push_back({edge.from, label_of(edge.label, graph.has_model), edge.to});
  }
  return result;
}

// Reads what Aldebaran's format allows, and checks its heading.
std::vector<Transition> parse_aut(const std::string& text, std::size_t states) {
  std::vector<Transition> result;
  const auto all = lines_of(text);
  unsigned first = 1, count = 0, nodes = 0;
  REQUIRE(std::sscanf(all.at(0).c_str(), "des (%u, %u, %u)", &first, &count, &nodes) == 3);
  REQUIRE(first == 0);
  REQUIRE(nodes == states);
  REQUIRE(count == all.size() - 1);
  for (std::size_t l = 1; l < all.size(); ++l) {
    Transition t{0, "", 0};
    char label[200] = "";
    REQUIRE(std::sscanf(all[l].c_str(), "(%u, \"%199[^\"]\", %u)", &t.from, label, &t.to) == 3);
    t.label = label;
    REQUIRE(all[l] ==
            "(" + std::to_string(t.from) + ", \"" + t.label + "\", " + std::to_string(t.to) + ")");
    REQUIRE(t.from < nodes);
    REQUIRE(t.to < nodes);
    result.push_back(t);
  }
  return result;
}

// A DOT file of one statement a line, taken apart: nodes and edges with their attributes.
struct Dot {
  std::map<std::string, std::map<std::string, std::string>> nodes;
  std::vector<std::pair<std::pair<std::string, std::string>, std::map<std::string, std::string>>>
      edges;
};

std::map<std::string, std::string> attributes(const std::string& text) {
  std::map<std::string, std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t equal = text.find('=', at);
    REQUIRE(equal != std::string::npos);
    const std::string key = text.substr(at, equal - at);
    std::string value;
    at = equal + 1;
    if (text[at] == '"') {
      for (++at; text.at(at) != '"'; ++at) {
        if (text[at] == '\\') value += text[at++];
        value += text.at(at);
      }
      ++at;
    } else {
      const std::size_t end = std::min(text.find(", ", at), text.size());
      value = text.substr(at, end - at);
      at = end;
    }
    REQUIRE(result.emplace(key, value).second);
    if (at < text.size()) REQUIRE(text.substr(at, 2) == ", ");
    at += 2;
  }
  return result;
}

Dot parse_dot(const std::string& text) {
  Dot result;
  const auto all = lines_of(text);
  REQUIRE(all.front().starts_with("digraph "));
  REQUIRE(all.front().ends_with(" {"));
  REQUIRE(all.back() == "}");
  for (std::size_t l = 1; l + 1 < all.size(); ++l) {
    std::string line = all[l];
    REQUIRE(line.starts_with("  "));
    REQUIRE(line.ends_with(";"));
    line = line.substr(2, line.size() - 3);
    std::map<std::string, std::string> found;
    if (const std::size_t open = line.find(" ["); open != std::string::npos) {
      REQUIRE(line.back() == ']');
      found = attributes(line.substr(open + 2, line.size() - open - 3));
      line = line.substr(0, open);
    }
    const std::size_t arrow = line.find(" -> ");
    if (arrow == std::string::npos) {
      REQUIRE(result.nodes.emplace(line, found).second);
    } else {
      result.edges.push_back({{line.substr(0, arrow), line.substr(arrow + 4)}, found});
    }
  }
  return result;
}

// Both views of some tests under some models.
template <class Visit>
void for_each_graph(const Visit& visit) {
  std::vector<ModelPtr> models = models::Library().standard();
  models.push_back(nullptr);
  std::vector<Test> tests = {litmus("spin-mutex"), litmus("middle-thread"),
                             litmus("philosophers-livelock")};
  tests.insert(tests.end(), testing::published_tests().begin(),
               testing::published_tests().begin() + 10);
  for (const Test& test : tests) {
    const lang::axb::AxbProgram program(testing::axb_code(test));
    for (const ModelPtr& model : models) {
      const LabelledGraph steps = *checker::step_view(program, model.get(), Fairness::strong, {});
      const LabelledGraph events = *checker::event_view(program, model.get(), {});
      visit(program, steps);
      visit(program, events);
      visit(program, checker::reduce(steps));
      visit(program, checker::reduce(events));
    }
  }
}

}  // namespace

TEST_CASE("report/lts: .aut is read back") {
  int graphs = 0;
  for_each_graph([&](const lang::Program&, const LabelledGraph& graph) {
    const auto read = parse_aut(report::lts_aut(graph), graph.nodes.size());
    REQUIRE(read == transitions(graph));
    ++graphs;
  });
  CHECK(graphs == 13 * 7 * 4);
}

TEST_CASE("report/lts: .aut of a program of one step") {
  const Test test = lang::parse("locations m;\nthread 0 { m = 1; }\n", "one");
  const lang::axb::AxbProgram program(testing::axb_code(test));
  const auto obe = models::Library().named("HSA");
  CHECK(report::lts_aut(*checker::step_view(program, nullptr, Fairness::weak, {})) ==
        "des (0, 1, 2)\n(0, \"STEP !0\", 1)\n");
  CHECK(report::lts_aut(*checker::event_view(program, obe.get(), {})) ==
        "des (0, 4, 5)\n"
        "(0, \"STEP !0 !{0}\", 1)\n"
        "(1, \"TERMINATE !0\", 2)\n"
        "(2, \"ALLDONE\", 3)\n"
        "(3, \"exit\", 4)\n");
}

TEST_CASE("report/lts: DOT is read back") {
  int red = 0;
  for_each_graph([&](const lang::Program& program, const LabelledGraph& graph) {
    const Dot dot = parse_dot(report::lts_dot(graph, program));
    // Beside the states: node and edge defaults and the point in front of the first.
    REQUIRE(dot.nodes.size() == graph.nodes.size() + 3);
    REQUIRE(dot.edges.size() == graph.edges.size() + 1);
    REQUIRE(dot.edges.front().first == std::pair<std::string, std::string>("start", "0"));
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      const auto& found = dot.nodes.at(std::to_string(n));
      const std::string& label = found.at("label");
      const lang::Word* state = graph.nodes[n].state.data();
      REQUIRE(label.starts_with(program.describe_memory(state) + "\\l"));
      for (int t = 0; t < program.threads(); ++t) {
        REQUIRE(contains(
            label, "\\l" + std::to_string(t) + ": " + program.describe_thread(state, t) + "\\l"));
      }
      REQUIRE(contains(label, "\\lF = " + graph.nodes[n].fair.threads.to_string() + "\\l") ==
              graph.has_model);
      REQUIRE((found.count("color") == 1) == graph.nodes[n].on_fair_cycle);
      if (!graph.nodes[n].on_fair_cycle) continue;
      REQUIRE(found.at("color") == "red");
      ++red;
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const auto& edge = graph.edges[e];
      const auto& [ends, found] = dot.edges[e + 1];
      REQUIRE(ends == std::pair(std::to_string(edge.from), std::to_string(edge.to)));
      std::string label = std::to_string(edge.label.thread);
      if (edge.label.kind == Label::Kind::step) {
        const bool guaranteed =
            graph.has_model && edge.label.fair.threads.contains(edge.label.thread);
        if (guaranteed) label += " (guaranteed)";
      } else if (edge.label.kind == Label::Kind::terminate) {
        label += " terminates";
      } else {
        label = edge.label.kind == Label::Kind::all_done ? "all done" : "exit";
      }
      REQUIRE(found.at("label") == label);
    }
  });
  CHECK(red > 50);
}

TEST_CASE("report/lts: quotes and backslashes are escaped in DOT") {
  lang::axb::Code code =
      testing::axb_code(lang::parse("locations m;\nthread 0 { m = 1; }\n", "odd"));
  code.locations[0].name = "a\"b\\c";
  const lang::axb::AxbProgram program(code);
  const std::string text =
      report::lts_dot(*checker::step_view(program, nullptr, Fairness::weak, {}), program);
  CHECK(contains(text, "[label=\"a\\\"b\\\\c=0\\l0: "));
  parse_dot(text);
}

TEST_CASE("report/lts: JSON holds states and transitions") {
  for_each_graph([&](const lang::Program& program, const LabelledGraph& graph) {
    const Json json = Json::parse(report::lts_json(graph, program));
    REQUIRE(json.size() == 2);
    REQUIRE(json["states"].size() == graph.nodes.size());
    REQUIRE(json["transitions"].size() == graph.edges.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      const Json& state = json["states"][n];
      const auto& node = graph.nodes[n];
      REQUIRE(state["memory"] == program.describe_memory(node.state.data()));
      for (int t = 0; t < program.threads(); ++t) {
        REQUIRE(state["threads"][t] == program.describe_thread(node.state.data(), t));
        const auto& terminated = state["terminated"];
        REQUIRE((std::find(terminated.begin(), terminated.end(), t) != terminated.end()) ==
                node.history.terminated.contains(t));
      }
      REQUIRE(state.contains("fair") == graph.has_model);
      REQUIRE(state.contains("on_fair_cycle") == graph.has_model);
      if (!graph.has_model) continue;
      REQUIRE(state["on_fair_cycle"] == node.on_fair_cycle);
      std::vector<int> fair;
      for (int t : node.fair.threads) fair.push_back(t);
      REQUIRE(state["fair"] == fair);
    }
    const auto expected = transitions(graph);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const Json& transition = json["transitions"][e];
      REQUIRE(Transition{transition["from"], transition["label"], transition["to"]} == expected[e]);
      const int thread = graph.edges[e].label.thread;
      REQUIRE(transition.contains("thread") == (thread >= 0));
      if (thread >= 0) REQUIRE(transition["thread"] == thread);
    }
  });
}
