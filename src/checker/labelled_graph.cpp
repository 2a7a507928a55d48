#include "checker/labelled_graph.hpp"

#include <algorithm>
#include <map>

#include "base/state_table.hpp"

namespace headway::checker {
namespace {

using Kind = Label::Kind;

// A program's state with the caller's bits of its first word cleared.
std::vector<lang::Word> pure_state(const lang::Program& program, const lang::Word* words) {
  std::vector<lang::Word> state(words, words + program.words());
  state[0] &= ~lang::Word{ThreadSet::first(program.threads()).bits()};
  return state;
}

// Builds the event view breadth first. A state is that of the program, the threads that have
// started (where the model asks) and announced their termination, F for a model that remembers
// it, and how far the end of the whole has come.
class EventView {
 public:
  EventView(const lang::Program& program, const models::Model* model, const CheckOptions& options)
      : program_(program),
        model_(model),
        options_(options),
        track_started_(model != nullptr && model->looks_at_started()),
        stride_(static_cast<std::size_t>(program.words()) + 2),
        table_(stride_) {}

  std::optional<LabelledGraph> run() {
    graph_.has_model = model_ != nullptr;
    LabelledGraph::Node first;
    first.state.resize(static_cast<std::size_t>(program_.words()));
    program_.initial(first.state.data());
    // A thread that terminates without a step of its own announces it like any other.
    first.fair = model_ != nullptr ? model_->initial(program_.threads()) : ThreadSet();
    reach(first, kRunning);
    for (std::uint32_t source = 0; source < graph_.nodes.size(); ++source) {
      if (graph_.nodes.size() > options_.max_states) return std::nullopt;
      if (options_.stop != nullptr && *options_.stop) return std::nullopt;
      expand(source);
    }
    std::sort(graph_.edges.begin(), graph_.edges.end());
    return std::move(graph_);
  }

 private:
  static constexpr lang::Word kRunning = 0, kAllDone = 1, kOver = 2;

  void expand(std::uint32_t source) {
    const LabelledGraph::Node node = graph_.nodes[source];
    const lang::Word phase = phases_[source];
    const int threads = program_.threads();
    if (phase == kOver) return;
    if (phase == kAllDone || node.history.terminated == ThreadSet::first(threads)) {
      LabelledGraph::Node next = node;
      next.fair = {};
      const Label label{phase == kAllDone ? Kind::exit : Kind::all_done, -1, {}};
      graph_.edges.push_back({source, label, reach(next, phase + 1)});
      return;
    }
    const ThreadSet finished = program_.terminated(node.state.data());
    for (int thread : node.history.alive(threads)) {
      LabelledGraph::Node next = node;
      const ThreadSet self = ThreadSet::single(thread);
      if (finished.contains(thread)) {
        next.history.terminated |= self;
        if (model_ != nullptr) {
          next.fair = model_->on_terminate(threads, node.fair, thread, next.history);
        }
        graph_.edges.push_back({source, {Kind::terminate, thread, {}}, reach(next, kRunning)});
        continue;
      }
      program_.step(node.state.data(), thread, next.state.data());
      if (track_started_) next.history.started |= self;
      if (model_ != nullptr) {
        next.fair = model_->on_step(threads, node.fair, thread, next.history);
      }
      graph_.edges.push_back({source, {Kind::step, thread, node.fair}, reach(next, kRunning)});
    }
  }

  std::uint32_t reach(const LabelledGraph::Node& node, lang::Word phase) {
    std::vector<lang::Word> key = node.state;
    key.push_back(lang::Word{node.history.started.bits()} << 32 | node.history.terminated.bits());
    key.push_back(phase << 32 | node.fair.bits());
    const std::uint32_t number = table_.find_or_add(key.data(), keys_);
    if (number == graph_.nodes.size()) {
      if (model_ != nullptr) refuse_terminated(*model_, node.history, node.fair);
      graph_.nodes.push_back(node);
      phases_.push_back(phase);
    }
    return number;
  }

  const lang::Program& program_;
  const models::Model* model_;
  const CheckOptions& options_;
  const bool track_started_;
  const std::size_t stride_;
  StateTable table_;
  std::vector<lang::Word> keys_;
  std::vector<lang::Word> phases_;  // of a node
  LabelledGraph graph_;
};

}  // namespace

std::optional<LabelledGraph> step_view(const lang::Program& program, const models::Model* model,
                                       Fairness fairness, const CheckOptions& options) {
  const bool track_started = model != nullptr && model->looks_at_started();
  Explorer explorer;
  const Lts* lts = explorer.explore(program, {track_started, options.max_states, options.stop});
  if (lts == nullptr) return std::nullopt;
  FairSets own;
  FairProduct product;
  const FairSets* fair = nullptr;
  std::vector<FairCycles::StateSet> fair_components;
  if (model != nullptr) {
    if (model->history_determined()) {
      own.annotate(*lts, *model);
      fair = &own;
    } else if (product.build(*lts, *model, options.max_states)) {
      lts = &product.lts();
      fair = &product.fair_sets();
    } else {
      return std::nullopt;
    }
    FairCycles cycles;
    cycles.prepare(*lts);
    if (fairness == Fairness::weak) {
      cycles.has_weak(*fair, &fair_components);
    } else {
      cycles.has_strong(*fair, &fair_components);
    }
  }
  LabelledGraph graph;
  graph.has_model = model != nullptr;
  for (StateId state = 0; state < lts->states(); ++state) {
    const ThreadSet set = fair != nullptr ? fair->fair(*lts, state) : ThreadSet();
    graph.nodes.push_back(
        {pure_state(program, lts->words(state)), lts->history(state), set, false});
    for (int thread : lts->alive(state)) {
      graph.edges.push_back({state, {Kind::step, thread, set}, lts->successor(state, thread)});
    }
  }
  for (const FairCycles::StateSet& component : fair_components) {
    for (StateId state : component) graph.nodes[state].on_fair_cycle = true;
  }
  return graph;
}

std::optional<LabelledGraph> event_view(const lang::Program& program, const models::Model* model,
                                        const CheckOptions& options) {
  return EventView(program, model, options).run();
}

LabelledGraph reduce(const LabelledGraph& graph) {
  using Signature = std::vector<std::pair<Label, std::uint32_t>>;
  const std::size_t size = graph.nodes.size();
  std::vector<std::uint32_t> block(size, 0);
  std::vector<Signature> signatures(size);
  for (std::size_t blocks = 1;;) {
    for (Signature& signature : signatures) signature.clear();
    for (const auto& edge : graph.edges) {
      signatures[edge.from].emplace_back(edge.label, block[edge.to]);
    }
    // Numbering blocks by their first node keeps the initial node first.
    std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> numbers;
    std::vector<std::uint32_t> refined(size);
    for (std::size_t node = 0; node < size; ++node) {
      Signature& signature = signatures[node];
      std::sort(signature.begin(), signature.end());
      signature.erase(std::unique(signature.begin(), signature.end()), signature.end());
      const auto next = static_cast<std::uint32_t>(numbers.size());
      refined[node] = numbers.try_emplace({block[node], signature}, next).first->second;
    }
    block = std::move(refined);
    if (numbers.size() == blocks) break;
    blocks = numbers.size();
  }
  LabelledGraph result;
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
