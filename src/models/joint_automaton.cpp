#include "models/joint_automaton.hpp"

#include <fmt/format.h>

#include <map>

#include "base/error.hpp"

namespace headway::models {

// States are merged as in Moore's minimization: those of equal F are together at first, and those
// that an event sends to parted states are parted. An event of a terminated thread cannot happen;
// it is made to change nothing, which parts the fewest.
JointAutomaton::JointAutomaton(const std::vector<ModelPtr>& models, int threads,
                               std::size_t max_states)
    : threads_(static_cast<std::uint32_t>(threads)) {
  using Words = std::vector<std::uint64_t>;
  struct Node {
    History history;
    std::vector<ThreadSet> fair;
  };
  std::vector<Node> nodes;
  std::map<Words, std::uint32_t> numbers;
  const auto words = [](const std::vector<ThreadSet>& sets) {
    Words result;
    for (const ThreadSet set : sets) result.push_back(set.bits());
    return result;
  };
  const auto reach = [&](const History& history, std::vector<ThreadSet> fair) {
    Words key = words(fair);
    key.push_back(history.started.bits());
    key.push_back(history.terminated.bits());
    const auto [entry, is_new] =
        numbers.emplace(std::move(key), static_cast<std::uint32_t>(nodes.size()));
    if (is_new) nodes.push_back({history, std::move(fair)});
    return entry->second;
  };
  std::vector<ThreadSet> fair;
  fair.reserve(models.size());
  for (const ModelPtr& model : models) {
    if (model->looks_at_instructions()) {
      throw Error(
          fmt::format("model {} looks at instructions, which the SAT engine does not know; "
                      "expected --engine explicit",
                      model->name()));
    }
    fair.push_back(model->initial(threads));
  }
  reach({}, fair);
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
          fair[m] = models[m]->next(threads, node.fair[m], event, then);
        }
        next.push_back(reach(then, fair));
      }
    }
  }

  const std::size_t events = 2 * static_cast<std::size_t>(threads);
  std::vector<std::uint32_t> block(nodes.size());
  std::size_t blocks = 0;
  for (bool first = true;; first = false) {
    std::map<Words, std::uint32_t> by_signature;
    std::vector<std::uint32_t> finer;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Words signature = first ? words(nodes[n].fair) : Words{block[n]};
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
  fair_.resize(blocks);
  next_.resize(blocks * events);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    fair_[block[n]] = nodes[n].fair;
    for (std::size_t e = 0; e < events; ++e) {
      next_[block[n] * events + e] = block[next[n * events + e]];
    }
  }
}

}  // namespace headway::models
