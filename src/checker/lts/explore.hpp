// Builds the LTS of a program, breadth first.
#pragma once

#include <optional>

#include "base/bits/state_table.hpp"
#include "base/limits.hpp"
#include "checker/lts/lts.hpp"

namespace headway::checker {

inline constexpr std::size_t kDefaultMaxStates = 20'000'000;
// State numbers have 32 bits.
inline constexpr std::size_t kHighestMaxStates = std::size_t{4'000'000'000};

struct ExploreOptions {
  // Whether the history distinguishes states by the threads that have started. Without it,
  // History::started is {} everywhere and only models that do not look at it may be asked.
  bool track_started = true;
  // At most this many states are kept, and of programs that choose about as many transitions as
  // these have where each thread has one.
  std::size_t max_states = kDefaultMaxStates;
  // Exploration stops soon after these say so.
  StopSigns signs = {};
  // Whether to stop at the first state in which a thread has failed.
  bool stop_at_failure = false;
};

// Keeps its memory between programs, so that small programs cost no allocation. One a core.
class Explorer {
 public:
  // The LTS, valid until the next call; nullptr when it has more than `max_states` states, was
  // stopped, or a thread has failed and that is where to stop.
  const Lts* explore(const lang::Program& program, const ExploreOptions& options);

  // Why the latest call gave nullptr.
  Limit stopped_by() const { return stopped_by_; }
  // A shortest way to the first state in which a thread has failed; nothing when the latest call
  // found no such state. It may end with a nullptr at a limit and have found one all the same.
  std::optional<std::vector<Step>> way_to_failure() const;
  // What the latest call explored, also when it stopped at the limit.
  std::size_t explored_states() const { return lts_.states(); }
  std::size_t explored_transitions() const { return lts_.transitions(); }

 private:
  bool reach(const lang::Program& program, const ExploreOptions& options, const History& before,
             std::uint32_t history_index, Step step, bool terminates);
  std::uint32_t history_number(const History& history);

  Lts lts_;
  StateTable table_;
  StateTable history_table_;
  std::vector<Word> history_keys_;
  std::vector<Word> scratch_;
  Word* next_ = nullptr;  // in scratch_
  Limit stopped_by_ = Limit::none;
};

// Bytes that the LTS of a program takes at most for each state while it is built and judged, when
// each thread has one transition.
std::size_t lts_bytes_a_state(const lang::Program& program);

}  // namespace headway::checker
