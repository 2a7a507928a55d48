#include "checker/fair_sets.hpp"

#include <fmt/format.h>

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

void FairSets::annotate(const Lts& lts, const models::Model& model) {
  assert(model.history_determined());
  sets_.clear();
  for (const History& history : lts.histories()) {
    sets_.push_back(model.fair(lts.threads(), history));
    refuse_terminated(model, history, sets_.back());
  }
}

bool FairProduct::build(const Lts& lts, const models::Model& model, std::size_t max_states,
                        const StopSigns& signs) {
  const int threads = lts.threads();
  lts_.clear(threads, lts.stride_);
  fair_.sets_.clear();
  StateTable table;
  std::vector<Word> keys;  // state of `lts` << 32 | F
  std::map<std::pair<std::uint32_t, ThreadSet>, std::uint32_t> histories;

  const auto reach = [&](StateId state, ThreadSet fair) {
    const Word key = Word{state} << 32 | fair.bits();
    const StateId number = table.find_or_add(&key, keys);
    if (number == lts_.history_of_.size()) {
      const auto next = static_cast<std::uint32_t>(lts_.histories_.size());
      const auto [entry, is_new] = histories.try_emplace({lts.history_index(state), fair}, next);
      if (is_new) {
        refuse_terminated(model, lts.history(state), fair);
        lts_.histories_.push_back(lts.history(state));
        fair_.sets_.push_back(fair);
      }
      lts_.history_of_.push_back(entry->second);
      lts_.words_.insert(lts_.words_.end(), lts.words(state), lts.words(state) + lts.stride_);
    }
    return number;
  };

  reach(0, model.initial(threads));
  for (StateId source = 0; source < table.size(); ++source) {
    if (table.size() > max_states) return false;
    if (source % 1024 == 1023 && signs.seen() != Limit::none) return false;
    const auto state = static_cast<StateId>(keys[source] >> 32);
    const auto fair = ThreadSet::of_bits(static_cast<std::uint32_t>(keys[source]));
    const std::size_t row = lts_.successors_.size();
    lts_.successors_.resize(row + threads, kNoState);
    for (int thread : lts.alive(state)) {
      const StateId target = lts.successor(state, thread);
      const History& after = lts.history(target);
      const models::Event event{thread, after.terminated.contains(thread)};
      lts_.successors_[row + thread] = reach(target, model.next(threads, fair, event, after));
      ++lts_.transitions_;
    }
  }
  return true;
}

}  // namespace headway::checker
