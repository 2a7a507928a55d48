#include "every/positions.hpp"

#include <algorithm>

#include "base/graph/scc_search.hpp"

namespace headway::every {
namespace {

constexpr int kMostExplorations = 200;

}  // namespace

bool carries(Promise promise, bool drawn, bool below_ended) {
  if (!below_ended) return true;
  // HSA promises steps to the lowest thread alive, OBE to all that have started.
  if (promise == Promise::unfair) return false;
  return drawn ? keeps_started(promise) : promise != Promise::obe;
}

bool Positions::build(bool drawn, std::size_t most_places, const std::atomic<bool>* stop) {
  std::vector<Role> roles;
  for (const ParametricVariable& variable : space_.family().variables) {
    const bool fixed = variable.range.low.fixed() && variable.range.high.fixed();
    roles.push_back(variable.is_array ? variable.size.fixed() ? Role::any : Role::owned
                    : fixed           ? Role::guarded
                                      : Role::baton);
    if (!space_.is_accessed(static_cast<int>(roles.size()) - 1)) roles.back() = Role::any;
  }
  graph_.sets = space_.beginning(drawn, roles);
  for (int i = 0; i < kMostExplorations; ++i) {
    if (stop != nullptr && *stop) break;
    reason_ = {};
    against_ = -1;
    if (explore(most_places)) return true;
    if (against_ >= 0) {
      if (roles[against_] == Role::any) return false;
      roles[against_] = Role::any;
      graph_.sets = space_.beginning(drawn, roles);
    } else if (!reason_.text.empty()) {
      return false;
    }
  }
  reason_.text = "too many cases";
  return false;
}

bool Positions::explore(std::size_t most_places) {
  graph_.places.clear();
  std::map<std::vector<std::int64_t>, std::uint32_t> numbers;
  const auto visit = [&](const PositionPlace& place) {
    if (!numbers.emplace(place.key(), graph_.places.size()).second) return;
    graph_.places.push_back(place);
  };
  PositionSets& sets = graph_.sets;
  for (const PositionPlace& place : space_.starts(sets)) visit(place);
  PositionSets next = sets;
  bool same = true;
  // NOLINTNEXTLINE(modernize-loop-convert): there are more on the way
  for (std::size_t p = 0; p < graph_.places.size(); ++p) {
    if (graph_.places.size() > most_places) {
      reason_.text = "too many cases";
      return false;
    }
    const PositionPlace place = graph_.places[p];
    if (place.ended) continue;
    for (const PositionEffect& effect : space_.effects(place, sets, false)) {
      if (effect.fails) {
        reason_ = {effect.what, effect.line};
        against_ = effect.against;
        return false;
      }
      same = !next.include(space_.written(effect, sets)) && same;
      visit(effect.place);
    }
  }
  sets = std::move(next);
  return same;
}

std::optional<std::vector<Round>> Positions::prove(bool below_ended) {
  const std::vector<PositionPlace>& places = graph_.places;
  std::map<std::vector<std::int64_t>, std::uint32_t> numbers;
  for (const PositionPlace& place : places) {
    numbers.emplace(place.key(), static_cast<std::uint32_t>(numbers.size()));
  }
  std::vector<PositionStep> left;
  for (std::uint32_t p = 0; p < places.size(); ++p) {
    if (places[p].ended) continue;
    for (PositionEffect& effect : space_.effects(places[p], graph_.sets, below_ended)) {
      if (effect.fails) return std::nullopt;
      const auto to = numbers.find(effect.place.key());
      if (to == numbers.end()) return std::nullopt;
      if (!effect.place.ended) left.push_back({p, to->second, std::move(effect.changes)});
    }
  }
  std::vector<Round> rounds;
  while (!left.empty()) {
    const std::size_t before = left.size();
    Round& round = rounds.emplace_back();
    std::vector<std::vector<std::uint32_t>> successors(places.size());
    for (const PositionStep& step : left) successors[step.from].push_back(step.to);
    round.ranks = strong_components(successors).of;
    const auto drop = [&](const auto& goes) {
      left.erase(std::remove_if(left.begin(), left.end(), goes), left.end());
    };
    drop([&](const PositionStep& step) { return round.ranks[step.from] != round.ranks[step.to]; });
    std::map<std::uint32_t, std::vector<const PositionStep*>> by_rank;
    for (const PositionStep& step : left) by_rank[round.ranks[step.from]].push_back(&step);
    for (const auto& [rank, steps] : by_rank) {
      const std::size_t registers = steps.front()->changes.size();
      for (std::size_t r = 0; r < 2 * registers; ++r) {
        const std::size_t reg = r / 2;
        const bool falls = r % 2 == 0;
        bool never = true, some = false;
        for (const PositionStep* step : steps) {
          if (reg >= step->changes.size()) {
            never = false;
            break;
          }
          const Change& change = step->changes[reg];
          never = never && (falls ? change.never_grows : change.never_falls);
          some = some || (falls ? change.falls : change.grows);
        }
        if (!never || !some) continue;
        round.measures[rank] = {static_cast<int>(reg), falls};
        break;
      }
    }
    drop([&](const PositionStep& step) {
      const auto measure = round.measures.find(round.ranks[step.from]);
      if (measure == round.measures.end()) return false;
      const Change& change = step.changes[measure->second.reg];
      return measure->second.falls ? change.falls : change.grows;
    });
    if (left.size() == before) {
      reason_ = {below_ended
                     ? "a thread may take this step for ever, even when all below have ended"
                     : "a thread may take this step for ever",
                 space_.line(places[left.front().from])};
      return std::nullopt;
    }
  }
  return rounds;
}

}  // namespace headway::every
