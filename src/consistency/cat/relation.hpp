// Sets of events and relations between them, for graphs of at most 64 events: a word a set, a row
// of words a relation.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace headway::consistency {

inline constexpr int kMaxEvents = 64;

// Bit e: event e is in it.
using EventSet = std::uint64_t;

constexpr EventSet single(int event) { return EventSet{1} << event; }
constexpr EventSet first_events(int count) {
  return count >= kMaxEvents ? ~EventSet{0} : single(count) - 1;
}

// Calls `to` with each event of a set, the lowest first.
template <class To>
void for_events(EventSet set, const To& to) {
  for (; set != 0; set &= set - 1) to(std::countr_zero(set));
}

class Relation {
 public:
  explicit Relation(int events = 0) : events_(events) { assert(events <= kMaxEvents); }

  static Relation identity(int events, EventSet of) {
    Relation result(events);
    for_events(of, [&](int e) { result.rows_[e] = single(e); });
    return result;
  }
  static Relation product(int events, EventSet from, EventSet to) {
    Relation result(events);
    for_events(from, [&](int e) { result.rows_[e] = to; });
    return result;
  }

  int events() const { return events_; }
  bool has(int from, int to) const { return (rows_[from] >> to & 1) != 0; }
  void add(int from, int to) { rows_[from] |= single(to); }
  void remove(int from, int to) { rows_[from] &= ~single(to); }
  EventSet from(int event) const { return rows_[event]; }
  void set_from(int event, EventSet to) { rows_[event] = to; }

  EventSet domain() const {
    EventSet result = 0;
    for (int e = 0; e < events_; ++e) result |= rows_[e] != 0 ? single(e) : 0;
    return result;
  }
  EventSet range() const {
    EventSet result = 0;
    for (int e = 0; e < events_; ++e) result |= rows_[e];
    return result;
  }
  bool empty() const { return range() == 0; }
  bool irreflexive() const {
    for (int e = 0; e < events_; ++e) {
      if (has(e, e)) return false;
    }
    return true;
  }
  bool acyclic() const { return closure().irreflexive(); }

  Relation operator|(const Relation& other) const {
    return combined(other, [](EventSet a, EventSet b) { return a | b; });
  }
  Relation operator&(const Relation& other) const {
    return combined(other, [](EventSet a, EventSet b) { return a & b; });
  }
  Relation operator-(const Relation& other) const {
    return combined(other, [](EventSet a, EventSet b) { return a & ~b; });
  }
  // The pairs that have an event between them: from here to it, and from it there.
  Relation then(const Relation& other) const {
    Relation result(events_);
    for (int e = 0; e < events_; ++e) {
      for_events(rows_[e], [&](int between) { result.rows_[e] |= other.rows_[between]; });
    }
    return result;
  }
  Relation inverse() const {
    Relation result(events_);
    for (int e = 0; e < events_; ++e) for_events(rows_[e], [&](int to) { result.add(to, e); });
    return result;
  }
  // Warshall's algorithm, a row at a time.
  Relation closure() const {
    Relation result = *this;
    for (int between = 0; between < events_; ++between) {
      for (int e = 0; e < events_; ++e) {
        if (result.has(e, between)) result.rows_[e] |= result.rows_[between];
      }
    }
    return result;
  }

  friend bool operator==(const Relation& a, const Relation& b) {
    return a.events_ == b.events_ && a.rows_ == b.rows_;
  }

 private:
  template <class Combine>
  Relation combined(const Relation& other, const Combine& combine) const {
    assert(events_ == other.events_);
    Relation result(events_);
    for (int e = 0; e < events_; ++e) result.rows_[e] = combine(rows_[e], other.rows_[e]);
    return result;
  }

  int events_;
  std::array<EventSet, kMaxEvents> rows_{};  // of an event, those that it is related to
};

}  // namespace headway::consistency
