#include "report/recorded_system.hpp"

#include <algorithm>

namespace headway::report {
namespace {

using checker::LabelledGraph;
using Json = nlohmann::ordered_json;

class Recorder {
 public:
  Recorder(const lang::Program& program, const LabelledGraph& graph, const NumberText& number)
      : program_(program), graph_(graph), number_(number) {}

  Json graph() const {
    Json states = Json::array(), edges = Json::array();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const LabelledGraph::Node& node = graph_.nodes[n];
      Json texts = Json::array(), lines = Json::array();
      const ThreadSet running = program_.running(node.state.data());
      for (int t = 0; t < program_.threads(); ++t) {
        texts.push_back(number_(program_.describe_thread(node.state.data(), t)));
        lines.push_back(running.contains(t) ? program_.describe_step(node.state.data(), t).line
                                            : 0);
      }
      states.push_back({number_(program_.describe_memory(node.state.data())), std::move(texts),
                        std::move(lines), node.history.alive(program_.threads()).bits(),
                        node.failed.bits()});
      if (node.failed.empty()) add_edges(n, running, edges);
    }
    return {{"leaf", program_.topology().leaf_name()},
            {"states", std::move(states)},
            {"edges", std::move(edges)}};
  }

  Json reading() const {
    Json fair = Json::array(), owed = Json::array(), marked = Json::array();
    const Topology& topology = program_.topology();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const LabelledGraph::Node& node = graph_.nodes[n];
      fair.push_back(number_(node.fair.to_string(topology)));
      const GroupSet debts = checker::owed_groups(topology, node.history, node.fair);
      owed.push_back(paying_threads(topology, debts).bits());
      if (node.on_fair_cycle) marked.push_back(n);
    }
    return {{"fair", std::move(fair)}, {"owed", std::move(owed)}, {"marked", std::move(marked)}};
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

  void add_edges(std::size_t from, ThreadSet running, Json& edges) const {
    const std::vector<lang::Word>& state = graph_.nodes[from].state;
    std::vector<lang::Word> next = state;
    for (const int thread : running) {
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
};

}  // namespace

std::optional<RecordedSystem> record_system(const lang::Program& program,
                                            const models::Model& model, models::Fairness fairness,
                                            std::size_t max_states,
                                            std::span<const checker::Moment> moments,
                                            std::span<const lang::Step> steps,
                                            const NumberText& number) {
  if (program.threads() > kMaxRecordedThreads) return std::nullopt;
  const auto graph = checker::step_view(program, &model, fairness, {.max_states = max_states});
  if (!graph) return std::nullopt;
  const Recorder recorder(program, *graph, number);
  RecordedSystem system{recorder.graph(), recorder.reading(), std::nullopt};
  if (!moments.empty()) system.path = recorder.path(moments, steps);
  return system;
}

}  // namespace headway::report
