#include "checker/explore.hpp"

#include <algorithm>

namespace headway::checker {

void Lts::clear(int threads, int stride) {
  threads_ = threads;
  stride_ = stride;
  transitions_ = 0;
  words_.clear();
  successors_.clear();
  history_of_.clear();
  histories_.clear();
}

std::uint32_t Explorer::history_number(const History& history) {
  const Word key = Word{history.started.bits()} << 32 | history.terminated.bits();
  const std::uint32_t number = history_table_.find_or_add(&key, history_keys_);
  if (number == lts_.histories_.size()) lts_.histories_.push_back(history);
  return number;
}

const Lts* Explorer::explore(const lang::Program& program, const ExploreOptions& options) {
  const int threads = program.threads();
  const auto stride = static_cast<std::size_t>(program.words());
  lts_.clear(threads, program.words());
  table_.clear(stride);
  history_table_.clear(1);
  history_keys_.clear();
  scratch_.resize(stride * 2);
  Word* const state = scratch_.data();
  Word* const next = state + stride;
  const StopSigns signs(options.stop, options.deadline);
  stopped_by_ = Limit::none;
  failed_ = kNoState;
  const bool may_fail = program.may_fail();

  program.initial(state);
  table_.find_or_add(state, lts_.words_);
  lts_.history_of_.push_back(history_number({{}, program.terminated(state)}));
  for (StateId source = 0; source < table_.size(); ++source) {
    if (source % 1024 == 1023) {
      stopped_by_ = signs.seen();
      if (stopped_by_ != Limit::none) return nullptr;
    }
    std::copy_n(lts_.words(source), stride, state);
    const std::uint32_t history_index = lts_.history_of_[source];
    const History history = lts_.histories_[history_index];
    const std::size_t row = lts_.successors_.size();
    lts_.successors_.resize(row + threads, kNoState);
    for (int thread : history.alive(threads)) {
      const bool terminates = program.step(state, thread, next);
      History after = history;
      if (options.track_started) {
        const ThreadSet self = ThreadSet::single(thread);
        after.started |= self;
        next[0] |= self.bits();
      }
      if (terminates) after.terminated |= ThreadSet::single(thread);
      const StateId target = table_.find_or_add(next, lts_.words_);
      if (target == lts_.history_of_.size()) {
        if (target >= options.max_states) {
          stopped_by_ = Limit::states;
          return nullptr;
        }
        lts_.history_of_.push_back(after == history ? history_index : history_number(after));
        if (may_fail && failed_ == kNoState && !program.failed(next).empty()) failed_ = target;
      }
      lts_.successors_[row + thread] = target;
      ++lts_.transitions_;
      if (failed_ != kNoState && options.stop_at_failure) return nullptr;
    }
  }
  return &lts_;
}

// States are numbered breadth first, so of all states that lead to one the lowest is on a shortest
// way to it.
std::optional<std::vector<int>> Explorer::way_to_failure() const {
  if (failed_ == kNoState) return std::nullopt;
  std::vector<int> way;
  for (StateId state = failed_; state != 0;) {
    const auto entry = std::find(lts_.successors_.begin(), lts_.successors_.end(), state);
    const auto place = static_cast<std::size_t>(entry - lts_.successors_.begin());
    way.push_back(static_cast<int>(place % static_cast<std::size_t>(lts_.threads_)));
    state = static_cast<StateId>(place / static_cast<std::size_t>(lts_.threads_));
  }
  std::reverse(way.begin(), way.end());
  return way;
}

// A vector that grows holds up to three times its content: twice as much, and the old half. Then
// come the table of states and what Components and FairCycles note of a state.
std::size_t lts_bytes_a_state(const lang::Program& program) {
  const std::size_t content = static_cast<std::size_t>(program.words()) * sizeof(Word) +
                              static_cast<std::size_t>(program.threads()) * sizeof(StateId) +
                              sizeof(std::uint32_t);
  return 3 * content + 6 * sizeof(StateId) + 8 * sizeof(StateId);
}

}  // namespace headway::checker
