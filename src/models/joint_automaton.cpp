#include "models/joint_automaton.hpp"

#include <fmt/format.h>

#include <map>

#include "base/error.hpp"
#include "models/scoped.hpp"

namespace headway::models {
namespace {

void refuse_instructions(const Model& model) {
  if (!model.looks_at_instructions()) return;
  throw Error(
      fmt::format("model {} looks at instructions, which the SAT engine does not know; "
                  "expected --engine explicit",
                  model.name()));
}

}  // namespace

// States are merged as in Moore's minimization: those that owe the same are together at first, and
// those that an event sends to parted states are parted. An event of a terminated thread cannot
// happen; it is made to change nothing, which parts the fewest.
JointAutomaton::JointAutomaton(const std::vector<ModelPtr>& models, const Topology& launch,
                               std::size_t max_states)
    : threads_(static_cast<std::uint32_t>(launch.threads())) {
  using Words = std::vector<std::uint64_t>;
  struct Node {
    History history;
    std::vector<GroupSet> selected;
  };
  const int threads = launch.threads();
  std::vector<Node> nodes;
  std::map<Words, std::uint32_t> numbers;
  const auto words = [](const std::vector<GroupSet>& sets) {
    Words result;
    for (const GroupSet& set : sets) {
      for (const std::uint64_t word : set.key()) result.push_back(word);
    }
    return result;
  };
  const auto reach = [&](const History& history, std::vector<GroupSet> selected) {
    Words key = words(selected);
    key.push_back(history.started.bits());
    key.push_back(history.terminated.bits());
    const auto [entry, is_new] =
        numbers.emplace(std::move(key), static_cast<std::uint32_t>(nodes.size()));
    if (is_new) nodes.push_back({history, std::move(selected)});
    return entry->second;
  };
  std::vector<GroupSet> selected;
  selected.reserve(models.size());
  for (const ModelPtr& model : models) {
    refuse_instructions(*model);
    selected.push_back(first_selection(*model, launch, {}));
  }
  reach({}, selected);
  std::vector<std::uint32_t> next;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes.size() > max_states) {
      throw Error(
          fmt::format("the models have more than {} states for {} threads", max_states, threads));
    }
    const Node node = nodes[n];
    const ThreadSet alive = node.history.alive(threads);
    for (int thread = 0; thread < threads; ++thread) {
      for (const bool terminates : {false, true}) {
        if (!alive.contains(thread)) {
          next.push_back(n);
          continue;
        }
        const Event event{thread, terminates};
        const History then = after(node.history, event);
        for (std::size_t m = 0; m < models.size(); ++m) {
          selected[m] = next_selection(*models[m], launch, node.selected[m], event, then);
        }
        next.push_back(reach(then, selected));
      }
    }
  }

  std::vector<std::vector<GroupSet>> owes;
  owes.reserve(nodes.size());
  for (const Node& node : nodes) {
    std::vector<GroupSet>& of_node = owes.emplace_back();
    for (const GroupSet& set : node.selected) {
      of_node.push_back(models::owed(launch, node.history, set));
    }
  }
  const std::size_t events = 2 * static_cast<std::size_t>(threads);
  std::vector<std::uint32_t> block(nodes.size());
  std::size_t blocks = 0;
  for (bool first = true;; first = false) {
    std::map<Words, std::uint32_t> by_signature;
    std::vector<std::uint32_t> finer;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Words signature = first ? words(owes[n]) : Words{block[n]};
      for (std::size_t e = 0; e < events && !first; ++e) {
        signature.push_back(block[next[n * events + e]]);
      }
      const auto number = static_cast<std::uint32_t>(by_signature.size());
      finer.push_back(by_signature.emplace(std::move(signature), number).first->second);
    }
    block = std::move(finer);
    if (by_signature.size() == blocks) break;
    blocks = by_signature.size();
  }
  // Blocks are numbered by their first node, so the initial state is 0.
  owed_.resize(blocks);
  next_.resize(blocks * events);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    owed_[block[n]] = owes[n];
    for (std::size_t e = 0; e < events; ++e) {
      next_[block[n] * events + e] = block[next[n * events + e]];
    }
  }
}

WaitingAutomaton::WaitingAutomaton(ModelPtr model, const Topology& launch)
    : model_(std::move(model)), launch_(launch) {
  refuse_instructions(*model_);
  reach({}, first_selection(*model_, launch_, {}));
}

std::uint32_t WaitingAutomaton::reach(const History& history, const GroupSet& selected) {
  const auto number = static_cast<std::uint32_t>(states_.size());
  const auto [entry, is_new] = numbers_.try_emplace({history.key(), selected}, number);
  if (is_new) states_.push_back({history, selected, models::owed(launch_, history, selected), {}});
  return entry->second;
}

std::uint32_t WaitingAutomaton::next(std::uint32_t state, const Event& event, ThreadSet waiting) {
  for (const Edge& edge : states_[state].edges) {
    if (edge.thread == event.thread && edge.terminates == event.terminates &&
        edge.waiting == waiting) {
      return edge.target;
    }
  }
  History then = after(states_[state].history, event);
  then.blocked = waiting;
  const GroupSet selected = next_selection(*model_, launch_, states_[state].selected, event, then);
  const std::uint32_t target = reach(then, selected);
  states_[state].edges.push_back({event.thread, event.terminates, waiting, target});
  return target;
}

}  // namespace headway::models
