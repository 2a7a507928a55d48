#include "every/counting.hpp"

#include <algorithm>
#include <set>

#include "base/graph/scc_search.hpp"

namespace headway::every {
namespace {

using Stage = CountedPlace::Stage;
using Key = std::vector<std::int64_t>;

constexpr std::size_t kMostBeginnings = 4096;
constexpr std::size_t kMostObserved = 20'000;

// What goes wrong, or is too much.
struct Stops {
  Unsupported reason;
};

}  // namespace

Kept kept_by(Promise promise) {
  if (promise == Promise::fair) return Kept::all;
  return keeps_started(promise) ? Kept::started : Kept::nobody;
}

std::map<std::pair<int, int>, int> most_together(const Family& family, int n, int limit) {
  using lang::idiom::ThreadState;
  struct State {
    std::vector<ThreadState> locals;
    std::vector<int> memory;
    std::uint64_t ended = 0, started = 0;
  };
  const Shape& shape = *family.shape;
  const lang::idiom::Code code = lang::idiom::compile(family.syntax, n);
  const auto kind_of = [&](int t) {
    if (t < shape.low) return t;
    return t >= n - shape.top ? shape.low + t - (n - shape.top)
                              : shape.specials() + t % shape.classes;
  };
  std::set<std::vector<int>> seen;
  std::vector<State> waiting;
  const auto visit = [&](State state) {
    std::vector<int> key = state.memory;
    for (const ThreadState& local : state.locals) {
      key.push_back(local.at);
      key.insert(key.end(), local.registers.begin(), local.registers.end());
    }
    key.insert(key.end(), {static_cast<int>(state.started), static_cast<int>(state.ended)});
    if (seen.insert(std::move(key)).second) waiting.push_back(std::move(state));
  };
  State first;
  for (int t = 0; t < n; ++t) first.locals.push_back(start_of(code, t));
  first.memory = code.initial;
  visit(first);
  std::map<std::pair<int, int>, int> most;
  while (!waiting.empty()) {
    if (seen.size() > kMostObserved) return {};
    const State state = std::move(waiting.back());
    waiting.pop_back();
    std::map<std::pair<int, int>, int> here;
    for (int t = 0; t < n; ++t) {
      if ((state.ended >> t & 1) != 0) continue;
      const std::pair<int, int> place{kind_of(t), state.locals[t].at};
      if ((state.started >> t & 1) != 0) most[place] = std::max(most[place], ++here[place]);
      State next = state;
      next.started |= std::uint64_t{1} << t;
      const StepEnd end = take_step(code, t, next.locals[t], next.memory);
      if (end == StepEnd::fails) continue;
      if (end == StepEnd::ends) next.ended |= std::uint64_t{1} << t;
      visit(std::move(next));
    }
  }
  for (auto it = most.begin(); it != most.end();) {
    it = it->second > limit ? most.erase(it) : std::next(it);
  }
  return most;
}

class Counting::Builder {
 public:
  Builder(const CountingSpace& space, CountedGraph& graph, std::vector<CountedStep>& steps,
          const CountingCaps& caps)
      : space_(space), graph_(graph), steps_(steps), caps_(caps) {}

  void run(std::size_t most_nodes, const std::atomic<bool>* stop) {
    begin();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (graph_.nodes.size() > most_nodes) throw Stops{{"too many cases", {}}};
      if (stop != nullptr && *stop) throw Stops{{"stopped", {}}};
      const auto counts = graph_.nodes[n].counts;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const int place = counts[i].first;
        if (graph_.places[place].stage == Stage::ended) continue;
        const bool capped = counts[i].second == graph_.caps[place];
        step(static_cast<std::uint32_t>(n), i, counts[i].second - 1, false);
        if (capped) step(static_cast<std::uint32_t>(n), i, counts[i].second, true);
      }
    }
  }

 private:
  // Of each special there is one, of each class of the crowd any number.
  void begin() {
    std::vector<std::map<int, int>> beginnings = {{}};
    for (int kind = 0; kind < space_.kinds(); ++kind) {
      const int place = number(space_.fresh(kind));
      const bool special = kind < space_.specials();
      std::vector<std::map<int, int>> next;
      for (const auto& beginning : beginnings) {
        for (int count = special ? 1 : 0; count <= (special ? 1 : graph_.caps[place]); ++count) {
          next.push_back(beginning);
          if (count > 0) next.back()[place] = count;
        }
      }
      if (next.size() > kMostBeginnings) throw Stops{{"too many classes of ids", {}}};
      beginnings = std::move(next);
    }
    for (const auto& counts : beginnings) number(space_.initial(), counts);
  }

  int number(const CountedPlace& place) {
    const auto [entry, is_new] =
        place_numbers_.emplace(place.key(), static_cast<int>(graph_.places.size()));
    if (is_new) {
      graph_.places.push_back(place);
      graph_.caps.push_back(cap(place));
    }
    return entry->second;
  }

  int cap(const CountedPlace& place) const {
    if (place.stage == Stage::ended) return 1;
    // One special is one; with a cap of 1 it would be "or more".
    if (place.kind < space_.specials()) return 2;
    const auto found = caps_.most.find({place.kind, place.at});
    const bool running = place.stage == Stage::running;
    return running && found != caps_.most.end() ? found->second + 1 : caps_.anywhere;
  }

  std::uint32_t number(const CountedMemory& memory, const std::map<int, int>& counts) {
    CountedNode node{memory, {}, {}};
    for (const auto& [place, count] : counts) {
      if (count > 0) node.counts.emplace_back(place, count);
    }
    Key key = memory.key();
    for (const auto& [place, count] : node.counts) key.insert(key.end(), {place, count});
    const auto [entry, is_new] =
        node_numbers_.emplace(std::move(key), static_cast<std::uint32_t>(graph_.nodes.size()));
    if (is_new) graph_.nodes.push_back(std::move(node));
    return entry->second;
  }

  void add(std::map<int, int>& counts, int place, int more) const {
    int& count = counts[place];
    count = std::min(graph_.caps[place], count + more);
  }

  // A thread at the place of number `at` in the node takes a step, and leaves so many there.
  void step(std::uint32_t from, std::size_t at, int left, bool or_more) {
    const CountedNode node = graph_.nodes[from];
    const int mover = node.counts[at].first;
    std::vector<CountedPlace> copies;
    std::vector<std::pair<const CountedPlace*, Count>> places;
    copies.reserve(node.counts.size());
    for (const auto& [place, count] : node.counts) {
      copies.push_back(graph_.places[place]);
      places.push_back({&copies.back(), {count, count == graph_.caps[place]}});
    }
    places[at].second = {left + 1, or_more};
    for (const Effect& effect : space_.effects(places, at, node.memory)) {
      if (effect.fails) throw Stops{{effect.what, effect.line}};
      std::map<int, int> counts;
      CountedStep step{from, 0, {}};
      step.moves.emplace_back(mover, number(effect.place));
      for (std::size_t i = 0; i < node.counts.size(); ++i) {
        const int count = i == at ? left : node.counts[i].second;
        const int to = number(space_.after(copies[i], effect.changed));
        if (count == 0) continue;
        add(counts, to, count);
        if (to != node.counts[i].first) step.moves.emplace_back(node.counts[i].first, to);
      }
      add(counts, step.moves.front().second, 1);
      step.to = number(effect.memory, counts);
      const bool layer =
          graph_.places[mover].stage == Stage::running && effect.place.stage == Stage::running;
      if (layer) steps_.push_back(std::move(step));
    }
  }

  const CountingSpace& space_;
  CountedGraph& graph_;
  std::vector<CountedStep>& steps_;
  const CountingCaps& caps_;
  std::map<Key, int> place_numbers_;
  std::map<Key, std::uint32_t> node_numbers_;
};

bool Counting::build(const CountingCaps& caps, std::size_t most_nodes,
                     const std::atomic<bool>* stop) {
  graph_ = {};
  graph_.symbolic = true;
  graph_.largest_number = caps.largest_number;
  steps_.clear();
  try {
    const CountingSpace space(family_, caps.largest_number);
    Builder(space, graph_, steps_, caps).run(most_nodes, stop);
    return true;
  } catch (const Stops& stops) {
    reason_ = stops.reason;
  }
  return false;
}

std::optional<std::vector<Round>> Counting::prove(Kept kept) {
  std::vector<Round> rounds;
  std::vector<CountedStep> left = steps_;
  const auto drop = [&](const auto& goes) {
    left.erase(std::remove_if(left.begin(), left.end(), goes), left.end());
  };
  const auto is_owed = [&](int place) {
    const Stage stage = graph_.places[place].stage;
    return kept == Kept::all ? stage != Stage::ended
                             : kept == Kept::started && stage == Stage::running;
  };
  while (!left.empty()) {
    const std::size_t before = left.size();
    Round& round = rounds.emplace_back();
    std::vector<std::vector<std::uint32_t>> successors(graph_.nodes.size());
    for (const CountedStep& step : left) successors[step.from].push_back(step.to);
    round.ranks = strong_components(successors).of;
    drop([&](const CountedStep& step) { return round.ranks[step.from] != round.ranks[step.to]; });
    // Places, in each component of nodes.
    std::map<std::uint32_t, std::vector<const CountedStep*>> by_rank;
    for (const CountedStep& step : left) by_rank[round.ranks[step.from]].push_back(&step);
    for (const auto& [rank, steps] : by_rank) {
      std::map<int, std::uint32_t>& ranks = round.place_ranks[rank];
      for (const CountedStep* step : steps) {
        for (const auto& [from, to] : step->moves) ranks[from] = ranks[to] = 0;
      }
      std::uint32_t next = 0;
      for (auto& [place, number] : ranks) number = next++;
      std::vector<std::vector<std::uint32_t>> follow(ranks.size());
      for (const CountedStep* step : steps) {
        for (const auto& [from, to] : step->moves) follow[ranks[from]].push_back(ranks[to]);
      }
      const StrongComponents components = strong_components(follow);
      for (auto& [place, number] : ranks) number = components.of[number];
    }
    drop([&](const CountedStep& step) {
      const auto& ranks = round.place_ranks.at(round.ranks[step.from]);
      return ranks.at(step.moves.front().first) != ranks.at(step.moves.front().second);
    });
    std::map<std::uint32_t, std::set<int>> moving;
    std::set<std::uint32_t> nodes, dropped;
    for (const CountedStep& step : left) {
      nodes.insert({step.from, step.to});
      for (const auto& [from, to] : step.moves) moving[round.ranks[step.from]].insert(from);
    }
    for (const std::uint32_t node : nodes) {
      for (const auto& [place, count] : graph_.nodes[node].counts) {
        if (!is_owed(place) || moving[round.ranks[node]].count(place) > 0) continue;
        round.owed.emplace_back(node, place);
        dropped.insert(node);
        break;
      }
    }
    drop([&](const CountedStep& step) {
      return dropped.count(step.from) > 0 || dropped.count(step.to) > 0;
    });
    if (left.size() == before) {
      const CountedPlace& place = graph_.places[left.front().moves.front().first];
      const CountingSpace space(family_, graph_.largest_number);
      reason_ = {
          "a thread may take this step for ever, and nobody is known to owe one that stops it",
          space.line(place)};
      return std::nullopt;
    }
  }
  return rounds;
}

}  // namespace headway::every
