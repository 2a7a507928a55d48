#include "kernel/literal/history.hpp"

#include <algorithm>
#include <stdexcept>

namespace headway::testing::literal {

using kernel::Order;
using kernel::Scope;

namespace {

bool is_both(Order order) { return order == Order::acquire_release || order == Order::seq_cst; }
bool gives(Order order) { return order == Order::release || is_both(order); }
bool takes(Order order) { return order == Order::acquire || is_both(order); }

bool is_sequential_fence(const Event& event) {
  return event.kind == Event::Kind::fence && event.order == Order::seq_cst;
}

bool is_atomic_access(const Event& event) {
  return event.kind == Event::Kind::access && event.is_atomic;
}

}  // namespace

void History::back_to(int size) {
  while (static_cast<int>(events_.size()) > size) {
    const Event& event = events_.back();
    last_[static_cast<std::size_t>(event.thread)] = event.previous;
    events_.pop_back();
  }
}

bool History::includes(Scope scope, int a, int b) const {
  switch (scope) {
    case Scope::thread:
      return a == b;
    case Scope::subgroup:
      return group(a) == group(b) &&
             a % group_threads_ / subgroup_ == b % group_threads_ / subgroup_;
    case Scope::workgroup:
      return group(a) == group(b);
    case Scope::device:
    case Scope::system:
      break;
  }
  return true;
}

bool History::reach_each_other(const Event& a, const Event& b) const {
  return includes(a.scope, a.thread, b.thread) && includes(b.scope, b.thread, a.thread);
}

// A store begins a sequence, an update goes on with one. An access of another width is not atomic
// to these (PTX ISA, "Morally strong operations"), so it ends one.
std::vector<History::Release> History::released_to(int read) const {
  std::vector<Release> result;
  int write = at(read).reads_from;
  while (write >= 0) {
    const Event& w = at(write);
    if (!w.is_atomic || !w.is_same_place(at(read))) break;
    if (gives(w.order)) result.push_back({write, w.scope});
    for (int f = 0; f < write; ++f) {
      const Event& fence = at(f);
      if (fence.kind == Event::Kind::fence && fence.thread == w.thread && gives(fence.order)) {
        result.push_back({f, std::min(fence.scope, w.scope)});
      }
    }
    if (!w.reads) break;
    write = w.reads_from;
  }
  return result;
}

void History::come_behind(Event& after, int before) const {
  after.earlier |= at(before).earlier;
  after.earlier.set(static_cast<std::size_t>(before));
}

void History::follow(Event& after, int before) const {
  after.before |= at(before).before;
  after.before.set(static_cast<std::size_t>(before));
  come_behind(after, before);
}

void History::acquire(Event& by, int read, Scope scope) const {
  for (const Release& release : released_to(read)) {
    const int from = at(release.event).thread;
    if (includes(release.scope, from, by.thread) && includes(scope, by.thread, from)) {
      follow(by, release.event);
    }
  }
}

void History::add(Event event) {
  const int number = size();
  if (number >= static_cast<int>(kMostEvents)) throw std::runtime_error("too many events");
  int& last = last_[static_cast<std::size_t>(event.thread)];
  event.previous = last;
  if (last >= 0) follow(event, last);
  if (is_atomic_access(event) && event.reads) {
    for (int e = number - 1; e >= 0 && event.reads_from < 0; --e) {
      if (at(e).writes && at(e).overlaps(event)) event.reads_from = e;
    }
  }
  events_.push_back(event);
  Event& added = events_.back();
  for (int e = 0; e < number && is_atomic_access(added); ++e) {
    const Event& old = at(e);
    if (is_atomic_access(old) && old.is_same_place(added) && (old.writes || added.writes)) {
      come_behind(added, e);
    }
  }
  // What follows a read that observes a write comes behind that, and behind the atomic accesses of
  // that place that the write comes behind.
  if (const int from = added.reads_from; causality_ && from >= 0 && at(from).is_atomic &&
                                         at(from).is_same_place(added) &&
                                         reach_each_other(at(from), added)) {
    added.before.set(static_cast<std::size_t>(from));
    for (int e = 0; e < from; ++e) {
      if (is_atomic_access(at(e)) && at(e).is_same_place(added) &&
          at(from).before[static_cast<std::size_t>(e)]) {
        added.before.set(static_cast<std::size_t>(e));
      }
    }
  }
  for (int e = 0; e < number && causality_; ++e) {
    if (is_sequential_fence(at(e)) && is_sequential_fence(added) &&
        added.earlier[static_cast<std::size_t>(e)] && reach_each_other(at(e), added)) {
      follow(added, e);
    }
  }
  if (added.kind == Event::Kind::fence && takes(added.order)) {
    for (int r = 0; r < number; ++r) {
      if (at(r).thread != added.thread || !at(r).is_atomic || !at(r).reads) continue;
      acquire(added, r, std::min(at(r).scope, added.scope));
    }
  }
  if (is_atomic_access(added) && added.reads && takes(added.order)) {
    acquire(added, number, added.scope);
  }
  last = number;
}

void History::meet(const std::vector<int>& threads) {
  Events all, earlier;
  for (const int t : threads) {
    const int last = last_[static_cast<std::size_t>(t)];
    if (last < 0) continue;
    all |= at(last).before;
    all.set(static_cast<std::size_t>(last));
    earlier |= at(last).earlier;
    earlier.set(static_cast<std::size_t>(last));
  }
  for (const int t : threads) {
    Event event;
    event.kind = Event::Kind::passing;
    event.thread = t;
    event.before = all;
    event.earlier = earlier;
    add(event);
  }
}

// With one of another thread that does not happen before it. Two atomic accesses that reach each
// other do not race if they are of the same bytes; nor do plain writes of the same value.
bool History::races() const {
  const Event& made = events_.back();
  for (int e = 0; e + 1 < size(); ++e) {
    const Event& old = at(e);
    if (old.kind != Event::Kind::access || old.thread == made.thread) continue;
    if (!old.overlaps(made) || !(old.writes || made.writes)) continue;
    if (made.before[static_cast<std::size_t>(e)]) continue;
    const bool atomic = old.is_atomic && made.is_atomic;
    if (atomic && old.is_same_place(made) && reach_each_other(old, made)) continue;
    if (old.writes && made.writes && !old.is_atomic && !made.is_atomic) {
      bool same = true;
      const std::uint64_t end = std::min(old.at + static_cast<unsigned>(old.bytes),
                                         made.at + static_cast<unsigned>(made.bytes));
      for (std::uint64_t b = std::max(old.at, made.at); b < end; ++b) {
        same = same && old.made[b - old.at] == made.made[b - made.at];
      }
      if (same) continue;
    }
    return true;
  }
  return false;
}

}  // namespace headway::testing::literal
