#include "report/lts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/set_json.hpp"
#include "report/words.hpp"

namespace headway::report {
namespace {

using checker::Label;
using checker::LabelledGraph;
using Json = nlohmann::ordered_json;

std::string dot_label(const Label& label, const LabelledGraph& graph) {
  switch (label.kind) {
    case Label::Kind::step:
      return fmt::format(
          "{}{}", label.thread,
          graph.has_model && label.fair.threads.contains(label.thread) ? " (guaranteed)" : "");
    case Label::Kind::terminate:
      return fmt::format("{} terminates", label.thread);
    case Label::Kind::all_done:
      return "all done";
    case Label::Kind::exit:
      return "exit";
  }
  return {};
}

}  // namespace

std::string lts_label(const Label& label, const LabelledGraph& graph) {
  switch (label.kind) {
    case Label::Kind::step:
      return fmt::format("STEP !{}{}{}", label.thread,
                         label.instruction.empty() ? "" : " !" + escaped(label.instruction),
                         graph.has_model ? " !" + label.fair.to_string(graph.topology) : "");
    case Label::Kind::terminate:
      return fmt::format("TERMINATE !{}", label.thread);
    case Label::Kind::all_done:
      return "ALLDONE";
    case Label::Kind::exit:
      return "exit";
  }
  return {};
}

std::string lts_aut(const LabelledGraph& graph) {
  std::string text = fmt::format("des (0, {}, {})\n", graph.edges.size(), graph.nodes.size());
  for (const auto& edge : graph.edges) {
    text += fmt::format("({}, \"{}\", {})\n", edge.from, lts_label(edge.label, graph), edge.to);
  }
  return text;
}

std::string lts_dot(const LabelledGraph& graph, const lang::Program& program) {
  std::string text =
      "digraph lts {\n"
      "  node [shape=box, style=rounded, fontname=monospace];\n"
      "  edge [fontname=monospace];\n"
      "  start [shape=point];\n"
      "  start -> 0;\n";
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const auto& node = graph.nodes[n];
    std::string label = escaped(program.describe_memory(node.state.data()));
    for (int t = 0; t < program.threads(); ++t) {
      label += fmt::format("\\l{}: {}", t, escaped(program.describe_thread(node.state.data(), t)));
    }
    if (graph.has_model) label += "\\lF = " + node.fair.to_string(graph.topology);
    text += fmt::format("  {} [label=\"{}\\l\"{}];\n", n, label,
                        node.on_fair_cycle ? ", color=red, fontcolor=red" : "");
  }
  for (const auto& edge : graph.edges) {
    const bool fair = graph.nodes[edge.from].on_fair_cycle && graph.nodes[edge.to].on_fair_cycle;
    text += fmt::format("  {} -> {} [label=\"{}\"{}];\n", edge.from, edge.to,
                        dot_label(edge.label, graph), fair ? ", color=red" : "");
  }
  return text + "}\n";
}

std::string lts_json(const LabelledGraph& graph, const lang::Program& program,
                     const std::string& file) {
  Json object;
  if (!file.empty()) object["file"] = file;
  object["states"] = Json::array();
  for (const auto& node : graph.nodes) {
    Json threads = Json::array();
    for (int t = 0; t < program.threads(); ++t) {
      threads.push_back(program.describe_thread(node.state.data(), t));
    }
    Json state = {{"memory", program.describe_memory(node.state.data())},
                  {fmt::format("{}s", graph.topology.leaf_name()), threads},
                  {"terminated", set_json(node.history.terminated)}};
    if (graph.has_model) {
      state["fair"] = groups_json(graph.topology, node.fair);
      state["on_fair_cycle"] = node.on_fair_cycle;
    }
    object["states"].push_back(std::move(state));
  }
  object["transitions"] = Json::array();
  for (const auto& edge : graph.edges) {
    Json transition = {{"from", edge.from}, {"to", edge.to}};
    transition["label"] = lts_label(edge.label, graph);
    if (edge.label.thread >= 0)
      transition[std::string(graph.topology.leaf_name())] = edge.label.thread;
    object["transitions"].push_back(std::move(transition));
  }
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
