#include "checker/labelled_graph.hpp"

#include <algorithm>
#include <map>

#include "base/bits/state_table.hpp"
#include "base/graph/bisimulation.hpp"
#include "models/scoped.hpp"

namespace headway::checker {
namespace {

using Kind = Label::Kind;

// A program's state with the caller's bits of its first word cleared.
std::vector<lang::Word> pure_state(const lang::Program& program, const lang::Word* words) {
  std::vector<lang::Word> state(words, words + program.words());
  lang::Program::forget(state.data(), program.threads());
  return state;
}

// Builds the event view breadth first. A state is that of the program, the threads that have
// started (where the model asks) and announced their termination, what the model selects, as it may
// remember that, and how far the end of the whole has come.
class EventView {
 public:
  EventView(const lang::Program& program, const models::Model* model, const CheckOptions& options,
            const InstructionOf& instruction)
      : program_(program),
        model_(model),
        options_(options),
        instruction_(instruction),
        track_started_(model != nullptr && model->looks_at_started()),
        stride_(static_cast<std::size_t>(program.words()) + 3 + GroupSet::Key().size()),
        table_(stride_) {}

  std::optional<LabelledGraph> run() {
    graph_.topology = program_.topology();
    graph_.has_model = model_ != nullptr;
    LabelledGraph::Node first;
    first.state.resize(static_cast<std::size_t>(program_.words()));
    program_.initial(first.state.data());
    // A thread that terminates without a step of its own announces it like any other.
    first.history.blocked = program_.blocked(first.state.data());
    GroupSet selected;
    if (model_ != nullptr) {
      refuse_unseen_instructions(*model_, program_);
      selected = models::first_selection(*model_, program_.topology(), first.history);
    }
    reach(first, selected, kRunning);
    const StopSigns signs = options_.signs();
    for (std::uint32_t source = 0; source < graph_.nodes.size(); ++source) {
      if (graph_.nodes.size() > options_.max_states) return std::nullopt;
      if (source % 1024 == 0 && signs.seen() != Limit::none) return std::nullopt;
      expand(source);
    }
    std::sort(graph_.edges.begin(), graph_.edges.end());
    return std::move(graph_);
  }

 private:
  static constexpr lang::Word kRunning = 0, kAllDone = 1, kOver = 2;

  void expand(std::uint32_t source) {
    const LabelledGraph::Node node = graph_.nodes[source];
    const GroupSet selected = selected_[source];
    const lang::Word phase = phases_[source];
    const int threads = program_.threads();
    if (phase == kOver) return;
    if (phase == kAllDone || node.history.terminated == ThreadSet::first(threads)) {
      LabelledGraph::Node next = node;
      const Label label{phase == kAllDone ? Kind::exit : Kind::all_done, -1, {}, {}};
      add(source, label, reach(next, {}, phase + 1));
      return;
    }
    const ThreadSet finished = program_.terminated(node.state.data());
    const ThreadSet running = program_.running(node.state.data());
    for (int thread : node.history.alive(threads)) {
      const ThreadSet self = ThreadSet::single(thread);
      if (finished.contains(thread) && node.failed.empty()) {
        LabelledGraph::Node next = node;
        next.history.terminated |= self;
        GroupSet now;
        if (model_ != nullptr) {
          now = models::selection_after_end(*model_, program_.topology(), selected, thread,
                                            next.history);
        }
        add(source, Label{Kind::terminate, thread, {}, {}}, reach(next, now, kRunning));
      }
      if (running.contains(thread)) take_steps(source, node, selected, thread);
    }
  }

  void take_steps(std::uint32_t source, const LabelledGraph::Node& node, const GroupSet& selected,
                  int thread) {
    const int choices = program_.choices(node.state.data(), thread);
    for (int choice = 0; choice < choices; ++choice) {
      LabelledGraph::Node next = node;
      program_.step(node.state.data(), {thread, choice}, next.state.data());
      if (track_started_) next.history.started |= ThreadSet::single(thread);
      next.history.blocked = program_.blocked(next.state.data());
      next.failed = program_.failed(next.state.data());
      GroupSet now;
      if (model_ != nullptr) {
        const models::Event event{thread, false,
                                  program_.next_instruction(node.state.data(), thread)};
        now = models::selection_after_step(*model_, program_.topology(), selected, event,
                                           next.history);
      }
      Label label{Kind::step, thread, node.fair, {}};
      if (instruction_) label.instruction = instruction_(node.state.data(), {thread, choice});
      add(source, label, reach(next, now, kRunning));
    }
  }

  void add(std::uint32_t source, const Label& label, std::uint32_t target) {
    LabelledGraph::Edge& edge = graph_.edges.emplace_back();
    edge.from = source;
    edge.label = label;
    edge.to = target;
  }

  // `node` with F, the groups that are guaranteed when these are selected.
  std::uint32_t reach(LabelledGraph::Node& node, const GroupSet& selected, lang::Word phase) {
    std::vector<lang::Word> key = node.state;
    key.push_back(node.history.started.bits());
    key.push_back(node.history.terminated.bits());
    for (const std::uint64_t word : selected.key()) key.push_back(word);
    key.push_back(phase);
    const std::uint32_t number = table_.find_or_add(key.data(), keys_);
    if (number == graph_.nodes.size()) {
      if (model_ != nullptr) {
        refuse_terminated(*model_, program_.topology(), node.history, selected);
      }
      node.fair = models::guaranteed(program_.topology(), selected);
      graph_.nodes.push_back(node);
      selected_.push_back(selected);
      phases_.push_back(phase);
    }
    return number;
  }

  const lang::Program& program_;
  const models::Model* model_;
  const CheckOptions& options_;
  const InstructionOf& instruction_;
  const bool track_started_;
  const std::size_t stride_;
  StateTable table_;
  std::vector<lang::Word> keys_;
  std::vector<GroupSet> selected_;  // of a node
  std::vector<lang::Word> phases_;
  LabelledGraph graph_;
};

}  // namespace

std::optional<LabelledGraph> step_view(const lang::Program& program, const models::Model* model,
                                       Fairness fairness, const CheckOptions& options,
                                       const InstructionOf& instruction) {
  const bool track_started = model != nullptr && model->looks_at_started();
  Analysis analysis;
  if (!analysis.explore(program, {track_started, options.max_states, options.signs()})) return {};
  const Lts* lts = &analysis.lts();
  std::optional<Analysis::View> view;
  std::vector<StateIds> fair_components;
  if (model != nullptr) {
    view = analysis.under(*model, options.max_states);
    if (!view) return std::nullopt;
    if (view->verdict(fairness, &fair_components) == Verdict::unknown) return std::nullopt;
    lts = &view->lts();
  }
  LabelledGraph graph;
  graph.topology = program.topology();
  graph.has_model = model != nullptr;
  for (StateId state = 0; state < lts->states(); ++state) {
    const GroupSet set = view ? view->fair().fair(*lts, state) : GroupSet();
    graph.nodes.push_back(
        {pure_state(program, lts->words(state)), lts->history(state), set, {}, false});
    for (const Transition& transition : lts->from(state)) {
      Label label{Kind::step, transition.step.thread, set, {}};
      if (instruction)
        label.instruction = instruction(graph.nodes.back().state.data(), transition.step);
      graph.edges.push_back(LabelledGraph::Edge{state, label, transition.target});
    }
  }
  for (const StateId state : lts->failed()) {
    graph.nodes[state].failed = program.failed(lts->words(state));
  }
  for (const StateIds& component : fair_components) {
    for (StateId state : component) graph.nodes[state].on_fair_cycle = true;
  }
  // Several choices may lead to one state.
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  return graph;
}

std::optional<LabelledGraph> event_view(const lang::Program& program, const models::Model* model,
                                        const CheckOptions& options,
                                        const InstructionOf& instruction) {
  return EventView(program, model, options, instruction).run();
}

LabelledGraph reduce(const LabelledGraph& graph) {
  const std::size_t size = graph.nodes.size();
  std::map<Label, std::uint32_t> labels;
  std::vector<std::uint32_t> label_of;       // of an edge
  std::vector<std::size_t> first(size + 1);  // edge of a node
  for (const auto& edge : graph.edges) {
    const auto next = static_cast<std::uint32_t>(labels.size());
    label_of.push_back(labels.try_emplace(edge.label, next).first->second);
    ++first[edge.from + 1];
  }
  for (std::size_t node = 0; node < size; ++node) first[node + 1] += first[node];
  // Nothing but that tells who waits or has failed in a state that no step leaves.
  std::map<std::pair<ThreadSet, ThreadSet>, std::uint32_t> kinds;
  std::vector<std::uint32_t> block(size);
  for (std::size_t node = 0; node < size; ++node) {
    const auto next = static_cast<std::uint32_t>(kinds.size());
    const std::pair kind(graph.nodes[node].history.blocked, graph.nodes[node].failed);
    block[node] = kinds.try_emplace(kind, next).first->second;
  }
  const auto edges = [&](std::uint32_t node, const auto& edge) {
    for (std::size_t e = first[node]; e < first[node + 1]; ++e) {
      edge(label_of[e], graph.edges[e].to);
    }
  };
  Bisimulation().refine(edges, block);
  LabelledGraph result;
  result.topology = graph.topology;
  result.has_model = graph.has_model;
  for (std::size_t node = 0; node < size; ++node) {
    if (block[node] == result.nodes.size()) {
      result.nodes.push_back(graph.nodes[node]);
    } else if (graph.nodes[node].on_fair_cycle) {
      result.nodes[block[node]].on_fair_cycle = true;
    }
  }
  for (const auto& edge : graph.edges) {
    result.edges.push_back({block[edge.from], edge.label, block[edge.to]});
  }
  std::sort(result.edges.begin(), result.edges.end());
  result.edges.erase(std::unique(result.edges.begin(), result.edges.end()), result.edges.end());
  return result;
}

}  // namespace headway::checker
