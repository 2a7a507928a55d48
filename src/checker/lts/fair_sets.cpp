#include "checker/lts/fair_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "base/error.hpp"

namespace headway::checker {

void refuse_terminated(const models::Model& model, const History& history, ThreadSet fair) {
  if ((fair & history.terminated).empty()) return;
  throw Error(fmt::format(
      "model {} gives F = {} when {} have started and {} have terminated; "
      "expected only threads that are alive",
      model.name(), fair.to_string(), history.started.to_string(), history.terminated.to_string()));
}

void FairSets::add(const Lts& lts, const models::Model& model, const History& history,
                   ThreadSet fair) {
  refuse_terminated(model, history, fair);
  sets_.push_back(fair);
  owed_.push_back(fair & history.ready(lts.threads()));
}

void FairSets::annotate(const Lts& lts, const models::Model& model) {
  assert(model.history_determined());
  sets_.clear();
  owed_.clear();
  for (const History& history : lts.histories()) {
    add(lts, model, history, model.fair(lts.topology(), history));
  }
}

bool FairProduct::build(const Lts& lts, const models::Model& model, std::size_t max_states,
                        const StopSigns& signs) {
  const Topology& topology = lts.topology();
  lts_.clear(topology, lts.stride_);
  fair_ = {};
  StateTable table(2);
  std::vector<Word> keys;  // state of `lts`, F
  std::map<std::pair<std::uint32_t, ThreadSet>, std::uint32_t> histories;

  const auto reach = [&](StateId state, ThreadSet fair) {
    const Word key[] = {state, fair.bits()};
    const StateId number = table.find_or_add(key, keys);
    if (number == lts_.history_of_.size()) {
      const auto next = static_cast<std::uint32_t>(lts_.histories_.size());
      const auto [entry, is_new] = histories.try_emplace({lts.history_index(state), fair}, next);
      if (is_new) {
        lts_.histories_.push_back(lts.history(state));
        fair_.add(lts_, model, lts.history(state), fair);
      }
      lts_.history_of_.push_back(entry->second);
      lts_.words_.insert(lts_.words_.end(), lts.words(state), lts.words(state) + lts.stride_);
    }
    return number;
  };

  reach(0, model.initial(topology));
  for (StateId source = 0; source < table.size(); ++source) {
    if (table.size() > max_states) return false;
    if (source % 1024 == 1023 && signs.seen() != Limit::none) return false;
    const auto state = static_cast<StateId>(keys[std::size_t{2} * source]);
    const ThreadSet fair = ThreadSet::of_bits(keys[std::size_t{2} * source + 1]);
    lts_.begin_.push_back(lts_.transitions_.size());
    const auto transitions = lts.from(state);
    if (transitions.empty()) {
      if (std::binary_search(lts.stuck_.begin(), lts.stuck_.end(), state)) {
        lts_.stuck_.push_back(source);
      }
      if (std::binary_search(lts.failed_.begin(), lts.failed_.end(), state)) {
        lts_.failed_.push_back(source);
      }
    }
    for (const Transition& transition : transitions) {
      const int thread = transition.step.thread;
      const History& after = lts.history(transition.target);
      const models::Event event{thread, after.terminated.contains(thread)};
      const StateId target = reach(transition.target, model.next(topology, fair, event, after));
      lts_.transitions_.push_back({target, transition.step});
    }
  }
  lts_.begin_.push_back(lts_.transitions_.size());
  assert(lts_.states() == table.size() && fair_.sets_.size() == lts_.histories_.size());
  return true;
}

}  // namespace headway::checker
