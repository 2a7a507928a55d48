#include "checker/lts/explore.hpp"

#include <algorithm>
#include <cassert>

namespace headway::checker {

void Lts::clear(const Topology& topology, int stride) {
  topology_ = topology;
  stride_ = stride;
  words_.clear();
  transitions_.clear();
  begin_.clear();
  history_of_.clear();
  histories_.clear();
  stuck_.clear();
  failed_.clear();
  fair_choices_.clear();
}

std::uint32_t Explorer::history_number(const History& history) {
  const History::Key key = history.key();
  const std::uint32_t number = history_table_.find_or_add(key.data(), history_keys_);
  if (number == lts_.histories_.size()) lts_.histories_.push_back(history);
  return number;
}

// Adds the transition to the state in next_, which `step` has led to from a state with the history
// `before`. False when that is one state too many.
inline bool Explorer::reach(const lang::Program& program, const ExploreOptions& options,
                            const History& before, std::uint32_t history_index, Step step,
                            bool terminates) {
  const ThreadSet self = ThreadSet::single(step.thread);
  if (options.track_started) lang::Program::note(next_, self);
  const StateId target = table_.find_or_add(next_, lts_.words_);
  if (target == lts_.history_of_.size()) {
    if (target >= options.max_states) {
      stopped_by_ = Limit::states;
      return false;
    }
    History after = before;
    if (options.track_started) after.started |= self;
    if (terminates) after.terminated |= self;
    if (terminates && program.may_end_others()) after.terminated = program.terminated(next_);
    if (program.may_block()) after.blocked = program.blocked(next_);
    lts_.history_of_.push_back(after == before ? history_index : history_number(after));
    if (program.may_fail() && !program.failed(next_).empty()) lts_.failed_.push_back(target);
  }
  lts_.transitions_.push_back({target, step});
  return true;
}

namespace {

// Of programs that choose, so many transitions beyond one a thread and state are kept: what they
// take is little, and small programs with many choices are decided whatever the limit on states.
constexpr std::size_t kMoreTransitions = std::size_t{1} << 20;

std::size_t most_transitions(const lang::Program& program, std::size_t max_states) {
  constexpr std::size_t all = ~std::size_t{0};
  const auto threads = static_cast<std::size_t>(program.threads());
  if (!program.may_choose() || max_states > (all - kMoreTransitions) / threads) return all;
  return max_states * threads + kMoreTransitions;
}

}  // namespace

const Lts* Explorer::explore(const lang::Program& program, const ExploreOptions& options) {
  const int threads = program.threads();
  const auto stride = static_cast<std::size_t>(program.words());
  const bool may_choose = program.may_choose();
  lts_.clear(program.topology(), program.words());
  table_.clear(stride);
  history_table_.clear(History::Key().size());
  history_keys_.clear();
  scratch_.resize(stride * 2);
  Word* const state = scratch_.data();
  next_ = state + stride;
  stopped_by_ = Limit::none;

  program.initial(state);
  table_.find_or_add(state, lts_.words_);
  const std::size_t max_transitions = most_transitions(program, options.max_states);
  History history;
  history.terminated = program.terminated(state);
  if (program.may_block()) history.blocked = program.blocked(state);
  lts_.history_of_.push_back(history_number(history));
  assert(!program.may_fail() || program.failed(state).empty());
  std::size_t next_failed = 0;  // in lts_.failed_
  for (StateId source = 0; source < table_.size(); ++source) {
    if (source % 1024 == 1023) {
      stopped_by_ = options.signs.seen();
      if (stopped_by_ != Limit::none) return nullptr;
    }
    if (lts_.transitions_.size() > max_transitions) {
      stopped_by_ = Limit::states;
      return nullptr;
    }
    lts_.begin_.push_back(lts_.transitions_.size());
    if (program.may_choose_fairly()) lts_.fair_choices_.emplace_back();
    if (next_failed < lts_.failed_.size() && lts_.failed_[next_failed] == source) {
      ++next_failed;
      continue;
    }
    std::copy_n(lts_.words(source), stride, state);
    const std::uint32_t history_index = lts_.history_of_[source];
    history = lts_.histories_[history_index];
    const ThreadSet running = history.ready(threads);
    if (running.empty() && !history.blocked.empty()) lts_.stuck_.push_back(source);
    for (const int thread : running) {
      const int choices = may_choose ? program.choices(state, thread) : 1;
      assert(choices >= 1);
      if (program.may_choose_fairly() && choices > 1 && program.chooses_fairly(state, thread)) {
        lts_.fair_choices_.back() |= ThreadSet::single(thread);
      }
      for (int choice = 0; choice < choices; ++choice) {
        const Step step(thread, choice);
        const bool terminates = program.step(state, step, next_);
        if (!reach(program, options, history, history_index, step, terminates)) return nullptr;
        if (options.stop_at_failure && !lts_.failed_.empty()) return nullptr;
      }
    }
  }
  lts_.begin_.push_back(lts_.transitions_.size());
  return &lts_;
}

// States are numbered breadth first, so of all states that lead to one the lowest is on a shortest
// way to it.
std::optional<std::vector<Step>> Explorer::way_to_failure() const {
  if (lts_.failed_.empty()) return std::nullopt;
  std::vector<Step> way;
  for (StateId state = lts_.failed_.front(); state != 0;) {
    const auto entry =
        std::find_if(lts_.transitions_.begin(), lts_.transitions_.end(),
                     [&](const Transition& transition) { return transition.target == state; });
    assert(entry != lts_.transitions_.end());
    way.push_back(entry->step);
    const auto place = static_cast<std::size_t>(entry - lts_.transitions_.begin());
    const auto behind = std::upper_bound(lts_.begin_.begin(), lts_.begin_.end(), place);
    const auto source = static_cast<StateId>(behind - lts_.begin_.begin() - 1);
    assert(source < state);  // so that this ends
    state = source;
  }
  std::reverse(way.begin(), way.end());
  return way;
}

// A vector that grows holds up to three times its content: twice as much, and the old half. Then
// come the table of states and what Components and FairCycles note of a state.
std::size_t lts_bytes_a_state(const lang::Program& program) {
  const std::size_t content = static_cast<std::size_t>(program.words()) * sizeof(Word) +
                              static_cast<std::size_t>(program.threads()) * sizeof(Transition) +
                              sizeof(std::size_t) + sizeof(std::uint32_t);
  return 3 * content + 6 * sizeof(StateId) + 10 * sizeof(StateId);
}

}  // namespace headway::checker
