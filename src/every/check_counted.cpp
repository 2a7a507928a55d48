// The checker of certificates of method C.
#include <algorithm>
#include <set>

#include "every/objection.hpp"

namespace headway::every {
namespace {

using Stage = CountedPlace::Stage;

class CountedCheck {
 public:
  CountedCheck(const Certificate& certificate, const Family& family)
      : c_(certificate), g_(*certificate.counted), space_(family, g_.largest_number) {}

  void run(const std::vector<Reading>& readings) {
    check_places();
    check_nodes();
    check_beginnings();
    for (int n = 0; n < static_cast<int>(g_.nodes.size()); ++n) check_steps(n);
    if (c_.claim == Certificate::Claim::safe) return;
    for (const Reading reading : readings) {
      reading_ = reading;
      left_ = all_;
      for (const Round& round : c_.rounds) replay(round);
      require(left_.empty(), "{} steps are left that may go on for ever", left_.size());
    }
  }

 private:
  using Key = std::vector<std::int64_t>;
  using Counts = std::map<int, int>;
  struct Step {
    std::uint32_t from, to;
    std::vector<std::pair<int, int>> moves;
  };

  bool is_place(int p) const { return p >= 0 && p < static_cast<int>(g_.places.size()); }

  void check_places() {
    require(g_.caps.size() == g_.places.size(), "caps of other places");
    require(g_.largest_number >= 0, "a largest number below 0");
    const std::size_t counters = static_cast<std::size_t>(space_.counters());
    for (std::size_t p = 0; p < g_.places.size(); ++p) {
      const CountedPlace& place = g_.places[p];
      require(g_.caps[p] > 0, "place {} is not counted", p);
      require(place.kind >= 0 && place.kind < space_.kinds() && place.shares.size() == counters,
              "place {} is of no kind", p);
      require(places_.emplace(place.key(), static_cast<int>(p)).second, "place {} comes twice", p);
      if (place.stage == Stage::ended) continue;
      const auto& code = space_.program(place.kind).code;
      require(place.at >= 0 && place.at + 1 < static_cast<int>(code.instructions.size()) &&
                  lang::idiom::is_stop(code.instructions[place.at].kind) &&
                  place.registers.size() == code.registers.size(),
              "place {} is nowhere in the program", p);
      for (const Content& content : place.registers) {
        require(content.counter >= -1 && content.counter < space_.counters(),
                "place {} holds what no counter does", p);
      }
    }
  }

  static Key key_of(const CountedMemory& memory, const Counts& counts) {
    Key key = memory.key();
    for (const auto& [place, count] : counts) {
      if (count > 0) key.insert(key.end(), {place, count});
    }
    return key;
  }

  void check_nodes() {
    const CountedMemory initial = space_.initial();
    for (std::size_t n = 0; n < g_.nodes.size(); ++n) {
      const CountedNode& node = g_.nodes[n];
      require(node.memory.cells.size() == initial.cells.size() &&
                  node.memory.counters.size() == initial.counters.size(),
              "node {} has another memory", n);
      int before = -1;
      for (const auto& [place, count] : node.counts) {
        require(place > before && is_place(place) && count > 0 && count <= g_.caps[place],
                "node {} counts {} threads at {}", n, count, place);
        before = place;
      }
      const Counts counts(node.counts.begin(), node.counts.end());
      require(nodes_.emplace(key_of(node.memory, counts), static_cast<int>(n)).second,
              "node {} comes twice", n);
    }
  }

  int place_of(const CountedPlace& place) const {
    const auto found = places_.find(place.key());
    require(found != places_.end(), "a thread comes to a place that is not listed");
    return found->second;
  }

  int node_of(const CountedMemory& memory, const Counts& counts) const {
    const auto found = nodes_.find(key_of(memory, counts));
    require(found != nodes_.end(), "a step leads to a node that is not listed");
    return found->second;
  }

  // One thread of each special kind, and any number of each class, in all ways.
  void check_beginnings() {
    std::vector<Counts> all = {{}};
    for (int kind = 0; kind < space_.kinds(); ++kind) {
      const int place = place_of(space_.fresh(kind));
      const bool special = kind < space_.specials();
      std::vector<Counts> next;
      for (const Counts& counts : all) {
        for (int count = special ? 1 : 0; count <= (special ? 1 : g_.caps[place]); ++count) {
          next.push_back(counts);
          next.back()[place] = std::min(count, g_.caps[place]);
        }
      }
      all = std::move(next);
    }
    for (const Counts& counts : all) node_of(space_.initial(), counts);
  }

  void check_steps(int n) {
    const CountedNode& node = g_.nodes[n];
    for (std::size_t i = 0; i < node.counts.size(); ++i) {
      const auto [place, count] = node.counts[i];
      if (g_.places[place].stage == Stage::ended) continue;
      // As many as are counted, or more than that.
      check_step(n, i, {count, false});
      if (count == g_.caps[place]) check_step(n, i, {count + 1, true});
    }
  }

  void check_step(int n, std::size_t at, Count there) {
    const CountedNode& node = g_.nodes[n];
    std::vector<std::pair<const CountedPlace*, Count>> places;
    for (const auto& [place, count] : node.counts) {
      places.push_back({&g_.places[place], {count, count == g_.caps[place]}});
    }
    places[at].second = there;
    const int mover = node.counts[at].first;
    for (const Effect& effect : space_.effects(places, at, node.memory)) {
      require(!effect.fails, "a step of node {} goes wrong: {}", n, effect.what);
      Step step{static_cast<std::uint32_t>(n), 0, {{mover, place_of(effect.place)}}};
      Counts counts;
      const auto come = [&](int place, std::int64_t count) {
        counts[place] =
            static_cast<int>(std::min<std::int64_t>(g_.caps[place], counts[place] + count));
      };
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::int64_t stay = places[i].second.least - (i == at ? 1 : 0);
        if (stay == 0) continue;
        const int from = node.counts[i].first;
        const int to = place_of(space_.after(g_.places[from], effect.changed));
        come(to, stay);
        if (to != from) step.moves.emplace_back(from, to);
      }
      come(step.moves.front().second, 1);
      step.to = static_cast<std::uint32_t>(node_of(effect.memory, counts));
      if (g_.places[mover].stage == Stage::running && effect.place.stage == Stage::running) {
        all_.push_back(std::move(step));
      }
    }
  }

  bool is_promised(int place) const {
    const Stage stage = g_.places[place].stage;
    if (reading_.promise == Promise::fair) return stage != Stage::ended;
    return keeps_started(reading_.promise) && stage == Stage::running;
  }

  void replay(const Round& round) {
    require(round.ranks.size() == g_.nodes.size(), "a round ranks other nodes");
    const auto drop = [&](const auto& goes) {
      left_.erase(std::remove_if(left_.begin(), left_.end(), goes), left_.end());
    };
    for (const Step& step : left_) {
      require(round.ranks[step.to] <= round.ranks[step.from], "a rank grows from node {} to {}",
              step.from, step.to);
    }
    drop([&](const Step& step) { return round.ranks[step.to] < round.ranks[step.from]; });
    const auto rank_of = [&](const Step& step, int place) {
      const auto ranks = round.place_ranks.find(round.ranks[step.from]);
      require(ranks != round.place_ranks.end() && ranks->second.count(place) > 0,
              "place {} has no rank at node {}", place, step.from);
      return ranks->second.at(place);
    };
    for (const Step& step : left_) {
      for (const auto& [from, to] : step.moves) {
        require(rank_of(step, to) <= rank_of(step, from), "a rank grows from place {} to {}", from,
                to);
      }
    }
    drop([&](const Step& step) {
      const auto [from, to] = step.moves.front();
      return rank_of(step, to) < rank_of(step, from);
    });
    std::set<std::pair<std::uint32_t, int>> moving;
    for (const Step& step : left_) {
      for (const auto& [from, to] : step.moves) moving.emplace(round.ranks[step.from], from);
    }
    std::set<std::uint32_t> dropped;
    for (const auto& [node, place] : round.owed) {
      require(node < g_.nodes.size() && is_place(place) && is_promised(place),
              "nobody is owed a step at place {} of node {}", place, node);
      const auto& counts = g_.nodes[node].counts;
      const int at = place;
      require(
          std::any_of(counts.begin(), counts.end(), [&](const auto& c) { return c.first == at; }),
          "nobody stands at place {} of node {}", place, node);
      require(moving.count({round.ranks[node], place}) == 0, "steps are taken from place {}",
              place);
      dropped.insert(node);
    }
    drop([&](const Step& step) {
      return dropped.count(step.from) > 0 || dropped.count(step.to) > 0;
    });
  }

  const Certificate& c_;
  const CountedGraph& g_;
  const CountingSpace space_;
  std::map<Key, int> places_, nodes_;
  Reading reading_;
  std::vector<Step> all_, left_;
};

}  // namespace

void check_counted(const Certificate& certificate, const Family& family,
                   const std::vector<Reading>& readings) {
  require(family.shape.has_value(), "the family looks at ids");
  CountedCheck(certificate, family).run(readings);
}

}  // namespace headway::every
