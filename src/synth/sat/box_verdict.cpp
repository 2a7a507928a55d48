#include "synth/sat/box_verdict.hpp"

#include <algorithm>

namespace headway::synth::sat {
namespace {

constexpr std::uint64_t kMaxProductStates = std::uint64_t{1} << 22;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
// Beyond this the sets of threads that may step are too many to try one after another.
constexpr int kMaxConstantThreads = 6;

// With barriers it changes along a cycle who waits.
bool is_constant(const std::vector<Filter>& filters, std::size_t index, const Bounds& bounds) {
  return !filters[index].passes && !bounds.barriers.any() &&
         bounds.threads <= kMaxConstantThreads &&
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
      constant_(is_constant(filters, index, space_.bounds)),
      states_(space_, kMaxProductStates),
      own_(constant_ ? index : 0) {
  if (states_.has_barriers()) {
    waiting_.emplace(filter_.model, launch_);
    return;
  }
  joint_.emplace(watched(filters, index, constant_), launch_);
  if (states_.size() * joint_->size() > kMaxProductStates) {
    throw Error("these bounds are too large for the SAT engine");
  }
  number_.resize(states_.size() * joint_->size());
  if (!constant_) return;
  for (std::uint32_t n = 0; n < joint_->size(); ++n) {
    allowed_.emplace_back(std::size_t{1} << threads_);
    for (std::uint32_t bits = 1; bits < allowed_[n].size(); ++bits) {
      allowed_[n][bits] = allows_cycle(filters, index, joint_->owed(n),
                                       groups_of(launch_, ThreadSet::of_bits(bits)));
    }
  }
  for (std::uint32_t bits = 1; bits < std::uint32_t{1} << threads_; ++bits) {
    const bool somewhere = std::any_of(allowed_.begin(), allowed_.end(),
                                       [&](const auto& allowed) { return allowed[bits]; });
    if (somewhere) cycles_.push_back(ThreadSet::of_bits(bits));
  }
}

BoxVerdict::Index BoxVerdict::visit(Index node, Index state) {
  const std::uint64_t key = std::uint64_t{node} * states_.size() + state;
  if (number_.empty()) {
    const Index number = table_.find_or_add(&key, order_);
    if (number == nodes_.size()) nodes_.push_back(node);
    return number;
  }
  const Index number = number_[key];
  if (number < order_.size() && order_[number] == key) return number;
  number_[key] = static_cast<Index>(order_.size());
  order_.push_back(key);
  nodes_.push_back(node);
  return number_[key];
}

// What each position can do with each content of memory, as differences between states, and which
// barriers it may be. If `certain`, nothing where it can do several things.
void BoxVerdict::tabulate(bool certain) {
  begin_.clear();
  changes_.clear();
  arrivals_.clear();
  for (int position = 0; position < space_.size(); ++position) {
    const Position& at = space_.positions[position];
    const Barriers barriers = program_.barriers(position);
    const auto kinds = static_cast<std::size_t>(std::popcount(barriers));
    bool accesses = false;
    for (Index m = 0; m < states_.memories(); ++m) {
      const auto first = static_cast<Index>(changes_.size());
      begin_.push_back(first);
      for (int l = 0; l < locations_; ++l) {
        const int old = states_.value(m, l);
        for (Outcomes left = program_.outcomes(position, l, old); left != 0; left &= left - 1) {
          const Index change = states_.change(at.thread, program_.next_pc(left) - at.index, l,
                                              program_.new_value(left) - old);
          if (std::find(changes_.begin() + first, changes_.end(), change) == changes_.end()) {
            changes_.push_back(change);
          }
        }
      }
      accesses = accesses || changes_.size() > first;
      if (certain && changes_.size() - first + kinds > 1) changes_.resize(first);
    }
    arrivals_.push_back(certain && kinds + (accesses ? 1 : 0) > 1 ? Barriers{0} : barriers);
  }
  begin_.push_back(static_cast<Index>(changes_.size()));
}

void BoxVerdict::add_edge(Index node, int thread, Index state) {
  const models::Event event{thread, states_.has_ended(state, thread)};
  const Index next =
      waiting_ ? waiting_->next(node, event, states_.waiting(state)) : joint_->next(node, event);
  targets_.push_back(visit(next, state));
}

// Explores the steps that some program of the box has or, if `certain`, those that every program
// has: of a thread that leads to the same state whatever the choice is.
void BoxVerdict::explore(bool certain) {
  using Phase = BoxStates::Phase;
  using Barrier = axb::Instruction::Barrier;
  tabulate(certain);
  order_.clear();
  table_.clear(1);
  nodes_.clear();
  edges_.clear();
  targets_.clear();
  stuck_ = false;
  visit(0, 0);
  for (Index head = 0; head < order_.size(); ++head) {
    const Index node = nodes_[head];
    const auto state = static_cast<Index>(order_[head] - std::uint64_t{node} * states_.size());
    stuck_ = stuck_ || states_.is_stuck(state);
    for (int t = 0; t < threads_; ++t) {
      edges_.push_back(static_cast<Index>(targets_.size()));
      if (states_.has_ended(state, t) || states_.waiting(state).contains(t)) continue;
      if (states_.phase(state, t) == Phase::passing) {
        add_edge(node, t, states_.pass(state, t));
        continue;
      }
      const int position = space_.first[t] + states_.pc(state, t);
      const Index row = position * states_.memories() + states_.memory(state);
      for (Index c = begin_[row]; c < begin_[row + 1]; ++c) {
        add_edge(node, t, states_.end(state + changes_[c], t));
      }
      for (const auto barrier : {Barrier::subgroup, Barrier::workgroup}) {
        if ((arrivals_[position] & bit_of(barrier)) == 0) continue;
        add_edge(node, t, states_.arrive(state, t, barrier));
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

// Every program of the box fails if all have the same fair cycle or come to the same state in which
// nobody can step, and passes if all their steps together lead to neither.
bool BoxVerdict::refutes(ThreadSet steps) {
  explore(filter_.passes);
  if (filter_.passes) return stuck_ || has_fair_cycle();
  return !stuck_ && !(steps.empty() ? has_fair_cycle() : has_fair_cycle(steps));
}

}  // namespace headway::synth::sat
