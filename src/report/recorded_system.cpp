#include "report/recorded_system.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/graph/scc_search.hpp"

namespace headway::report {
namespace {

using checker::LabelledGraph;
using Json = nlohmann::ordered_json;

class Recorder {
 public:
  Recorder(const lang::Program& program, const LabelledGraph& graph, const NumberText& number)
      : program_(program), graph_(graph), number_(number) {}

  Json graph() {
    for (const LabelledGraph::Node& node : graph_.nodes) find_statements(node);
    Json states = Json::array(), edges = Json::array();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const LabelledGraph::Node& node = graph_.nodes[n];
      Json texts = Json::array(), places = Json::array();
      for (int t = 0; t < program_.threads(); ++t) {
        texts.push_back(number_(program_.describe_thread(node.state.data(), t)));
        places.push_back(place(node, t));
      }
      states.push_back({number_(program_.describe_memory(node.state.data())), std::move(texts),
                        std::move(places), node.history.alive(program_.threads()).bits(),
                        node.failed.bits()});
      if (node.failed.empty()) add_edges(n, edges);
    }
    return {{"leaf", program_.topology().leaf_name()},
            {"states", std::move(states)},
            {"edges", std::move(edges)}};
  }

  Json reading(const models::Model& model) const {
    Json fair = Json::array(), owed = Json::array(), started = Json::array();
    const Topology& topology = program_.topology();
    for (const LabelledGraph::Node& node : graph_.nodes) {
      fair.push_back(number_(node.fair.to_string(topology)));
      const GroupSet debts = checker::owed_groups(topology, node.history, node.fair);
      owed.push_back(paying_threads(topology, debts).bits());
      started.push_back(node.history.started.bits());
    }
    Json json = {{"fair", std::move(fair)}, {"owed", std::move(owed)}, {"sets", fair_sets()}};
    if (model.looks_at_started()) json["started"] = std::move(started);
    return json;
  }

  std::optional<std::vector<std::size_t>> path(std::span<const checker::Moment> moments,
                                               std::span<const lang::Step> steps) const {
    std::vector<std::size_t> nodes = {0};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const checker::Moment& after = moments[i + 1];
      const auto target = target_of(nodes.back(), steps[i].thread, [&](const auto& node) {
        return node.fair == after.fair(program_.topology()) && is(node, after.state);
      });
      if (!target) return std::nullopt;
      nodes.push_back(*target);
    }
    return nodes;
  }

 private:
  bool is(const LabelledGraph::Node& node, std::vector<lang::Word> state) const {
    lang::Program::forget(state.data(), program_.threads());
    return node.state == state;
  }

  // Which statements each thread has in a line, in the order in which states come.
  void find_statements(const LabelledGraph::Node& node) {
    for (const int t : program_.running(node.state.data())) {
      const lang::StepText text = program_.describe_step(node.state.data(), t);
      std::vector<std::string>& known = statements_[{t, text.line}];
      if (std::find(known.begin(), known.end(), text.statement) == known.end()) {
        known.push_back(text.statement);
      }
    }
  }

  Json place(const LabelledGraph::Node& node, int thread) const {
    if (!program_.running(node.state.data()).contains(thread)) {
      return line_of_waiting(program_.describe_thread(node.state.data(), thread));
    }
    const lang::StepText text = program_.describe_step(node.state.data(), thread);
    const std::vector<std::string>& known = statements_.at({thread, text.line});
    if (text.line == 0 || known.size() < 2) return text.line;
    const auto number = std::find(known.begin(), known.end(), text.statement) - known.begin();
    return std::to_string(text.line) + (number < 26
                                            ? std::string(1, static_cast<char>('a' + number))
                                            : "." + std::to_string(number + 1));
  }

  // Who waits says where: "waits at barrier(workgroup); (line 9) for thread 1".
  static int line_of_waiting(const std::string& text) {
    const std::string mark = "(line ";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return 0;
    int line = 0;
    for (std::size_t i = at + mark.size(); i < text.size() && std::isdigit(text[i]); ++i) {
      line = 10 * line + (text[i] - '0');
    }
    return line;
  }

  Json fair_sets() const {
    std::vector<std::vector<std::uint32_t>> successors(graph_.nodes.size());
    for (const LabelledGraph::Edge& edge : graph_.edges) {
      if (graph_.nodes[edge.from].on_fair_cycle && graph_.nodes[edge.to].on_fair_cycle) {
        successors[edge.from].push_back(edge.to);
      }
    }
    const StrongComponents components = strong_components(successors);
    std::map<std::uint32_t, std::size_t> numbers;
    Json sets = Json::array();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!graph_.nodes[n].on_fair_cycle) continue;
      const auto [entry, is_new] = numbers.try_emplace(components.of[n], sets.size());
      if (is_new) sets.push_back(Json::array());
      sets[entry->second].push_back(n);
    }
    return sets;
  }

  // Where a step of a thread leads to, among the nodes for which `matches` holds.
  template <class Matches>
  std::optional<std::size_t> target_of(std::size_t from, int thread, const Matches& matches) const {
    const auto first = std::partition_point(graph_.edges.begin(), graph_.edges.end(),
                                            [&](const auto& edge) { return edge.from < from; });
    for (auto edge = first; edge != graph_.edges.end() && edge->from == from; ++edge) {
      if (edge->label.thread == thread && matches(graph_.nodes[edge->to])) return edge->to;
    }
    return std::nullopt;
  }

  void add_edges(std::size_t from, Json& edges) const {
    const std::vector<lang::Word>& state = graph_.nodes[from].state;
    std::vector<lang::Word> next = state;
    for (const int thread : program_.running(state.data())) {
      for (int choice = 0; choice < program_.choices(state.data(), thread); ++choice) {
        const lang::Step step(thread, choice);
        program_.step(state.data(), step, next.data());
        const auto to = target_of(from, thread, [&](const auto& node) { return is(node, next); });
        if (!to) continue;
        edges.push_back(
            {from, thread, *to, number_(program_.describe_step(state.data(), step).effect)});
      }
    }
  }

  const lang::Program& program_;
  const LabelledGraph& graph_;
  const NumberText& number_;
  std::map<std::pair<int, int>, std::vector<std::string>> statements_;  // by thread and line
};

}  // namespace

std::optional<RecordedSystem> record_system(const lang::Program& program,
                                            const models::Model& model, models::Fairness fairness,
                                            const checker::CheckOptions& options,
                                            std::span<const checker::Moment> moments,
                                            std::span<const lang::Step> steps,
                                            const NumberText& number) {
  if (program.threads() > kMaxRecordedThreads) return std::nullopt;
  auto graph = checker::step_view(program, &model, fairness, options);
  if (!graph) return std::nullopt;
  Recorder recorder(program, *graph, number);
  RecordedSystem system{recorder.graph(), recorder.reading(model), std::nullopt, {}};
  if (!moments.empty()) system.path = recorder.path(moments, steps);
  system.state_at = [nodes = std::move(graph->nodes), topology = program.topology()](
                        const checker::Moment& moment) -> std::optional<std::size_t> {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const bool same = nodes[n].state == moment.state && nodes[n].history == moment.history &&
                        nodes[n].fair == moment.fair(topology);
      if (same) return n;
    }
    return std::nullopt;
  };
  return system;
}

}  // namespace headway::report
