// Decides whether a component of a layer has a strongly fair part: a state, and a fair set that
// meets a demand, such that steps of the fair set alone never leave the component. They never do
// exactly when the graph of such steps has a component that none of them leaves. With symmetry the
// threads of the fair set are marked (docs/internals/exploration.md, symmetry, 4).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "base/bits/state_table.hpp"
#include "base/graph/scc_search.hpp"
#include "checker/sweep/demands.hpp"
#include "checker/sweep/table_space.hpp"

namespace headway::checker {

template <int Words, bool Symmetric>
class ClosedPart {
 public:
  using State = PackedState<Words>;
  using LocalRow = typename TableSpace<Words, Symmetric>::LocalRow;
  using Outcome = typename TableSpace<Words, Symmetric>::Outcome;
  using Kind = PackedProgram::Kind;

  ClosedPart(const TableSpace<Words, Symmetric>& space, const StateSet<State>& set,
             const SccSearch& components)
      : space_(space), set_(set), components_(components), table_(Words + 1) {}

  // `go_on` is asked now and then; once it has said false the answer is no, whatever is true.
  template <class GoOn>
  bool exists(std::span<const std::uint32_t> members, const Stages& stages, ThreadSet demand,
              const GoOn& go_on) {
    assert((demand & (stages.fresh | stages.ended)).empty());
    table_.clear(Words + 1);
    keys_.clear();
    inside_ = members.front();
    std::size_t asked_at = kAsk;
    for (const std::uint32_t member : members) {
      mark(set_[member], stages, demand, 0, {});
      if (table_.size() < asked_at) continue;
      asked_at = table_.size() + kAsk;
      if (!go_on()) return false;
    }
    search_.clear();
    found_ = false;
    asked_at = kAsk;
    for (std::uint32_t node = 0; node < table_.size() && !found_; ++node) {
      if (!search_.visited(node)) search_.visit(node, *this);
      if (node < asked_at) continue;
      asked_at = node + kAsk;
      if (!go_on()) return false;
    }
    return found_;
  }

  // Memory that it holds, about.
  std::size_t bytes() const {
    return keys_.capacity() * sizeof(std::uint64_t) + table_.size() * 4 * sizeof(std::uint32_t) +
           search_.bytes();
  }

  // For SccSearch. A node is a state with marks.
  std::uint32_t next(std::uint32_t node, int& cursor) const {
    for (; cursor < space_.threads(); ++cursor) {
      const Way way = follow(node, cursor);
      if (way.kind != Way::inside) continue;
      ++cursor;
      return way.target;
    }
    return SccSearch::kNone;
  }

  bool component(std::span<const std::uint32_t> members) {
    for (const std::uint32_t node : members) {
      for (int slot = 0; slot < space_.threads(); ++slot) {
        const Way way = follow(node, slot);
        if (way.kind == Way::out) return true;
        if (way.kind == Way::inside && !search_.together(node, way.target)) return true;
      }
    }
    found_ = true;
    return false;
  }

 private:
  static constexpr std::size_t kAsk = 16'384;  // after so many nodes

  // What a step of the thread at a slot does: nothing (or it is not guaranteed), it leads to a
  // node, or out of the component.
  struct Way {
    enum { none, inside, out } kind = none;
    std::uint32_t target = 0;
  };

  State state_of(std::uint32_t node) const {
    State state;
    std::copy_n(keys_.data() + std::size_t{node} * (Words + 1), Words, state.words);
    return state;
  }
  ThreadSet marks_of(std::uint32_t node) const {
    const auto bits = keys_[std::size_t{node} * (Words + 1) + Words];
    return ThreadSet::of_bits(bits);
  }
  static std::array<std::uint64_t, Words + 1> key(const State& state, ThreadSet marks) {
    std::array<std::uint64_t, Words + 1> key;
    std::copy_n(state.words, Words, key.begin());
    key[Words] = marks.bits();
    return key;
  }

  // Adds `state` with every way to mark as many running threads of each kind as `demand` says,
  // those of slots before `slot` being marked. Of a group the first ones are marked.
  void mark(const State& state, const Stages& stages, ThreadSet demand, int slot, ThreadSet marks) {
    if (slot == space_.threads()) {
      table_.find_or_add(key(state, marks).data(), keys_);
      return;
    }
    const std::uint64_t own = space_.code(state, slot);
    int end = slot + 1;  // of the group
    while (space_.has_equal_next(state, end - 1, own)) ++end;
    const Kind& kind = space_.kind(slot);
    const bool running = !(stages.fresh | stages.ended).contains(slot);
    const int wanted = (demand & kind.slots()).size() - (marks & kind.slots()).size();
    const bool last = end == kind.first + kind.size;
    assert(wanted >= 0);
    for (int count = last ? wanted : 0; count <= wanted && count <= end - slot; ++count) {
      if (count > 0 && !running) break;
      mark(state, stages, demand, end,
           marks | (ThreadSet::first(slot + count) - ThreadSet::first(slot)));
    }
  }

  Way follow(std::uint32_t node, int slot) const {
    const ThreadSet marks = marks_of(node);
    if (!marks.contains(slot)) return {};
    const State state = state_of(node);
    const std::uint64_t own = space_.code(state, slot);
    const bool next_equal = space_.has_equal_next(state, slot, own);
    if (next_equal && marks.contains(slot + 1)) return {};  // its step is the same
    const LocalRow& local = space_.local(slot, own);
    const Outcome& outcome = space_.outcome(state, local);
    if (outcome.spins != 0) return {};
    if (outcome.climb > 0) return {Way::out};
    // The sorting wants the last of the group, which is as good as the last marked one.
    int last = slot;
    while (space_.has_equal_next(state, last, own)) ++last;
    const State next = space_.step(state, last, own, local, outcome);
    const std::uint32_t number = set_.find(next);
    assert(number != StateSet<State>::kNone);
    if (!components_.together(number, inside_)) return {Way::out};
    const auto target = key(next, moved(state, marks, next, slot, own, own ^ outcome.code));
    const std::uint32_t found = find(target);
    return {Way::inside, found};
  }

  // The marks after a thread of `slot`'s group has gone to another group of its kind.
  ThreadSet moved(const State& state, ThreadSet marks, const State& next, int slot,
                  std::uint64_t from, std::uint64_t to) const {
    const Kind& kind = space_.kind(slot);
    if (kind.size == 1) return marks;
    ThreadSet result = marks - kind.slots();
    const int end = kind.first + kind.size;
    for (int first = kind.first; first < end;) {
      const std::uint64_t code = space_.code(next, first);
      int count = (code == to ? 1 : 0) - (code == from ? 1 : 0);
      for (int s = kind.first; s < end; ++s) {
        count += marks.contains(s) && space_.code(state, s) == code ? 1 : 0;
      }
      result |= ThreadSet::first(first + count) - ThreadSet::first(first);
      do {
        ++first;
      } while (first < end && space_.code(next, first) == code);
    }
    assert(result.size() == marks.size());
    return result;
  }

  std::uint32_t find(const std::array<std::uint64_t, Words + 1>& wanted) const {
    const std::uint32_t number = table_.find(wanted.data(), keys_);
    assert(number < table_.size());
    return number;
  }

  const TableSpace<Words, Symmetric>& space_;
  const StateSet<State>& set_;
  const SccSearch& components_;
  StateTable table_;
  std::vector<std::uint64_t> keys_;
  SccSearch search_;
  std::uint32_t inside_ = 0;
  bool found_ = false;
};

}  // namespace headway::checker
