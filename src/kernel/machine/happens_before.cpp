#include "kernel/machine/happens_before.hpp"

#include <algorithm>
#include <cassert>

namespace headway::kernel {

HappensBefore::HappensBefore(const Places& places, const Options& options)
    : places_(places),
      split_(options.split),
      count_benign_(options.count_benign),
      strong_(options.strong),
      threads_(static_cast<std::size_t>(places.threads)) {}

bool HappensBefore::ordered(const Access& before, int thread, bool is_local) const {
  if (before.is_private() && static_cast<int>(before.thread) != thread) return false;
  return known(threads_[static_cast<std::size_t>(thread)], thread, static_cast<int>(before.thread),
               kind(is_local)) >= before.time;
}

HappensBefore::Shadow& HappensBefore::writable(Instance object) {
  std::shared_ptr<Shadow>& shadow = shadows_[object];
  if (!shadow) {
    shadow = std::make_shared<Shadow>();
  } else if (shadow.use_count() > 1) {
    shadow = std::make_shared<Shadow>(*shadow);
  }
  return *shadow;
}

void HappensBefore::forget(Instance object) {
  shadows_.erase(object);
  cells_.erase(cells_.lower_bound({object, 0}), cells_.lower_bound({object + 1, 0}));
}

// Makes no place reach over `at`.
void HappensBefore::split_at(Shadow& shadow, std::uint64_t at) {
  auto next = shadow.upper_bound(at);
  if (next == shadow.begin()) return;
  auto& [begin, place] = *std::prev(next);
  if (begin == at || begin + place.bytes <= at) return;
  Place rest = place;
  rest.bytes = static_cast<std::uint32_t>(begin + place.bytes - at);
  place.bytes = static_cast<std::uint32_t>(at - begin);
  shadow.emplace(at, std::move(rest));
}

std::vector<Access> HappensBefore::access(Instance object, bool is_local, std::uint64_t at,
                                          std::uint64_t bytes, Access made,
                                          std::uint64_t same_bytes) {
  std::vector<Access> conflicts;
  if (bytes == 0) return conflicts;
  is_local_[object] = is_local;
  made.time = time(static_cast<int>(made.thread), is_local);
  Shadow& shadow = writable(object);
  split_at(shadow, at);
  split_at(shadow, at + bytes);
  const auto is_same = [&](std::uint64_t place) {
    return place - at < 8 && (same_bytes >> (place - at) & 1) != 0;
  };
  if (same_bytes != 0) {  // bytes that change are apart from those that do not
    for (std::uint64_t b = at + 1; b < at + bytes; ++b) {
      if (is_same(b) != is_same(b - 1)) split_at(shadow, b);
    }
  }
  const int thread = static_cast<int>(made.thread);
  std::uint64_t from = at;
  auto place = shadow.lower_bound(at);
  while (from < at + bytes) {
    if (place == shadow.end() || place->first > from) {
      std::uint64_t to = place == shadow.end() ? at + bytes : std::min(place->first, at + bytes);
      for (std::uint64_t b = from + 1; b < to && same_bytes != 0; ++b) {
        if (is_same(b) != is_same(b - 1)) to = b;
      }
      place = shadow.emplace_hint(place, from, Place{static_cast<std::uint32_t>(to - from), {}});
    }
    std::vector<Access>& all = place->second.accesses;
    std::size_t kept = 0;
    const bool same_value = is_same(from) && !count_benign_;
    Access here = made;
    for (Access& old : all) {
      const int other = static_cast<int>(old.thread);
      const bool behind = ordered(old, thread, is_local) && (other == thread || !made.is_private());
      const bool conflict = !behind && (old.writes || made.writes) &&
                            !(old.is_atomic && made.is_atomic &&
                              (strong_ || (places_.in_scope(old.scope, other, thread) &&
                                           places_.in_scope(made.scope, thread, other)))) &&
                            !(old.writes && made.writes && same_value && !old.mixed &&
                              !old.is_atomic && !made.is_atomic);
      if (conflict) conflicts.push_back(old);
      // A later access that races with an ordered old one races with this one, too, if this one
      // conflicts with all that the old one does.
      bool covers = behind && made.guard == smt::Term{1} && (made.writes || !old.writes) &&
                    (made.is_private() || !old.is_private()) &&
                    (!made.is_atomic || (old.is_atomic && made.scope <= old.scope));
      const bool is_like = old.writes && !old.is_atomic && !old.mixed && same_value;
      if (covers && made.writes && !made.is_atomic && !count_benign_ && !is_like) {
        // A write to come of the same value may conflict with the old access alone. One stands for
        // both where all that is ordered behind the one is ordered behind the other.
        covers = old.thread == made.thread && old.time == here.time;
        here.mixed = here.mixed || covers;
      }
      if (covers) continue;
      if (made.writes && old.writes && !same_value && !old.is_atomic) old.mixed = !count_benign_;
      all[kept++] = old;
    }
    all.resize(kept);
    all.insert(std::lower_bound(all.begin(), all.end(), here), here);
    from = place->first + place->second.bytes;
    ++place;
  }
  return conflicts;
}

HappensBefore::ClockPtr HappensBefore::snapshot(int thread, int kind) const {
  const Thread& of = threads_[static_cast<std::size_t>(thread)];
  auto clock = std::make_shared<Clock>(
      of.known[kind] ? *of.known[kind] : Clock(static_cast<std::size_t>(places_.threads)));
  (*clock)[static_cast<std::size_t>(thread)] = of.own[kind];
  return clock;
}

void HappensBefore::join(int thread, int kind, const Clock& more) {
  Thread& of = threads_[static_cast<std::size_t>(thread)];
  auto joined = std::make_shared<Clock>(more);
  if (of.known[kind]) {
    for (std::size_t i = 0; i < joined->size(); ++i) {
      (*joined)[i] = std::max((*joined)[i], (*of.known[kind])[i]);
    }
  }
  (*joined)[static_cast<std::size_t>(thread)] = 0;  // `own` says it
  of.known[kind] = std::move(joined);
}

void HappensBefore::take(int thread, Scope scope, const Released& released) {
  if (!places_.in_scope(released.scope, released.thread, thread) ||
      !places_.in_scope(scope, thread, released.thread)) {
    return;
  }
  for (int k = 0; k < kinds(); ++k) {
    if (released.clock[k]) join(thread, k, *released.clock[k]);
  }
}

void HappensBefore::load(Instance object, std::uint64_t at, int thread, Order order, Scope scope,
                         int memory) {
  const auto found = cells_.find({object, at});
  if (found == cells_.end()) return;
  if (strong_) {
    order = Order::acquire_release;
    scope = Scope::system;
    memory = 3;
  }
  const bool acquires = order == Order::acquire || order >= Order::acquire_release;
  for (const Released& released : found->second) {
    if (acquires) {
      Released taken = released;
      for (int k = 0; k < kinds(); ++k) {
        if (!orders(k, memory)) taken.clock[k] = nullptr;
      }
      take(thread, scope, taken);
    } else if (places_.in_scope(scope, thread, released.thread)) {
      await_fence(thread, released);
    }
  }
}

// Whether there is something in it that a thread does not know.
bool HappensBefore::teaches(int thread, const Released& released) const {
  const Thread& of = threads_[static_cast<std::size_t>(thread)];
  for (int k = 0; k < kinds(); ++k) {
    for (std::size_t i = 0; released.clock[k] && i < released.clock[k]->size(); ++i) {
      if ((*released.clock[k])[i] > known(of, thread, static_cast<int>(i), k)) return true;
    }
  }
  return false;
}

// Keeps what a relaxed load has seen for an acquire fence to come. Of one thread, what was released
// later holds what was released earlier.
void HappensBefore::await_fence(int thread, const Released& released) {
  const auto newer = [&](const Released& a, const Released& b) {
    const auto other = static_cast<std::size_t>(b.thread);
    for (int k = 0; k < kinds(); ++k) {
      if (b.clock[k] && (!a.clock[k] || (*a.clock[k])[other] < (*b.clock[k])[other])) return false;
    }
    return true;
  };
  if (!teaches(thread, released)) return;
  ReleasedList& pending = threads_[static_cast<std::size_t>(thread)].pending;
  for (Released& known : pending) {
    if (known.thread != released.thread || known.scope != released.scope) continue;
    if (!newer(known, released)) known = released;
    return;
  }
  insert(pending, released);
}

// Whether what a thread released later says all that it released earlier.
bool HappensBefore::covers(const Released& later, const Released& earlier) {
  for (int k = 0; k < 2; ++k) {
    if (earlier.clock[k] && !later.clock[k]) return false;
  }
  return earlier.scope <= later.scope;
}

// By thread and scope.
void HappensBefore::insert(ReleasedList& list, Released made) {
  const auto place = std::find_if(list.begin(), list.end(), [&](const Released& old) {
    return std::pair(old.thread, old.scope) > std::pair(made.thread, made.scope);
  });
  list.insert(place, std::move(made));
}

void HappensBefore::store(Instance object, std::uint64_t at, int thread, Order order, Scope scope,
                          bool updates, int memory) {
  Thread& of = threads_[static_cast<std::size_t>(thread)];
  if (strong_) {
    order = Order::acquire_release;
    scope = Scope::system;
    memory = 3;
  }
  const bool releases = order == Order::release || order >= Order::acquire_release;
  ReleasedList list;
  // An update goes on with the release sequence that it finds; a store begins a new one.
  const auto found = cells_.find({object, at});
  if (updates && found != cells_.end()) list = found->second;
  ReleasedList made;
  if (releases) {
    Released one{thread, scope, {}};
    for (int k = 0; k < kinds(); ++k) {
      if (!orders(k, memory)) continue;
      one.clock[k] = snapshot(thread, k);
      ++of.own[k];
    }
    made.push_back(std::move(one));
  }
  for (const Released& fence : of.fenced) {
    Released through = fence;
    through.scope = std::min(through.scope, scope);
    const bool is_known = std::any_of(
        made.begin(), made.end(), [&](const Released& later) { return covers(later, through); });
    if (!is_known) made.push_back(std::move(through));
  }
  for (Released& one : made) {
    // What the same thread released before is part of what it knows now.
    std::erase_if(list,
                  [&](const Released& old) { return old.thread == thread && covers(one, old); });
  }
  for (Released& one : made) insert(list, std::move(one));
  if (list.empty()) {
    cells_.erase({object, at});
  } else {
    cells_[{object, at}] = std::move(list);
  }
}

void HappensBefore::fence(int thread, Order order, Scope scope, int memory) {
  Thread& of = threads_[static_cast<std::size_t>(thread)];
  if (order == Order::acquire || order >= Order::acquire_release) {
    for (const Released& released : of.pending) {
      Released taken = released;
      for (int k = 0; k < kinds(); ++k) {
        if (!orders(k, memory)) taken.clock[k] = nullptr;
      }
      take(thread, scope, taken);
    }
    std::erase_if(of.pending, [&](const Released& released) { return !teaches(thread, released); });
  }
  if (order == Order::release || order >= Order::acquire_release) {
    Released made{thread, scope, {}};
    for (int k = 0; k < kinds(); ++k) {
      if (!orders(k, memory)) continue;
      made.clock[k] = snapshot(thread, k);
      ++of.own[k];
    }
    std::erase_if(of.fenced, [&](const Released& old) { return covers(made, old); });
    of.fenced.insert(of.fenced.begin(), std::move(made));
  }
}

void HappensBefore::barrier(const std::vector<int>& threads, int memory) {
  for (int k = 0; k < kinds(); ++k) {
    if (!orders(k, memory)) continue;
    auto joined = std::make_shared<Clock>(static_cast<std::size_t>(places_.threads));
    std::set<const Clock*> seen;
    for (const int t : threads) {
      const ClockPtr& known = threads_[static_cast<std::size_t>(t)].known[k];
      if (!known || !seen.insert(known.get()).second) continue;
      for (std::size_t i = 0; i < joined->size(); ++i) {
        (*joined)[i] = std::max((*joined)[i], (*known)[i]);
      }
    }
    for (const int t : threads) {
      auto& at = (*joined)[static_cast<std::size_t>(t)];
      at = std::max(at, threads_[static_cast<std::size_t>(t)].own[k]);
    }
    const ClockPtr shared = joined;
    for (const int t : threads) {
      Thread& of = threads_[static_cast<std::size_t>(t)];
      of.known[k] = shared;
      ++of.own[k];
    }
  }
  for (const int t : threads) {
    std::erase_if(threads_[static_cast<std::size_t>(t)].pending,
                  [&](const Released& released) { return !teaches(t, released); });
  }
}

void HappensBefore::normalize(const std::vector<bool>& alive) {
  const auto count = static_cast<std::size_t>(places_.threads);
  // What ended threads know makes no difference any more.
  for (std::size_t t = 0; t < count; ++t) {
    if (alive[t]) continue;
    for (ClockPtr& known : threads_[t].known) known = nullptr;
    threads_[t].fenced.clear();
    threads_[t].pending.clear();
  }
  for (auto i = shadows_.begin(); i != shadows_.end();) {
    const bool is_local = is_local_[i->first];
    bool drops = false;
    const auto settled = [&](const Access& access) {
      for (std::size_t t = 0; t < count; ++t) {
        if (alive[t] && t != access.thread && !ordered(access, static_cast<int>(t), is_local))
          return false;
      }
      return true;
    };
    for (const auto& [at, place] : *i->second) {
      drops = drops || place.accesses.empty() ||
              std::any_of(place.accesses.begin(), place.accesses.end(), settled);
    }
    if (drops) {
      Shadow& shadow = writable(i->first);
      for (auto j = shadow.begin(); j != shadow.end();) {
        std::erase_if(j->second.accesses, settled);
        j = j->second.accesses.empty() ? shadow.erase(j) : std::next(j);
      }
      // Neighbours with the same accesses are one place.
      for (auto j = shadow.begin(); j != shadow.end();) {
        const auto next = std::next(j);
        if (next != shadow.end() && j->first + j->second.bytes == next->first &&
            j->second.accesses == next->second.accesses) {
          j->second.bytes += next->second.bytes;
          shadow.erase(next);
        } else {
          j = next;
        }
      }
    }
    i = i->second->empty() ? shadows_.erase(i) : std::next(i);
  }

  // Renumber times, by thread and kind: what counts is which clocks reach which accesses.
  std::set<Clock*> clocks[2];
  std::map<const Clock*, std::shared_ptr<Clock>> copies;
  const auto own_copy = [&](ClockPtr& clock, int k) {
    if (!clock) return;
    auto& copy = copies[clock.get()];
    if (!copy) copy = std::make_shared<Clock>(*clock);
    clocks[k].insert(copy.get());
    clock = copy;
  };
  std::vector<ClockPtr> keep;  // so that no address is used twice while we go
  const auto visit = [&](ClockPtr& clock, int k) {
    if (clock) keep.push_back(clock);
    own_copy(clock, k);
  };
  for (Thread& thread : threads_) {
    for (int k = 0; k < kinds(); ++k) {
      visit(thread.known[k], k);
      for (Released& released : thread.fenced) visit(released.clock[k], k);
      for (Released& released : thread.pending) visit(released.clock[k], k);
    }
  }
  for (auto& [place, list] : cells_) {
    for (Released& released : list) {
      for (int k = 0; k < kinds(); ++k) visit(released.clock[k], k);
    }
  }
  std::vector<std::set<std::uint32_t>> times[2];
  for (auto& of : times) of.resize(count);
  for (const auto& [object, shadow] : shadows_) {
    const int k = kind(is_local_[object]);
    for (const auto& [at, place] : *shadow) {
      for (const Access& access : place.accesses) times[k][access.thread].insert(access.time);
    }
  }
  std::vector<std::map<std::uint32_t, std::uint32_t>> renamed[2];
  for (auto& of : renamed) of.resize(count);
  for (int k = 0; k < kinds(); ++k) {
    for (std::size_t t = 0; t < count; ++t) {
      std::set<std::uint32_t> values;
      for (const Clock* clock : clocks[k]) values.insert((*clock)[t]);
      // Blocks of accesses, each followed by the clocks that reach it and no later one.
      std::map<std::uint32_t, std::uint32_t> number;
      std::uint32_t block = 0;
      bool in_accesses = false;
      auto value = values.begin();
      for (const std::uint32_t time : times[k][t]) {
        for (; value != values.end() && *value < time; ++value) {
          number[*value] = block;
          in_accesses = false;
        }
        if (!in_accesses) ++block;
        in_accesses = true;
        renamed[k][t][time] = block;
      }
      for (; value != values.end(); ++value) {
        number[*value] = block;
        in_accesses = false;
      }
      for (Clock* clock : clocks[k]) {
        if (auto& at = (*clock)[t]; number.contains(at)) at = number[at];
      }
      threads_[t].own[k] = in_accesses ? block : block + 1;
    }
  }
  for (auto& [object, shadow] : shadows_) {
    const int k = kind(is_local_[object]);
    bool changes = false;
    for (const auto& [at, place] : *shadow) {
      for (const Access& access : place.accesses) {
        changes = changes || renamed[k][access.thread][access.time] != access.time;
      }
    }
    if (!changes) continue;
    for (auto& [at, place] : writable(object)) {
      for (Access& access : place.accesses) access.time = renamed[k][access.thread][access.time];
      std::sort(place.accesses.begin(), place.accesses.end());
    }
  }
}

void HappensBefore::append_key(std::vector<std::uint64_t>& key) const {
  const auto append = [&](const ClockPtr& clock) {
    // All zeros is no knowledge, as is no clock.
    if (!clock || std::all_of(clock->begin(), clock->end(), [](auto v) { return v == 0; })) {
      key.push_back(0);
      return;
    }
    key.push_back(1);
    for (const std::uint32_t value : *clock) key.push_back(value);
  };
  const auto append_released = [&](const Released& released) {
    key.push_back(static_cast<std::uint64_t>(released.thread) << 8 |
                  static_cast<std::uint64_t>(released.scope));
    for (int k = 0; k < kinds(); ++k) append(released.clock[k]);
  };
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    const Thread& thread = threads_[t];
    for (int k = 0; k < kinds(); ++k) {
      key.push_back(thread.own[k]);
      if (!thread.known[k]) {
        key.push_back(0);
        continue;
      }
      // What a thread's own clock says is not looked at.
      Clock clock = *thread.known[k];
      clock[t] = 0;
      append(std::make_shared<Clock>(std::move(clock)));
    }
    for (const ReleasedList* list : {&thread.fenced, &thread.pending}) {
      key.push_back(list->size());
      for (const Released& released : *list) append_released(released);
    }
  }
  for (const auto& [place, list] : cells_) {
    key.push_back(place.first);
    key.push_back(place.second);
    key.push_back(list.size());
    for (const Released& released : list) append_released(released);
  }
  for (const auto& [object, shadow] : shadows_) {
    key.push_back(object);
    key.push_back(shadow->size());
    for (const auto& [at, place] : *shadow) {
      key.push_back(at);
      key.push_back(std::uint64_t{place.bytes} << 32 | place.accesses.size());
      for (const Access& access : place.accesses) {
        key.push_back(std::uint64_t{access.thread} << 32 | access.time);
        key.push_back(std::uint64_t{access.guard.id} << 32 |
                      std::uint64_t{access.instruction} << 8 | (access.writes ? 1 : 0) |
                      (access.is_atomic ? 2 : 0) | (access.mixed ? 4 : 0) |
                      static_cast<std::uint64_t>(access.scope) << 3);
      }
    }
  }
}

}  // namespace headway::kernel
