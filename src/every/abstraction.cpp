#include "every/abstraction.hpp"

#include <algorithm>

#include "base/graph/scc_search.hpp"
#include "every/uniform_steps.hpp"

namespace headway::every {

// Nodes are told apart by all but `may`, which holds what any way to the node brings; when it grows
// the node is visited again. The steps are those of the last visit.
struct Abstraction::Builder {
  Builder(Space& space, const std::vector<int>& caps, std::size_t most, bool past,
          AbstractGraph& graph)
      : space(space), caps(caps), most(most), past_failures(past), graph(graph) {}

  int cap(int place) const {
    return static_cast<std::size_t>(place) < caps.size() ? caps[place] : 0;
  }

  std::uint32_t reach(const AbstractNode& node) {
    std::vector<int> key = {node.memory};
    key.insert(key.end(), node.specials.begin(), node.specials.end());
    for (const auto& [place, count] : node.counts) {
      key.push_back(place);
      key.push_back(count);
    }
    const auto [entry, is_new] =
        numbers.emplace(std::move(key), static_cast<std::uint32_t>(graph.nodes.size()));
    const std::uint32_t number = entry->second;
    if (is_new) {
      graph.nodes.push_back(node);
      waits.push_back(true);
      open.push_back(number);
      return number;
    }
    Places& may = graph.nodes[number].may;
    bool grown = false;
    if (may.size() < node.may.size()) may.resize(node.may.size());
    for (std::size_t p = 0; p < node.may.size(); ++p) {
      if (!node.may[p] || may[p]) continue;
      may[p] = true;
      grown = true;
    }
    if (grown && !waits[number]) {
      waits[number] = true;
      open.push_back(number);
    }
    return number;
  }

  static int count_of(const AbstractNode& node, int place) {
    for (const auto& [at, count] : node.counts) {
      if (at == place) return count;
    }
    return 0;
  }

  static void set_count(AbstractNode& node, int place, int count) {
    auto at = std::lower_bound(node.counts.begin(), node.counts.end(), std::pair{place, 0});
    const bool there = at != node.counts.end() && at->first == place;
    if (count == 0) {
      if (there) node.counts.erase(at);
    } else if (there) {
      at->second = count;
    } else {
      node.counts.insert(at, {place, count});
    }
  }

  // A thread of the crowd comes to a place.
  void arrive(AbstractNode& node, int place) const {
    if (cap(place) > 0) {
      set_count(node, place, std::min(cap(place), count_of(node, place) + 1));
      return;
    }
    if (node.may.size() <= static_cast<std::size_t>(place)) node.may.resize(place + 1);
    node.may[place] = true;
  }

  // What is left at a node when one of those at `place` leaves it.
  template <class Visit>
  void each_departure(const AbstractNode& node, int place, const Visit& visit) const {
    AbstractNode left = node;
    const int limit = cap(place);
    if (limit == 0) return visit(left);
    const int count = count_of(node, place);
    if (count == limit) visit(left);  // there were more
    set_count(left, place, count - 1);
    visit(left);
  }

  bool special_step(std::uint32_t from, int s, bool collect) {
    const AbstractNode node = graph.nodes[from];
    if (node.specials[s] == kEnded) return true;
    const bool starts = node.specials[s] == kFresh;
    const int place = starts ? space.start(s) : node.specials[s];
    const Move move = space.move(place, node.memory);
    if (move.to == kFailed) return past_failures;
    AbstractNode next = node;
    next.memory = move.memory;
    next.specials[s] = move.to;
    const std::uint32_t to = reach(next);
    if (collect && move.to == kEnded && !starts) graph.ends.emplace_back(from, place);
    if (collect && move.to != kEnded && !starts) graph.steps.push_back({from, to, place, move.to});
    return true;
  }

  bool crowd_step(std::uint32_t from, int place, bool starts, bool collect) {
    const AbstractNode node = graph.nodes[from];
    const Move move = space.move(place, node.memory);
    if (move.to == kFailed) return past_failures;
    if (collect && !starts && move.to == kEnded) graph.ends.emplace_back(from, place);
    const auto go_on = [&](AbstractNode next) {
      next.memory = move.memory;
      if (move.to != kEnded) arrive(next, move.to);
      const std::uint32_t to = reach(next);
      if (collect && !starts && move.to != kEnded) {
        graph.steps.push_back({from, to, place, move.to});
      }
    };
    if (starts) {
      go_on(node);
    } else if (move.to == place && cap(place) > 0) {
      // The thread stays, so that the count does, too.
      AbstractNode next = node;
      next.memory = move.memory;
      const std::uint32_t to = reach(next);
      if (collect) graph.steps.push_back({from, to, place, place});
    } else {
      each_departure(node, place, go_on);
    }
    return true;
  }

  // All steps from a node; whether none of them goes wrong.
  bool visit(std::uint32_t number, bool collect) {
    const Uniform& family = space.family();
    for (int s = 0; s < family.specials(); ++s) {
      if (!special_step(number, s, collect)) return false;
    }
    for (int kind = family.specials(); kind < family.kinds(); ++kind) {
      if (!crowd_step(number, space.start(kind), true, collect)) return false;
    }
    const auto counts = graph.nodes[number].counts;
    for (const auto& [place, count] : counts) {
      if (!crowd_step(number, place, false, collect)) return false;
    }
    const Places may = graph.nodes[number].may;
    for (std::size_t p = 0; p < may.size(); ++p) {
      if (may[p] && !crowd_step(number, static_cast<int>(p), false, collect)) return false;
    }
    return true;
  }

  AbstractionEnd run() {
    AbstractNode initial;
    initial.memory = space.initial_memory();
    initial.specials.assign(static_cast<std::size_t>(space.family().specials()), kFresh);
    reach(initial);
    while (!open.empty()) {
      const std::uint32_t number = open.back();
      open.pop_back();
      waits[number] = false;
      if (!visit(number, false)) return AbstractionEnd::unsafe;
      if (graph.nodes.size() > most) return AbstractionEnd::limit;
    }
    for (std::uint32_t number = 0; number < graph.nodes.size(); ++number) visit(number, true);
    return AbstractionEnd::complete;
  }

  Space& space;
  const std::vector<int>& caps;
  const std::size_t most;
  const bool past_failures;
  AbstractGraph& graph;
  std::unordered_map<std::vector<int>, std::uint32_t, NumbersHash> numbers;
  std::vector<bool> waits;
  std::vector<std::uint32_t> open;
};

AbstractionEnd Abstraction::build(const std::vector<int>& caps, std::size_t most_nodes,
                                  AbstractGraph& graph, bool past_failures) {
  graph = {};
  return Builder(space_, caps, most_nodes, past_failures, graph).run();
}

std::vector<int> caps_by_place(const Space& space, const AbstractGraph& graph, Caps caps) {
  std::vector<std::vector<std::uint32_t>> successors(static_cast<std::size_t>(space.places()));
  std::vector<bool> loops(successors.size(), false);
  for (const LayerStep& step : graph.steps) {
    successors[step.place].push_back(static_cast<std::uint32_t>(step.next));
    if (step.place == step.next) loops[step.place] = true;
  }
  const StrongComponents components = strong_components(successors);
  std::vector<int> members(components.count, 0);
  for (const std::uint32_t c : components.of) ++members[c];
  std::vector<int> result(successors.size(), 0);
  for (std::size_t p = 0; p < result.size(); ++p) {
    if (!space.family().is_crowd(space.kind(static_cast<int>(p)))) continue;
    result[p] = loops[p] || members[components.of[p]] > 1 ? caps.loop : caps.once;
  }
  return result;
}

CountedGraph counted(const Space& space, const AbstractGraph& graph, const std::vector<int>& caps) {
  const Uniform& family = space.family();
  const UniformSteps steps(family);
  CountedGraph result;
  const auto add = [&](const CountedPlace& place, int cap) {
    result.places.push_back(place);
    result.caps.push_back(cap);
  };
  // Of a special there is one; with a cap of 1 it would be "or more".
  for (int p = 0; p < space.places(); ++p) {
    const auto [kind, local] = space.place(p);
    const bool has_cap = static_cast<std::size_t>(p) < caps.size();
    add(steps.place(kind, CountedPlace::Stage::running, local), !family.is_crowd(kind) ? 2
                                                                : has_cap              ? caps[p]
                                                                                       : 0);
  }
  const int fresh = space.places(), ended = fresh + family.kinds();
  for (int kind = 0; kind < family.kinds(); ++kind) {
    add(steps.fresh(kind), family.is_crowd(kind) ? 0 : 2);
  }
  add(UniformSteps::ended(), 0);
  for (const AbstractNode& node : graph.nodes) {
    const std::vector<int>& cells = space.memory(node.memory);
    CountedNode& all = result.nodes.emplace_back();
    all.memory.cells.assign(cells.begin(), cells.end());
    all.counts = node.counts;
    for (int s = 0; s < family.specials(); ++s) {
      const int at = node.specials[s] == kFresh ? fresh + s : node.specials[s];
      if (at != kEnded) all.counts.emplace_back(at, 1);
    }
    std::sort(all.counts.begin(), all.counts.end());
    for (std::size_t p = 0; p < node.may.size(); ++p) {
      if (node.may[p]) all.may.push_back(static_cast<int>(p));
    }
    for (int kind = family.specials(); kind < family.kinds(); ++kind) {
      all.may.push_back(fresh + kind);
    }
    all.may.push_back(ended);
  }
  return result;
}

}  // namespace headway::every
