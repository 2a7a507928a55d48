#include "synth/sat/box_lts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace headway::synth::sat {

using Barrier = axb::Instruction::Barrier;

namespace {

constexpr std::uint64_t kMaxBoxStates = std::uint64_t{1} << 24;

}  // namespace

BoxLts::BoxLts(const BoxProgram& program)
    : program_(program),
      space_(program.space()),
      threads_(space_.bounds.threads),
      locations_(space_.bounds.locations),
      values_(space_.bounds.values),
      states_(space_, kMaxBoxStates) {
  event_.resize(locations_);
  mark_.resize(states_.size());
  number_.resize(states_.size());
}

template <class To>
void BoxLts::for_successors(std::uint32_t state, int thread, const To& to) const {
  using Phase = BoxStates::Phase;
  if (states_.has_ended(state, thread)) return;
  const int at = states_.pc(state, thread);
  const int position = space_.first[thread] + at;
  switch (states_.phase(state, thread)) {
    case Phase::before:
      for (int l = 0; l < locations_; ++l) {
        const int old = states_.value(states_.memory(state), l);
        for (Outcomes left = program_.outcomes(position, l, old); left != 0; left &= left - 1) {
          const std::uint32_t change = states_.change(thread, program_.next_pc(left) - at, l,
                                                      program_.new_value(left) - old);
          to(states_.end(state + change, thread));
        }
      }
      for (const auto barrier : {Barrier::subgroup, Barrier::workgroup}) {
        if ((program_.barriers(position) & bit_of(barrier)) == 0) continue;
        to(states_.arrive(state, thread, barrier));
      }
      return;
    case Phase::waits_in_subgroup:
    case Phase::waits_in_workgroup:
      return;
    case Phase::passing:
      to(states_.pass(state, thread));
      return;
  }
}

bool BoxLts::visit(std::uint32_t state) {
  if (mark_[state] == epoch_) return false;
  mark_[state] = epoch_;
  number_[state] = static_cast<std::uint32_t>(order_.size());
  order_.push_back(state);
  return true;
}

// Constraints 3 and 6 ask that some reachable step of an instruction do something: take the
// branch, not take it, change memory. What it does depends on the choice and on the value read, so
// the event is a set of values for each location that a choice of the instruction reads.
void BoxLts::set_event(const Reason& reason) {
  std::fill(event_.begin(), event_.end(), 0);
  const Position& position = space_.positions[reason.position];
  for (std::size_t choice = 0; choice < position.choices.size(); ++choice) {
    const axb::Instruction& i = position.choices[choice];
    if (!program_.box()[reason.position][choice]) continue;
    assert(!i.is_barrier());  // concerns()
    const std::uint32_t all = (1U << values_) - 1;
    std::uint32_t values = 1U << i.check_value;
    if (reason.constraint == Constraint::effective_stores) {
      values = all & ~(1U << i.exchange_value);
    } else if (!reason.taken) {
      values = all & ~values;
    }
    event_[i.location] |= values;
  }
}

bool BoxLts::reaches_event(int target) {
  ++epoch_;
  order_.clear();
  visit(0);
  // NOLINTNEXTLINE(modernize-loop-convert): it grows on the way
  for (std::size_t head = 0; head < order_.size(); ++head) {
    const std::uint32_t state = order_[head];
    for (int t = 0; t < threads_; ++t) {
      if (states_.has_ended(state, t)) continue;
      if (space_.first[t] + states_.pc(state, t) == target &&
          states_.phase(state, t) == BoxStates::Phase::before) {
        for (int l = 0; l < locations_; ++l) {
          if ((event_[l] >> states_.value(states_.memory(state), l) & 1) != 0) return true;
        }
      }
      for_successors(state, t, [&](std::uint32_t next) { visit(next); });
    }
  }
  return false;
}

void BoxLts::explore_edges() {
  ++epoch_;
  order_.clear();
  edges_.clear();
  targets_.clear();
  visit(0);
  // NOLINTNEXTLINE(modernize-loop-convert): it grows on the way
  for (std::size_t head = 0; head < order_.size(); ++head) {
    const std::uint32_t state = order_[head];
    for (int t = 0; t < threads_; ++t) {
      const auto begin = static_cast<std::uint32_t>(targets_.size());
      for_successors(state, t, [&](std::uint32_t next) {
        visit(next);
        targets_.push_back(number_[next]);
      });
      edges_.push_back({begin, static_cast<std::uint32_t>(targets_.size())});
    }
  }
}

// Kahn's algorithm: a graph is acyclic iff one can keep taking away states without predecessors
// until none is left.
bool BoxLts::is_acyclic() {
  explore_edges();
  degree_.assign(order_.size(), 0);
  for (const std::uint32_t target : targets_) ++degree_[target];
  queue_.clear();
  if (degree_[0] != 0) return false;
  queue_.push_back(0);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::uint32_t n = queue_[head];
    const std::size_t first = static_cast<std::size_t>(n) * threads_;
    const std::uint32_t begin = edges_[first].begin;
    const std::uint32_t end = edges_[first + threads_ - 1].end;
    for (std::uint32_t e = begin; e < end; ++e) {
      if (--degree_[targets_[e]] == 0) queue_.push_back(targets_[e]);
    }
  }
  return queue_.size() == order_.size();
}

// Every program of the box has a reachable state from which it cannot terminate if from the start
// one can force such a state: by choosing the threads that step, while an adversary chooses among
// the outcomes of each step. A state is stuck if no outcome of any steps terminates; it is lost if
// it is stuck or some thread's every outcome is lost. A program is one way of playing for the
// adversary, and stuck in the box is stuck in the program, so it loses wherever the box does.
bool BoxLts::must_get_stuck() {
  explore_edges();
  const std::size_t states = order_.size();
  flag_.assign(states, 0);  // may terminate, and then: is lost
  for (std::size_t n = 0; n < states; ++n) flag_[n] = states_.all_ended(order_[n]);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = states; n-- > 0;) {
      if (flag_[n]) continue;
      const std::uint32_t end = edges_[n * threads_ + threads_ - 1].end;
      for (std::uint32_t e = edges_[n * threads_].begin; e < end && !flag_[n]; ++e) {
        if (flag_[targets_[e]]) flag_[n] = 1;
      }
      changed |= flag_[n] != 0;
    }
  }
  bool some_stuck = false;
  for (auto& flag : flag_) {
    flag = !flag;
    some_stuck |= flag;
  }
  if (!some_stuck) return false;
  for (bool changed = true; changed && !flag_[0];) {
    changed = false;
    for (std::size_t n = states; n-- > 0;) {
      for (int t = 0; t < threads_ && !flag_[n]; ++t) {
        const auto [begin, end] = edges_[n * threads_ + t];
        flag_[n] = begin < end && std::all_of(targets_.begin() + begin, targets_.begin() + end,
                                              [&](std::uint32_t to) { return flag_[to] != 0; });
        changed |= flag_[n] != 0;
      }
    }
  }
  return flag_[0] != 0;
}

bool BoxLts::refutes(const Reason& reason) {
  switch (reason.constraint) {
    case Constraint::possible_termination:
      return must_get_stuck();
    case Constraint::non_termination_cycle:
      return is_acyclic();
    case Constraint::all_branches_possible:
    case Constraint::effective_stores:
      set_event(reason);
      return !reaches_event(reason.position);
    case Constraint::meaningful_comparisons:
    case Constraint::inter_thread_influence:
    case Constraint::meaningful_barriers:
      break;  // these are not about the LTS
  }
  assert(false);
  return false;
}

bool BoxLts::concerns(const Reason& reason, int choice) const {
  const Position& at = space_.positions[reason.position];
  const axb::Instruction& i = at.choices[choice];
  if (i.is_barrier()) return false;
  return reason.constraint == Constraint::effective_stores ? i.exchanges : !at.is_store(i);
}

}  // namespace headway::synth::sat
