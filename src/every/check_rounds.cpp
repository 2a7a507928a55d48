// The part of the certificate checker that all proofs that executions end go through: each round
// drops steps that no fair execution takes again and again (docs/every-n.md).
#include <algorithm>
#include <set>

#include "every/objection.hpp"

namespace headway::every {

void check_rounds(const std::vector<Round>& rounds, std::size_t nodes,
                  std::vector<CheckedStep> left,
                  const std::function<bool(std::uint32_t node, int place)>& owes) {
  const auto drop = [&](const auto& goes) {
    left.erase(std::remove_if(left.begin(), left.end(), goes), left.end());
  };
  for (const Round& round : rounds) {
    const std::vector<std::uint32_t>& ranks = round.ranks;
    require(ranks.size() == nodes, "a round ranks other nodes");
    for (const CheckedStep& step : left) {
      require(ranks[step.to] <= ranks[step.from], "a rank grows from node {} to {}", step.from,
              step.to);
    }
    drop([&](const CheckedStep& step) { return ranks[step.to] < ranks[step.from]; });

    const auto place_rank = [&](const CheckedStep& step, int place) {
      const auto places = round.place_ranks.find(ranks[step.from]);
      require(places != round.place_ranks.end() && places->second.count(place) > 0,
              "place {} has no rank at node {}", place, step.from);
      return places->second.at(place);
    };
    for (const CheckedStep& step : left) {
      for (const auto& [from, to] : step.moves) {
        require(place_rank(step, to) <= place_rank(step, from), "a rank grows from place {} to {}",
                from, to);
      }
    }
    drop([&](const CheckedStep& step) {
      if (step.moves.empty()) return false;
      const auto [from, to] = step.moves.front();
      return place_rank(step, to) < place_rank(step, from);
    });

    drop([&](const CheckedStep& step) {
      const auto found = round.measures.find(ranks[step.from]);
      if (found == round.measures.end()) return false;
      const auto [reg, falls] = found->second;
      require(reg >= 0 && reg < static_cast<int>(step.changes.size()), "there is no register {}",
              reg);
      const Change& change = step.changes[reg];
      require(falls ? change.never_grows : change.never_falls, "register {} may go back at node {}",
              reg, step.from);
      return falls ? change.falls : change.grows;
    });

    std::set<std::pair<std::uint32_t, int>> moving;
    for (const CheckedStep& step : left) {
      for (const auto& [from, to] : step.moves) moving.emplace(ranks[step.from], from);
    }
    std::set<std::uint32_t> dropped;
    for (const auto& [node, place] : round.owed) {
      require(node < nodes && owes(node, place), "nobody is owed a step at place {} of node {}",
              place, node);
      require(moving.count({ranks[node], place}) == 0, "steps are taken from place {}", place);
      dropped.insert(node);
    }
    drop([&](const CheckedStep& step) {
      return dropped.count(step.from) > 0 || dropped.count(step.to) > 0;
    });
  }
  require(left.empty(), "{} steps are left that may go on for ever", left.size());
}

}  // namespace headway::every
