#include "synth/sat/box_verdict.hpp"

#include <algorithm>

namespace headway::synth::sat {
namespace {

constexpr std::uint64_t kMaxProductStates = std::uint64_t{1} << 22;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
// Beyond this the sets of threads that may step are too many to try one after another.
constexpr int kMaxConstantThreads = 6;

bool is_constant(const std::vector<Filter>& filters, std::size_t index, int threads) {
  return !filters[index].passes && threads <= kMaxConstantThreads &&
         std::all_of(filters.begin(), filters.end(),
                     [](const Filter& filter) { return filter.model->history_determined(); });
}

std::vector<models::ModelPtr> watched(const std::vector<Filter>& filters, std::size_t index,
                                      bool all) {
  if (!all) return {filters[index].model};
  std::vector<models::ModelPtr> result;
  result.reserve(filters.size());
  for (const Filter& filter : filters) result.push_back(filter.model);
  return result;
}

}  // namespace

BoxVerdict::BoxVerdict(const BoxProgram& program, const std::vector<Filter>& filters,
                       std::size_t index)
    : program_(program),
      space_(program.space()),
      launch_(space_.bounds.topology()),
      filter_(filters[index]),
      threads_(space_.bounds.threads),
      locations_(space_.bounds.locations),
      values_(space_.bounds.values),
      constant_(is_constant(filters, index, threads_)),
      automaton_(watched(filters, index, constant_), launch_),
      own_(constant_ ? index : 0) {
  std::uint64_t states = 1;
  const auto grow = [&](std::uint64_t factor) {
    states *= factor;
    if (states > kMaxProductStates) throw Error("these bounds are too large for the SAT engine");
  };
  for (int l = 0; l < locations_; ++l) {
    memory_stride_.push_back(static_cast<Index>(states));
    grow(static_cast<std::uint64_t>(values_));
  }
  memories_ = static_cast<Index>(states);
  for (const int length : space_.shape) {
    pc_stride_.push_back(static_cast<Index>(states));
    grow(static_cast<std::uint64_t>(length) + 1);
  }
  states_ = static_cast<Index>(states);
  grow(automaton_.size());
  for (Index m = 0; m < memories_; ++m) {
    for (int l = 0; l < locations_; ++l) {
      memory_values_.push_back(static_cast<std::uint8_t>(m / memory_stride_[l] % values_));
    }
  }
  for (Index p = 0; p < states_ / memories_; ++p) {
    for (int t = 0; t < threads_; ++t) {
      pcs_.push_back(
          static_cast<std::uint8_t>(p * memories_ / pc_stride_[t] % (space_.shape[t] + 1)));
    }
  }
  number_.resize(states);
  if (!constant_) return;
  for (std::uint32_t n = 0; n < automaton_.size(); ++n) {
    allowed_.emplace_back(std::size_t{1} << threads_);
    for (std::uint32_t bits = 1; bits < allowed_[n].size(); ++bits) {
      allowed_[n][bits] = allows_cycle(filters, index, automaton_.owed(n),
                                       groups_of(launch_, ThreadSet::of_bits(bits)));
    }
  }
  for (std::uint32_t bits = 1; bits < std::uint32_t{1} << threads_; ++bits) {
    const bool somewhere = std::any_of(allowed_.begin(), allowed_.end(),
                                       [&](const auto& allowed) { return allowed[bits]; });
    if (somewhere) cycles_.push_back(ThreadSet::of_bits(bits));
  }
}

BoxVerdict::Index BoxVerdict::visit(Index node, Index program_state) {
  const Index state = node * states_ + program_state;
  const Index number = number_[state];
  if (number < order_.size() && order_[number] == state) return number;
  number_[state] = static_cast<Index>(order_.size());
  order_.push_back(state);
  nodes_.push_back(node);
  return number_[state];
}

// What each position can do with each content of memory, as differences between states.
void BoxVerdict::tabulate(bool certain) {
  begin_.clear();
  changes_.clear();
  for (int position = 0; position < space_.size(); ++position) {
    const Position& at = space_.positions[position];
    for (Index m = 0; m < memories_; ++m) {
      const auto first = static_cast<Index>(changes_.size());
      begin_.push_back(first);
      for (int l = 0; l < locations_; ++l) {
        const int old = memory_values_[m * locations_ + l];
        for (Outcomes left = program_.outcomes(position, l, old); left != 0; left &= left - 1) {
          const int pc = program_.next_pc(left);
          const Change change{(pc - at.index) * pc_stride_[at.thread] +
                                  (program_.new_value(left) - old) * memory_stride_[l],
                              pc == at.length};
          const auto same = [&](const Change& other) { return other.to == change.to; };
          if (std::none_of(changes_.begin() + first, changes_.end(), same)) {
            changes_.push_back(change);
          }
        }
      }
      if (certain && changes_.size() - first > 1) changes_.resize(first);
    }
  }
  begin_.push_back(static_cast<Index>(changes_.size()));
}

// Explores the steps that some program of the box has or, if `certain`, those that every program
// has: of a thread that leads to the same state whatever the choice is.
void BoxVerdict::explore(bool certain) {
  tabulate(certain);
  order_.clear();
  nodes_.clear();
  edges_.clear();
  targets_.clear();
  visit(0, 0);
  for (Index head = 0; head < order_.size(); ++head) {
    const Index node = nodes_[head];
    const Index state = order_[head] - node * states_;
    const std::uint8_t* pcs = &pcs_[static_cast<std::size_t>(state / memories_) * threads_];
    const Index memory = state % memories_;
    for (int t = 0; t < threads_; ++t) {
      edges_.push_back(static_cast<Index>(targets_.size()));
      if (pcs[t] == space_.shape[t]) continue;
      const Index row = (space_.first[t] + pcs[t]) * memories_ + memory;
      for (Index c = begin_[row]; c < begin_[row + 1]; ++c) {
        const Index next = automaton_.next(node, {t, changes_[c].terminates});
        targets_.push_back(visit(next, state + changes_[c].to));
      }
    }
  }
  edges_.push_back(static_cast<Index>(targets_.size()));
}

// Tarjan's algorithm without recursion. The edges of a state lie together, thread after thread; a
// frame's edge skips those of threads that do not move.
void BoxVerdict::find_components() {
  const auto size = static_cast<Index>(order_.size());
  component_.assign(size, kNone);
  low_.assign(size, 0);  // the earliest visit that a state is seen to reach, from 1; 0: unvisited
  components_ = 0;
  Index visits = 0;
  const auto enter = [&](Index n) {
    low_[n] = ++visits;
    frames_.push_back({n, 0, visits});
    stack_.push_back(n);
  };
  const auto next_target = [&](Frame& frame) {
    const Index begin = edges_[static_cast<std::size_t>(frame.number) * threads_];
    for (int t = 0; t < threads_; ++t) {
      const Index end = edges_[frame.number * threads_ + t + 1];
      if (begin + frame.edge >= end) continue;
      if (moving_.contains(t)) return targets_[begin + frame.edge++];
      frame.edge = end - begin;
    }
    return kNone;
  };
  for (Index root = 0; root < size; ++root) {
    if (!kept_[root] || low_[root] != 0) continue;
    enter(root);
    while (!frames_.empty()) {
      const Index n = frames_.back().number;
      const Index to = next_target(frames_.back());
      if (to != kNone) {
        if (!kept_[to] || component_[to] != kNone) continue;
        if (low_[to] == 0) {
          enter(to);
        } else {
          low_[n] = std::min(low_[n], low_[to]);
        }
        continue;
      }
      const Index visit = frames_.back().visit;
      frames_.pop_back();
      if (low_[n] < visit) {
        Index& before = low_[frames_.back().number];
        before = std::min(before, low_[n]);
        continue;
      }
      Index member;
      do {
        member = stack_.back();
        stack_.pop_back();
        component_[member] = components_;
      } while (member != n);
      ++components_;
    }
  }
}

// Adds the threads that have a step from the state that stays in its component.
void BoxVerdict::add_steps(Index number, ThreadSet& steps) const {
  for (int t : moving_) {
    for (Index e = edges_[number * threads_ + t]; e < edges_[number * threads_ + t + 1]; ++e) {
      if (component_[targets_[e]] == component_[number]) steps |= ThreadSet::single(t);
    }
  }
}

// As in checker/lts/fair_cycles.cpp. Among the steps of all programs of a box, a component contains
// that of each program, which takes fewer steps and visits fewer states. `exactly`: all threads
// that move must step.
bool BoxVerdict::has_weak(bool exactly) {
  steps_.assign(components_, {});
  always_.assign(components_, groups_of(launch_, ThreadSet::first(threads_)));
  for (Index n = 0; n < order_.size(); ++n) {
    if (!kept_[n]) continue;
    always_[component_[n]] &= owed(n);
    add_steps(n, steps_[component_[n]]);
  }
  for (Index c = 0; c < components_; ++c) {
    if (exactly ? steps_[c] == moving_
                : !steps_[c].empty() && groups_of(launch_, steps_[c]).includes(always_[c])) {
      return true;
    }
  }
  return false;
}

// A state is on no strongly fair cycle if some group that is owed a step has none that stays in the
// component. Among the steps of all programs that drops no more states than in each program;
// among the certain steps, which each program has, it drops no fewer.
bool BoxVerdict::has_strong(bool exactly) {
  for (;;) {
    bool dropped = false;
    steps_.assign(components_, {});
    for (Index n = 0; n < order_.size(); ++n) {
      if (!kept_[n]) continue;
      ThreadSet stay;
      add_steps(n, stay);
      steps_[component_[n]] |= stay;
      if (!stay.empty() && groups_of(launch_, stay).includes(owed(n))) continue;
      kept_[n] = 0;
      dropped = true;
    }
    if (!dropped) {
      return std::any_of(steps_.begin(), steps_.end(), [&](ThreadSet steps) {
        return exactly ? steps == moving_ : !steps.empty();
      });
    }
    find_components();
  }
}

bool BoxVerdict::has_fair_cycle() {
  kept_.assign(order_.size(), 1);
  moving_ = ThreadSet::first(threads_);
  find_components();
  return filter_.fairness == models::Fairness::weak ? has_weak(false) : has_strong(false);
}

// The same for cycles of just these threads, in nodes where that is allowed.
bool BoxVerdict::has_fair_cycle(ThreadSet steps) {
  kept_.resize(order_.size());
  for (Index n = 0; n < order_.size(); ++n) kept_[n] = allowed_[nodes_[n]][steps.bits()];
  moving_ = steps;
  find_components();
  return filter_.fairness == models::Fairness::weak ? has_weak(true) : has_strong(true);
}

// Every program of the box fails if all have the same fair cycle, and passes if all their steps
// together make none.
bool BoxVerdict::refutes(ThreadSet steps) {
  explore(filter_.passes);
  if (filter_.passes) return has_fair_cycle();
  return !(steps.empty() ? has_fair_cycle() : has_fair_cycle(steps));
}

}  // namespace headway::synth::sat
