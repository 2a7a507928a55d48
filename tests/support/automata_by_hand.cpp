#include "support/automata_by_hand.hpp"

#include <doctest/doctest.h>

namespace headway::testing::by_hand {

std::string passed(const Automata& automata, const std::vector<oracle::ScopedModel>& models) {
  std::string result;
  for (const oracle::ScopedModel& model : models) {
    const oracle::Lts lts = *oracle::explore(behaviour_of(automata), model);
    const bool weak = oracle::passes(lts, models::Fairness::weak);
    const bool strong = oracle::passes(lts, models::Fairness::strong);
    CHECK((strong || !weak));
    if (strong) result += (result.empty() ? "" : " ") + model.name + (weak ? "" : "*");
  }
  return result;
}

std::string passed(const Automata& automata) {
  const std::vector<oracle::Model> plain = oracle::set_models();
  return passed(automata, std::vector<oracle::ScopedModel>(plain.begin(), plain.end()));
}

}  // namespace headway::testing::by_hand
