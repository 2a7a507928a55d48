// The checker of certificates of methods A and C: nodes, closed under steps, say how many threads
// stand where; rounds, and ways out of the layer, leave no step that could be taken for ever.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "every/counting_space.hpp"
#include "every/objection.hpp"
#include "every/uniform_steps.hpp"

namespace headway::every {
namespace {

using Stage = CountedPlace::Stage;

class CountedCheck {
 public:
  CountedCheck(const Certificate& certificate, const Shape& shape, const CountedSteps& steps)
      : c_(certificate), g_(*certificate.counted), shape_(shape), steps_(steps) {}

  void run(const std::vector<Reading>& readings) {
    check_places();
    check_nodes();
    check_beginnings();
    for (std::size_t n = 0; n < g_.nodes.size(); ++n) check_steps(static_cast<std::uint32_t>(n));
    if (c_.claim == Certificate::Claim::safe) return;
    for (const Escape& escape : c_.escapes) {
      require(escape.node < g_.nodes.size(), "an escape is at no node");
      escapes_[g_.nodes[escape.node].memory.key()].push_back(&escape);
    }
    for (const Escape& escape : c_.escapes) check_escape(escape);
    for (const Reading reading : readings) {
      reading_ = reading;
      std::vector<CheckedStep> left;
      for (const CheckedStep& step : all_) {
        if (!somebody_must_start(step) && !escapes(step)) left.push_back(step);
      }
      check_rounds(c_.rounds, g_.nodes.size(), std::move(left), [&](std::uint32_t node, int place) {
        return is_place(place) && count(g_.nodes[node], place) > 0 &&
               promised(g_.nodes[node], g_.places[place], -1);
      });
    }
  }

 private:
  using Key = std::vector<std::int64_t>;
  using Standing = std::vector<std::pair<const CountedPlace*, Count>>;

  bool is_place(int p) const { return p >= 0 && p < static_cast<int>(g_.places.size()); }
  static int count(const CountedNode& node, int place) {
    const auto at = std::lower_bound(node.counts.begin(), node.counts.end(), std::pair{place, 0});
    return at != node.counts.end() && at->first == place ? at->second : 0;
  }

  // Nodes, closed under steps ---------------------------------------------------------------------

  void check_places() {
    require(g_.caps.size() == g_.places.size(), "caps of other places");
    for (std::size_t p = 0; p < g_.places.size(); ++p) {
      const CountedPlace& place = g_.places[p];
      require(steps_.is_place(place), "place {} is nowhere in the program", p);
      const bool special = place.kind < shape_.specials() && place.stage != Stage::ended;
      require(g_.caps[p] >= (special ? 1 : 0), "place {} is not counted", p);
      require(places_.emplace(place.key(), static_cast<int>(p)).second, "place {} comes twice", p);
    }
  }

  static Key key_of(const CountedNode& node) {
    Key key = node.memory.key();
    for (const auto& [place, count] : node.counts) key.insert(key.end(), {place, count});
    return key;
  }

  void check_nodes() {
    for (std::size_t n = 0; n < g_.nodes.size(); ++n) {
      const CountedNode& node = g_.nodes[n];
      require(steps_.is_memory(node.memory), "node {} has another memory", n);
      int before = -1;
      for (const auto& [place, count] : node.counts) {
        require(place > before && is_place(place) && count > 0 && count <= g_.caps[place],
                "node {} counts {} threads at {}", n, count, place);
        before = place;
      }
      for (const int place : node.may) {
        require(is_place(place) && g_.caps[place] == 0,
                "node {} may have threads at {}, which is counted", n, place);
      }
      require(std::is_sorted(node.may.begin(), node.may.end()), "node {} is out of order", n);
      require(nodes_.emplace(key_of(node), static_cast<std::uint32_t>(n)).second,
              "node {} comes twice", n);
    }
  }

  int place_of(const CountedPlace& place) const {
    const auto found = places_.find(place.key());
    require(found != places_.end(), "a thread comes to a place that is not listed");
    return found->second;
  }

  // So many threads come to a place of a node, whose counts grow.
  void come(std::map<int, int>& counts, std::set<int>& may, int place, Count number) const {
    if (g_.caps[place] == 0) {
      may.insert(place);
      return;
    }
    int& count = counts[place];
    count = static_cast<int>(std::min<std::int64_t>(g_.caps[place], count + number.least));
    require(!number.or_more || count == g_.caps[place],
            "nobody knows how many come to place {}, which is counted", place);
  }

  std::uint32_t node_of(const CountedMemory& memory, const std::map<int, int>& counts,
                        const std::set<int>& may) const {
    const auto found = nodes_.find(key_of({memory, {counts.begin(), counts.end()}, {}}));
    require(found != nodes_.end(), "a step leads to a node that is not listed");
    const std::vector<int>& there = g_.nodes[found->second].may;
    require(std::includes(there.begin(), there.end(), may.begin(), may.end()),
            "node {} forgets who may stand there", found->second);
    return found->second;
  }

  // One thread of each special kind, and any number of each class, in all ways.
  void check_beginnings() const {
    std::vector<std::map<int, int>> all = {{}};
    std::set<int> may;
    for (int kind = 0; kind < shape_.specials() + shape_.classes; ++kind) {
      const int place = place_of(steps_.fresh(kind));
      if (g_.caps[place] == 0) may.insert(place);
      const bool special = kind < shape_.specials();
      std::vector<std::map<int, int>> next;
      for (const auto& counts : all) {
        for (int count = special ? 1 : 0; count <= (special ? 1 : g_.caps[place]); ++count) {
          next.push_back(counts);
          if (count > 0) next.back()[place] = count;
        }
      }
      all = std::move(next);
    }
    for (const auto& counts : all) node_of(steps_.initial(), counts, may);
  }

  void check_steps(std::uint32_t n) {
    const CountedNode& node = g_.nodes[n];
    Standing standing;
    std::vector<int> places;
    for (const auto& [place, count] : node.counts) {
      standing.push_back({&g_.places[place], {count, count == g_.caps[place]}});
      places.push_back(place);
    }
    for (const int place : node.may) {
      standing.push_back({&g_.places[place], {0, true}});
      places.push_back(place);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (g_.places[places[i]].stage == Stage::ended) continue;
      // As many as are counted, or more than that.
      const Count all = standing[i].second;
      if (all.least > 0) check_step(n, places, standing, i, {all.least, false});
      if (all.or_more) check_step(n, places, standing, i, {all.least + 1, true});
    }
  }

  void check_step(std::uint32_t n, const std::vector<int>& places, Standing standing,
                  std::size_t mover, Count there) {
    standing[mover].second = there;
    for (const Effect& effect : steps_.effects(standing, mover, g_.nodes[n].memory)) {
      require(!effect.fails, "a step of node {} goes wrong: {}", n, effect.what);
      CheckedStep step{n, 0, {{places[mover], place_of(effect.place)}}, {}};
      std::map<int, int> counts;
      std::set<int> may;
      for (std::size_t i = 0; i < places.size(); ++i) {
        Count stay = standing[i].second;
        if (i == mover) --stay.least;
        if (stay.least == 0 && !stay.or_more) continue;
        const int to = place_of(steps_.after(g_.places[places[i]], effect.changed));
        come(counts, may, to, stay);
        if (to != places[i]) step.moves.emplace_back(places[i], to);
      }
      come(counts, may, step.moves.front().second, {1, false});
      step.to = node_of(effect.memory, counts, may);
      if (g_.places[places[mover]].stage == Stage::running &&
          effect.place.stage == Stage::running) {
        all_.push_back(std::move(step));
      }
    }
  }

  // What models promise ---------------------------------------------------------------------------

  // By ids: low specials, the crowd, top specials.
  int height(int kind) const {
    return kind >= shape_.specials() ? shape_.low : kind < shape_.low ? kind : kind + 1;
  }
  // Where a special stands; -1 when it has ended.
  int place_of_special(const CountedNode& node, int kind) const {
    for (const auto& [place, count] : node.counts) {
      const CountedPlace& at = g_.places[place];
      if (at.kind == kind && at.stage != Stage::ended) return place;
    }
    return -1;
  }
  // The lowest of the low specials that are alive; -1 when none is.
  int first_alive(const CountedNode& node) const {
    for (int kind = 0; kind < shape_.low; ++kind) {
      if (place_of_special(node, kind) >= 0) return kind;
    }
    return -1;
  }
  bool has_started(const CountedNode& node, int kind) const {
    const int place = place_of_special(node, kind);
    return place < 0 || g_.places[place].stage != Stage::fresh;
  }

  // Whether who stands at a place of a node is promised steps, while a thread of kind `mover`, or
  // nobody for -1, takes steps there.
  bool promised(const CountedNode& node, const CountedPlace& place, int mover) const {
    if (place.stage == Stage::ended || reading_.promise == Promise::unfair) return false;
    if (reading_.promise == Promise::fair) return true;
    if (place.stage == Stage::running && reading_.promise != Promise::hsa) return true;
    if (reading_.promise == Promise::hsa || reading_.promise == Promise::hsa_obe) {
      return place.kind == first_alive(node);
    }
    if (reading_.promise == Promise::obe) return false;
    if (mover >= 0 && height(mover) > height(place.kind)) return true;
    for (int kind = 0; kind < shape_.specials(); ++kind) {
      if (height(kind) > height(place.kind) && has_started(node, kind)) return true;
    }
    return false;
  }

  // Somebody who has not started is promised a step, so that the layer is left.
  bool somebody_must_start(const CheckedStep& step) const {
    const CountedNode& node = g_.nodes[step.from];
    const int mover = g_.places[step.moves.front().first].kind;
    return std::any_of(node.counts.begin(), node.counts.end(), [&](const auto& at) {
      const CountedPlace& place = g_.places[at.first];
      return place.stage == Stage::fresh && promised(node, place, mover);
    });
  }

  // Ways out of a layer, for strong readings ------------------------------------------------------

  // What the step of a thread does that does not depend on how many others there are.
  Effect alone(const CountedPlace& place, const CountedMemory& memory) const {
    require(!g_.symbolic, "what a thread does depends on N");
    return steps_.effects({{&place, {1, false}}}, 0, memory).front();
  }

  void check_escape(const Escape& escape) {
    require(is_place(escape.mover) && g_.places[escape.mover].stage == Stage::running,
            "an escape says nothing");
    std::vector<int> next = escape.places;
    const auto at = std::find(next.begin(), next.end(), escape.mover);
    require(at != next.end(), "nobody takes the step of an escape");
    const CountedMemory& memory = g_.nodes[escape.node].memory;
    const Effect effect = alone(g_.places[escape.mover], memory);
    require(!effect.fails, "the step of an escape goes wrong");
    bool found = effect.place.stage == Stage::ended;
    if (!found) *at = place_of(effect.place);
    std::sort(next.begin(), next.end());
    for (const Escape* other : escapes_[effect.memory.key()]) {
      found = found ||
              (other->distance < escape.distance &&
               std::is_sorted(other->places.begin(), other->places.end()) &&
               std::includes(next.begin(), next.end(), other->places.begin(), other->places.end()));
    }
    require(found, "an escape leads to none that is nearer");
  }

  bool ends_alone(CountedPlace place, CountedMemory memory) const {
    std::set<std::pair<Key, Key>> seen;
    while (place.stage != Stage::ended) {
      if (!seen.emplace(place.key(), memory.key()).second) return false;
      const Effect effect = alone(place, memory);
      if (effect.fails) return false;
      place = effect.place;
      memory = effect.memory;
    }
    return true;
  }

  // Whether promised steps lead from where this step is taken to the end of some thread.
  bool escapes(const CheckedStep& step) const {
    if (reading_.fairness == Fairness::weak || reading_.promise == Promise::unfair) return false;
    const CountedNode& node = g_.nodes[step.from];
    if (reading_.promise == Promise::hsa) return !g_.symbolic && lowest_ends(node);
    const auto found = escapes_.find(node.memory.key());
    if (found == escapes_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](const Escape* escape) {
      return std::all_of(escape->places.begin(), escape->places.end(), [&](int place) {
        const int stand = is_place(place) ? count(node, place) : 0;
        const int least = stand == 0 && place == step.moves.front().first ? 1 : stand;
        return std::count(escape->places.begin(), escape->places.end(), place) <= least;
      });
    });
  }

  // Whoever of those that may be is the lowest alive.
  bool lowest_ends(const CountedNode& node) const {
    const int first = first_alive(node);
    const auto ends = [&](int p) {
      const CountedPlace& place = g_.places[p];
      if (first >= 0 ? place.kind != first : place.stage == Stage::fresh) return true;
      return place.stage != Stage::fresh && ends_alone(place, node.memory);
    };
    return std::all_of(node.may.begin(), node.may.end(), ends) &&
           std::all_of(node.counts.begin(), node.counts.end(),
                       [&](const auto& at) { return ends(at.first); });
  }

  const Certificate& c_;
  const CountedGraph& g_;
  const Shape& shape_;
  const CountedSteps& steps_;
  Reading reading_;
  std::map<Key, int> places_;
  std::map<Key, std::uint32_t> nodes_;
  std::map<Key, std::vector<const Escape*>> escapes_;  // by memory
  std::vector<CheckedStep> all_;
};

}  // namespace

void check_counted(const Certificate& certificate, const Family& family,
                   const std::vector<Reading>& readings) {
  require(family.shape.has_value(), "the family looks at ids");
  const CountedGraph& graph = *certificate.counted;
  std::unique_ptr<const CountedSteps> steps;
  if (graph.symbolic) {
    require(graph.largest_number >= 0, "a largest number below 0");
    steps = std::make_unique<CountingSpace>(family, graph.largest_number);
  } else {
    require(family.uniform.has_value(), "the family is not uniform");
    steps = std::make_unique<UniformSteps>(*family.uniform);
  }
  CountedCheck(certificate, *family.shape, *steps).run(readings);
}

}  // namespace headway::every
