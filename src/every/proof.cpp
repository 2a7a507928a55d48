#include "every/proof.hpp"

#include <algorithm>
#include <set>

#include "base/graph/scc_search.hpp"

namespace headway::every {
namespace {

class Prover {
 public:
  Prover(Space& space, const AbstractGraph& graph, Reading reading)
      : space_(space), family_(space.family()), graph_(graph), reading_(reading) {}

  std::optional<std::vector<Round>> run() {
    for (const LayerStep& step : graph_.steps) {
      if (!waits_for_fresh(step) && !lowest_ends(graph_.nodes[step.from])) left_.push_back(step);
    }
    while (!left_.empty()) {
      const std::size_t before = left_.size();
      round();
      if (left_.size() == before) return std::nullopt;
    }
    return std::move(rounds_);
  }

 private:
  // Where a kind stands in the order of ids.
  int order(int kind) const {
    if (kind < family_.low) return kind;
    return family_.is_crowd(kind) ? family_.low : kind + 1;
  }

  // The first of the low specials that has not ended; -1 when all have.
  int lowest(const AbstractNode& node) const {
    for (int s = 0; s < family_.low; ++s) {
      if (node.specials[s] != kEnded) return s;
    }
    return -1;
  }

  // Whether somebody is promised a step at both ends of this one who has not started, and so takes
  // none in this layer.
  bool waits_for_fresh(const LayerStep& step) const {
    const AbstractNode& node = graph_.nodes[step.from];
    const auto fresh = [&](int s) { return node.specials[s] == kFresh; };
    switch (reading_.promise) {
      case Promise::unfair:
      case Promise::obe:
        return false;
      case Promise::hsa:
      case Promise::hsa_obe:
        return lowest(node) >= 0 && fresh(lowest(node));
      case Promise::fair:
        return std::count(node.specials.begin(), node.specials.end(), kFresh) > 0;
      case Promise::lobe:
        break;
    }
    int highest = order(space_.kind(step.place));
    for (int s = 0; s < family_.specials(); ++s) {
      if (!fresh(s)) highest = std::max(highest, order(s));
    }
    for (int s = 0; s < family_.specials(); ++s) {
      if (fresh(s) && order(s) < highest) return true;
    }
    return false;
  }

  // Whether a thread that runs alone from a place comes to its end.
  bool ends_alone(int place, int memory) {
    std::set<std::pair<int, int>> seen;
    while (place >= 0 && seen.emplace(place, memory).second) {
      const Move move = space_.move(place, memory);
      place = move.to;
      memory = move.memory;
    }
    return place == kEnded;
  }

  // Whether whoever may be the lowest alive comes to its end alone, which is what HSA promises when
  // it is read strongly.
  bool lowest_ends(const AbstractNode& node) {
    if (reading_.promise != Promise::hsa || reading_.fairness == Fairness::weak) return false;
    if (const int s = lowest(node); s >= 0) return ends_alone(node.specials[s], node.memory);
    for (const auto& [place, count] : node.counts) {
      if (!ends_alone(place, node.memory)) return false;
    }
    for (std::size_t p = 0; p < node.may.size(); ++p) {
      if (node.may[p] && !ends_alone(static_cast<int>(p), node.memory)) return false;
    }
    for (int s = family_.low; s < family_.specials(); ++s) {
      if (node.specials[s] >= 0 && !ends_alone(node.specials[s], node.memory)) return false;
    }
    return true;
  }

  // The places of those who are owed a step at a node, wherever it is part of a layer.
  std::vector<int> owed(const AbstractNode& node) const {
    std::vector<int> places;
    if (keeps_started(reading_.promise)) {
      for (const int place : node.specials) {
        if (place >= 0) places.push_back(place);
      }
      for (const auto& [place, count] : node.counts) places.push_back(place);
    } else if (reading_.promise == Promise::hsa && lowest(node) >= 0) {
      if (const int place = node.specials[lowest(node)]; place >= 0) places.push_back(place);
    }
    return places;
  }

  template <class Goes>
  void drop(const Goes& goes) {
    left_.erase(std::remove_if(left_.begin(), left_.end(), goes), left_.end());
  }

  void round() {
    Round& round = rounds_.emplace_back();
    std::vector<std::vector<std::uint32_t>> successors(graph_.nodes.size());
    for (const LayerStep& step : left_) successors[step.from].push_back(step.to);
    round.ranks = strong_components(successors).of;
    const std::vector<std::uint32_t>& rank = round.ranks;
    drop([&](const LayerStep& step) { return rank[step.from] != rank[step.to]; });

    rank_places(round);
    drop([&](const LayerStep& step) {
      const auto& places = round.place_ranks.at(rank[step.from]);
      return places.at(step.place) != places.at(step.next);
    });

    // Who takes steps of a rank, and at a node.
    std::map<std::uint32_t, std::set<int>> movers, movers_at;
    std::set<std::uint32_t> nodes;
    for (const LayerStep& step : left_) {
      movers[rank[step.from]].insert(step.place);
      movers_at[step.from].insert(step.place);
      nodes.insert({step.from, step.to});
    }
    std::set<std::uint32_t> dropped;
    for (const std::uint32_t node : nodes) {
      const bool strong = reading_.fairness == Fairness::strong;
      const std::set<int>& moving = strong ? movers_at[node] : movers.at(rank[node]);
      for (const int place : owed(graph_.nodes[node])) {
        if (moving.count(place) > 0) continue;
        round.owed.emplace_back(node, place);
        dropped.insert(node);
        break;
      }
    }
    drop([&](const LayerStep& step) {
      return dropped.count(step.from) > 0 || dropped.count(step.to) > 0;
    });
  }

  void rank_places(Round& round) const {
    std::map<std::uint32_t, std::vector<const LayerStep*>> steps;
    for (const LayerStep& step : left_) steps[round.ranks[step.from]].push_back(&step);
    for (const auto& [rank, of_rank] : steps) {
      std::map<int, std::uint32_t>& places = round.place_ranks[rank];
      for (const LayerStep* step : of_rank) {
        places.emplace(step->place, 0);
        places.emplace(step->next, 0);
      }
      std::uint32_t next = 0;
      for (auto& [place, number] : places) number = next++;
      std::vector<std::vector<std::uint32_t>> successors(places.size());
      for (const LayerStep* step : of_rank) {
        successors[places[step->place]].push_back(places[step->next]);
      }
      const StrongComponents components = strong_components(successors);
      for (auto& [place, number] : places) number = components.of[number];
    }
  }

  Space& space_;
  const Uniform& family_;
  const AbstractGraph& graph_;
  const Reading reading_;
  std::vector<Round> rounds_;
  std::vector<LayerStep> left_;
};

}  // namespace

std::optional<std::vector<Round>> prove(Space& space, const AbstractGraph& graph, Reading reading) {
  return Prover(space, graph, reading).run();
}

}  // namespace headway::every
