#include "checker/lts/fair_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "base/error.hpp"
#include "models/scoped.hpp"

namespace headway::checker {

void refuse_terminated(const models::Model& model, const Topology& topology, const History& history,
                       const GroupSet& selected) {
  if (meet(topology, history.alive(topology.threads()), selected)) return;
  throw Error(
      fmt::format("model {} gives F = {} when {} have started and {} have terminated; "
                  "expected only {} that are alive",
                  model.name(), selected.to_string(topology), history.started.to_string(),
                  history.terminated.to_string(), topology.is_flat() ? "threads" : "groups"));
}

void refuse_unseen_instructions(const models::Model& model, const lang::Program& program) {
  if (!model.looks_at_instructions() || program.has_instructions()) return;
  throw Error(fmt::format(
      "model {} looks at the instructions of steps, and a program of this language has none; "
      "expected a test of AXB instructions (docs/reference/litmus-format.md)",
      model.name()));
}

namespace {

constexpr std::size_t kMostKnown = 100'000;  // some hundred bytes each

}  // namespace

void FairSets::add(const Lts& lts, const models::Model& model, const History& history,
                   const GroupSet& selected) {
  refuse_terminated(model, lts.topology(), history, selected);
  const GroupSet guaranteed = models::guaranteed(lts.topology(), selected);
  sets_.push_back(guaranteed);
  owed_.push_back(owed_groups(lts.topology(), history, guaranteed));
}

void FairSets::annotate(const Lts& lts, const models::Model& model) {
  assert(model.history_determined());
  sets_.clear();
  owed_.clear();
  if (!lts.topology().is_flat()) return look_up(lts, model);
  for (const History& history : lts.histories()) {
    add(lts, model, history, models::selection(model, lts.topology(), history));
  }
}

void FairSets::look_up(const Lts& lts, const models::Model& model) {
  if (known_size_ > kMostKnown) {
    known_.clear();
    known_size_ = 0;
  }
  KnownOfModel& known = known_[{model.serial(), lts.topology()}];
  for (const History& history : lts.histories()) {
    const auto entry = known.find(history.key());
    if (entry == known.end()) {
      add(lts, model, history, models::selection(model, lts.topology(), history));
      known.emplace(history.key(), Known{sets_.back(), owed_.back()});
      ++known_size_;
      continue;
    }
    sets_.push_back(entry->second.guaranteed);
    owed_.push_back(entry->second.owed);
  }
}

bool FairProduct::build(const lang::Program& program, const Lts& lts, const models::Model& model,
                        std::size_t max_states, const StopSigns& signs) {
  refuse_unseen_instructions(model, program);
  const Topology& topology = lts.topology();
  lts_.clear(topology, lts.stride_);
  fair_ = {};
  // The state of `lts`, and what is selected.
  constexpr std::size_t key_words = 1 + GroupSet::Key().size();
  StateTable table(key_words);
  std::vector<Word> keys;
  std::map<std::pair<std::uint32_t, GroupSet>, std::uint32_t> histories;

  const auto reach = [&](StateId state, const GroupSet& fair) {
    const GroupSet::Key selected = fair.key();
    const Word key[key_words] = {state, selected[0], selected[1], selected[2]};
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
      if (lts.has_fair_choices()) lts_.fair_choices_.push_back(lts.fair_choices(state));
    }
    return number;
  };

  reach(0, models::first_selection(model, topology, lts.history(0)));
  for (StateId source = 0; source < table.size(); ++source) {
    if (table.size() > max_states) return false;
    if (source % 1024 == 1023 && signs.seen() != Limit::none) return false;
    const Word* const key = keys.data() + key_words * source;
    const auto state = static_cast<StateId>(key[0]);
    const GroupSet fair = GroupSet::of_key(key + 1);
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
      const models::Event event{thread, after.terminated.contains(thread),
                                program.next_instruction(lts.words(state), thread)};
      // Where all threads end at once there is nobody left to guarantee anything to.
      const bool all_end = (after.terminated - lts.history(state).terminated).size() > 1;
      const StateId target =
          reach(transition.target,
                all_end ? GroupSet() : models::next_selection(model, topology, fair, event, after));
      lts_.transitions_.push_back({target, transition.step});
    }
  }
  lts_.begin_.push_back(lts_.transitions_.size());
  assert(lts_.states() == table.size() && fair_.sets_.size() == lts_.histories_.size());
  return true;
}

}  // namespace headway::checker
