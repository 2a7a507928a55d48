#include "every/proof.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/graph/scc_search.hpp"

namespace headway::every {
namespace {

constexpr std::size_t kMostEscapes = 20'000;

// Whether the sorted `few` are among the sorted `many`, each as often.
bool among(const std::vector<int>& few, const std::vector<int>& many) {
  return std::includes(many.begin(), many.end(), few.begin(), few.end());
}

// The places where threads are known to stand, of several at one as often; sorted.
std::vector<int> standing(const AbstractNode& node) {
  std::vector<int> places;
  for (const int place : node.specials) {
    if (place >= 0) places.push_back(place);
  }
  for (const auto& [place, count] : node.counts) places.insert(places.end(), count, place);
  std::sort(places.begin(), places.end());
  return places;
}

class Prover {
 public:
  Prover(Space& space, const AbstractGraph& graph, Reading reading,
         const std::vector<Escape>& escapes)
      : space_(space), family_(space.family()), graph_(graph), reading_(reading) {
    proof_.reading = reading;
    if (reading.fairness == Fairness::strong && keeps_started(reading.promise)) {
      proof_.escapes = escapes;
    }
    for (const Escape& escape : proof_.escapes) {
      escapes_[graph_.nodes[escape.node].memory].push_back(&escape);
    }
  }

  std::optional<Proof> run() {
    for (const LayerStep& step : graph_.steps) {
      if (!waits_for_fresh(step) && !escapes(step)) left_.push_back(step);
    }
    while (!left_.empty()) {
      const std::size_t before = left_.size();
      round();
      if (left_.size() == before) return std::nullopt;
    }
    return std::move(proof_);
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

  // Strong reading: whether the promised steps lead from where this step is taken to the end of
  // some thread, and so out of the layer.
  bool escapes(const LayerStep& step) {
    if (reading_.fairness == Fairness::weak || reading_.promise == Promise::unfair) return false;
    const AbstractNode& node = graph_.nodes[step.from];
    return keeps_started(reading_.promise) ? covered(node, step.place) : lowest_ends(node);
  }

  bool covered(const AbstractNode& node, int mover) const {
    const auto found = escapes_.find(node.memory);
    if (found == escapes_.end()) return false;
    std::vector<int> places = standing(node);
    if (!std::binary_search(places.begin(), places.end(), mover)) {
      places.insert(std::lower_bound(places.begin(), places.end(), mover), mover);
    }
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](const Escape* escape) { return among(escape->places, places); });
  }

  // Whoever of those that may be is the lowest alive.
  bool lowest_ends(const AbstractNode& node) {
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
    Round& round = proof_.rounds.emplace_back();
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

    std::map<std::uint32_t, std::set<int>> movers;
    std::set<std::uint32_t> nodes;
    for (const LayerStep& step : left_) {
      movers[rank[step.from]].insert(step.place);
      nodes.insert({step.from, step.to});
    }
    std::set<std::uint32_t> dropped;
    for (const std::uint32_t node : nodes) {
      const std::set<int>& moving = movers.at(rank[node]);
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
  Proof proof_;
  std::map<int, std::vector<const Escape*>> escapes_;  // by memory
  std::vector<LayerStep> left_;
};

// Backward from the steps that end a thread, by increasing distance. What is no less than something
// that was found before is left out; so the search ends, by Dickson's lemma.
class EscapeSearch {
 public:
  EscapeSearch(Space& space, const AbstractGraph& graph) : space_(space), graph_(graph) {}

  std::optional<std::vector<Escape>> run() {
    std::map<int, std::set<Source>> sources;  // by the memory that a step leads to
    for (const LayerStep& step : graph_.steps) {
      const int memory = graph_.nodes[step.from].memory;
      sources[graph_.nodes[step.to].memory].insert({memory, step.place, step.next, step.from});
    }
    for (const auto& [node, place] : graph_.ends) add({node, {place}, 0, place});
    std::size_t e = 0;
    while (e < escapes_.size()) {
      if (escapes_.size() > kMostEscapes) return std::nullopt;
      const Escape escape = escapes_[e++];  // they grow
      for (const Source& source : sources[graph_.nodes[escape.node].memory]) {
        std::vector<int> places = escape.places;
        const auto next = std::lower_bound(places.begin(), places.end(), source.next);
        if (next != places.end() && *next == source.next) places.erase(next);
        // Of a special there is one, which stands nowhere else.
        const int kind = space_.kind(source.place);
        if (!space_.family().is_crowd(kind) &&
            std::any_of(places.begin(), places.end(),
                        [&](int place) { return space_.kind(place) == kind; })) {
          continue;
        }
        places.insert(std::lower_bound(places.begin(), places.end(), source.place), source.place);
        add({source.node, std::move(places), escape.distance + 1, source.place});
      }
    }
    return std::move(escapes_);
  }

 private:
  // A step from a memory, of a thread that stands at `place`; seen at `node`.
  struct Source {
    int memory = 0, place = 0, next = 0;
    std::uint32_t node = 0;
    friend bool operator<(const Source& a, const Source& b) {
      return std::tie(a.memory, a.place, a.next) < std::tie(b.memory, b.place, b.next);
    }
  };

  void add(Escape escape) {
    std::vector<std::size_t>& here = found_[graph_.nodes[escape.node].memory];
    for (const std::size_t e : here) {
      if (among(escapes_[e].places, escape.places)) return;
    }
    here.push_back(escapes_.size());
    escapes_.push_back(std::move(escape));
  }

  Space& space_;
  const AbstractGraph& graph_;
  std::map<int, std::vector<std::size_t>> found_;  // by memory, what is in escapes_
  std::vector<Escape> escapes_;
};

}  // namespace

std::optional<Proof> prove(Space& space, const AbstractGraph& graph, Reading reading,
                           const std::vector<Escape>& escapes) {
  return Prover(space, graph, reading, escapes).run();
}

std::optional<std::vector<Escape>> find_escapes(Space& space, const AbstractGraph& graph) {
  return EscapeSearch(space, graph).run();
}

}  // namespace headway::every
