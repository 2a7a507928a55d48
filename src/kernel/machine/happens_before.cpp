#include "kernel/machine/happens_before.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace headway::kernel {

HappensBefore::HappensBefore(const Places& places, const Options& options)
    : places_(places),
      options_(options),
      known_(static_cast<std::size_t>(places.threads) * (options.agents ? 2 : 1)) {
  options_.wide = options.wide || options.strong;
}

HappensBefore::Shadow& HappensBefore::writable(Instance object) {
  if (object >= shadows_.size()) shadows_.resize(object + 1);
  std::shared_ptr<Shadow>& shadow = shadows_[object];
  if (!shadow) {
    shadow = std::make_shared<Shadow>();
  } else if (shadow.use_count() > 1) {
    shadow = std::make_shared<Shadow>(*shadow);
  }
  return *shadow;
}

void HappensBefore::forget(Instance object) {
  if (object < shadows_.size()) shadows_[object] = nullptr;
  std::erase_if(released_,
                [&](const Released& one) { return !one.is_of_thread() && one.owner == object; });
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

bool HappensBefore::is_behind(const Access& made, const Last& before) const {
  const Made& old = made_[before.made];
  const int thread = static_cast<int>(made.thread);
  return is_ordered(old, before.made, thread) && reaches(made, static_cast<int>(old.access.thread));
}

bool HappensBefore::conflicts(const Last& before, const Access& made, bool same_value) const {
  const Access& old = made_[before.made].access;
  if (is_behind(made, before) || !(old.writes || made.writes)) return false;
  const int thread = static_cast<int>(made.thread), other = static_cast<int>(old.thread);
  // OpenCL asks for the same scope on both sides (OpenCL 3.0, 3.3.5: inclusive scopes).
  const bool same = !options_.by_space || old.scope == made.scope;
  const bool in_scope = options_.strong || (same && places_.in_scope(old.scope, other, thread) &&
                                            places_.in_scope(made.scope, thread, other));
  // Those of two widths that overlap are atomic to nobody (PTX ISA, "Morally strong operations").
  if (old.is_atomic && made.is_atomic && in_scope && old.width == made.width) return false;
  const bool plain = !old.is_atomic && !made.is_atomic;
  return !(old.writes && made.writes && plain && same_value && !before.mixed);
}

std::vector<Access> HappensBefore::conflicts(Instance object, std::uint64_t at, std::uint64_t bytes,
                                             const Access& made, std::uint64_t same_bytes) const {
  std::vector<Access> result;
  if (object >= shadows_.size() || !shadows_[object]) return result;
  const Shadow& shadow = *shadows_[object];
  auto place = shadow.upper_bound(at);
  if (place != shadow.begin()) --place;
  for (; place != shadow.end() && place->first < at + bytes; ++place) {
    const std::uint64_t from = std::max(place->first, at);
    const std::uint64_t to = std::min(place->first + place->second.bytes, at + bytes);
    bool same = false, other = to > at + 8 && from < to;
    for (std::uint64_t b = from; b < std::min(to, at + 8); ++b) {
      const bool is_same = (same_bytes >> (b - at) & 1) != 0 && !options_.count_benign;
      (is_same ? same : other) = true;
    }
    for (const Last& one : place->second.last) {
      if (!(other && conflicts(one, made, false)) && !(same && conflicts(one, made, true)))
        continue;
      result.push_back(made_[one.made].access);
      result.back().mixed = one.mixed;
      result.back().number = one.made;
    }
  }
  return result;
}

std::vector<Access> HappensBefore::access(Instance object, bool is_local, std::uint64_t at,
                                          std::uint64_t bytes, const Access& made,
                                          std::uint64_t same_bytes) {
  std::vector<Access> result;
  if (bytes == 0) return result;
  const auto number = static_cast<std::uint32_t>(made_.size());
  made_.push_back({made, is_local, false});
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
    std::vector<Last>& all = place->second.last;
    std::size_t kept = 0;
    const bool same_value = is_same(from) && !options_.count_benign;
    Last here{number, made.mixed};
    for (Last& one : all) {
      const Made& before = made_[one.made];
      const Access& old = before.access;
      if (conflicts(one, made, same_value)) {
        result.push_back(old);
        result.back().mixed = one.mixed;
        result.back().number = one.made;
      }
      // A later access that races with an ordered old one races with this one, too, if this one
      // conflicts with all that the old one does.
      bool covers = is_behind(made, one) && made.guard == smt::Term{1} &&
                    (made.writes || !old.writes) &&
                    (made.is_atomic || old.is_atomic || made.scope <= old.scope) &&
                    (!made.is_atomic ||
                     (old.is_atomic && made.width == old.width &&
                      (options_.by_space ? made.scope == old.scope : made.scope <= old.scope)));
      const bool is_like = old.writes && !old.is_atomic && !one.mixed && same_value;
      if (covers && made.writes && !made.is_atomic && !options_.count_benign && !is_like) {
        // A write to come of the same value may conflict with the old access alone. One stands for
        // both where all that is ordered behind the one is ordered behind the other.
        covers = old.thread == made.thread && !before.released;
        here.mixed = here.mixed || covers;
      }
      if (covers) continue;
      if (made.writes && old.writes && !same_value && !old.is_atomic) {
        one.mixed = !options_.count_benign;
      }
      all[kept++] = one;
    }
    all.resize(kept);
    const auto behind_own = std::find_if(all.begin(), all.end(), [&](const Last& one) {
      return made_[one.made].access.thread > made.thread;
    });
    all.insert(behind_own, here);
    from = place->first + place->second.bytes;
    ++place;
  }
  return result;
}

void HappensBefore::keep_written(Instance object, std::uint64_t at, std::uint64_t bytes,
                                 const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return;
  Shadow& shadow = writable(object);
  for (auto place = shadow.lower_bound(at); place != shadow.end() && place->first < at + bytes;
       ++place) {
    for (Last& one : place->second.last) {
      if (std::find(numbers.begin(), numbers.end(), one.made) != numbers.end()) one.mixed = false;
    }
  }
}

Known HappensBefore::of_memory(const Known& known, int memory) const {
  if (!options_.split || memory == 3) return known;
  Known result;
  known.for_each([&](std::uint32_t number) {
    if (orders(made_[number], memory)) result.insert(number);
  });
  return result;
}

// What is known together with the accesses that `threads` have made, of the kinds of memory that
// are ordered; others may know of these from now on.
Known HappensBefore::release(const std::vector<bool>& threads, Known known, int memory) {
  known = of_memory(known, memory);
  for (std::uint32_t number = 0; number < made_.size(); ++number) {
    Made& made = made_[number];
    if (!threads[made.access.thread] || !orders(made, memory)) continue;
    known.insert(number);
    made.released = true;
  }
  return known;
}

Known HappensBefore::release(int thread, int memory) {
  std::vector<bool> itself(known_.size());
  itself[static_cast<std::size_t>(thread)] = true;
  return release(itself, known_[static_cast<std::size_t>(thread)], memory);
}

std::vector<HappensBefore::Released> HappensBefore::of(Released::Role role, std::uint32_t owner,
                                                       std::uint64_t at) const {
  const auto is_before = [](const Released& one, const auto& place) { return one.place() < place; };
  const auto place = std::tuple(role, owner, at);
  auto from = std::lower_bound(released_.begin(), released_.end(), place, is_before);
  auto to = from;
  while (to != released_.end() && to->place() == place) ++to;
  return {from, to};
}

void HappensBefore::erase(Released::Role role, std::uint32_t owner, std::uint64_t at) {
  const auto place = std::tuple(role, owner, at);
  std::erase_if(released_, [&](const Released& one) { return one.place() == place; });
}

// What is acquired together is one.
void HappensBefore::add(Released made) {
  if (options_.wide) {
    made.thread = 0;
    made.scope = Scope::system;
  }
  const auto found =
      std::lower_bound(released_.begin(), released_.end(), made,
                       [](const Released& a, const Released& b) { return a.order() < b.order(); });
  if (found != released_.end() && found->order() == made.order()) {
    found->known.join(made.known);
  } else {
    released_.insert(found, std::move(made));
  }
}

void HappensBefore::take(int thread, Scope scope, const Released& released, int memory,
                         Released::Both takes_both) {
  if (!places_.in_scope(released.scope, released.thread, thread) ||
      !places_.in_scope(scope, thread, released.thread)) {
    return;
  }
  if (options_.by_space) {
    const bool both = takes_both != Released::Both::nobody && takes_both == released.both;
    memory = both ? 3 : memory & released.memory;
  }
  known_[static_cast<std::size_t>(thread)].join(of_memory(released.known, memory));
}

void HappensBefore::load(Instance object, std::uint64_t at, int thread, Order order, Scope scope,
                         int memory) {
  if (options_.strong) {
    order = Order::acquire_release;
    scope = Scope::system;
    memory = 3;
  }
  using Role = Released::Role;
  if (options_.causality) {
    const auto owner = static_cast<std::uint32_t>(thread);
    hand_on(Role::written, object, at, Role::fences, owner, 0);
    hand_on(Role::fences, owner, 0, Role::read, object, at);
    observe(object, at, thread, scope);
  }
  const auto takes_both =
      order == Order::seq_cst ? Released::Both::seq_cst : Released::Both::nobody;
  for (Released& seen : of(Released::Role::cell, object, at)) {
    if (acquires(order)) take(thread, scope, seen, memory, takes_both);
    // An access may take less than a fence behind it.
    if ((!acquires(order) || options_.by_space) && places_.in_scope(scope, thread, seen.thread)) {
      seen.role = Released::Role::pending;
      seen.owner = static_cast<std::uint32_t>(thread);
      seen.at = 0;
      add(std::move(seen));
    }
  }
}

void HappensBefore::store(Instance object, std::uint64_t at, int thread, Order order, Scope scope,
                          bool updates, int memory) {
  if (options_.strong) {
    order = Order::acquire_release;
    scope = Scope::system;
    memory = 3;
  }
  using Role = Released::Role;
  using Both = Released::Both;
  const auto owner = static_cast<std::uint32_t>(thread);
  if (options_.causality) {
    hand_on(Role::written, object, at, Role::fences, owner, 0);
    hand_on(Role::read, object, at, Role::fences, owner, 0);
    hand_on(Role::fences, owner, 0, Role::written, object, at);
    be_observed(object, at, thread, scope);
  }
  // An update goes on with the release sequence that it finds; a store begins a new one.
  if (!updates) erase(Role::cell, object, at);
  const std::uint8_t in = options_.by_space ? static_cast<std::uint8_t>(memory) : std::uint8_t{3};
  if (releases(order)) {
    const bool both = options_.by_space && order == Order::seq_cst;
    add({Role::cell, scope, object, at, thread, release(thread, both ? 3 : memory), in,
         both ? Both::seq_cst : Both::nobody});
  }
  for (Released& fence : of(Role::fenced, owner, 0)) {
    if ((fence.memory & in) == 0) continue;
    const bool both = options_.by_space && fence.memory == 3;
    add({Role::cell, std::min(fence.scope, scope), object, at, thread, std::move(fence.known), in,
         both ? Both::fences : Both::nobody});
  }
}

// PTX ISA, "Causality order": what precedes a read in observation order precedes all that follows
// the read. That orders the write alone, and not what its thread did before.
void HappensBefore::observe(Instance object, std::uint64_t at, int thread, Scope scope) {
  for (const Released& seen : of(Released::Role::observed, object, at)) {
    take(thread, scope, seen, 3, Released::Both::nobody);
  }
}

// An update has read, and thereby observed, what it goes on with.
void HappensBefore::be_observed(Instance object, std::uint64_t at, int thread, Scope scope) {
  erase(Released::Role::observed, object, at);
  if (object >= shadows_.size() || !shadows_[object]) return;
  const auto place = shadows_[object]->find(at);
  if (place == shadows_[object]->end()) return;
  Known known;
  for (const Last& one : place->second.last) {
    Made& made = made_[one.made];
    if (!made.access.is_atomic || !is_ordered(made, one.made, thread)) continue;
    known.insert(one.made);
    made.released = true;
  }
  add({Released::Role::observed, scope, object, at, thread, std::move(known)});
}

void HappensBefore::overwrite(Instance object, std::uint64_t at, std::uint64_t bytes) {
  // Elsewhere whoever may overwrite it knows all that was released there.
  if (!options_.causality) return;
  const auto reaches = [&](std::uint64_t cell) {
    if (cell >= at) return cell < at + bytes;
    if (object >= shadows_.size() || !shadows_[object]) return false;
    const auto place = shadows_[object]->find(cell);
    return place != shadows_[object]->end() &&
           std::any_of(place->second.last.begin(), place->second.last.end(), [&](const Last& one) {
             const Access& access = made_[one.made].access;
             return access.is_atomic && cell + access.width > at;
           });
  };
  std::erase_if(released_, [&](const Released& one) {
    const bool is_of_cell =
        one.role == Released::Role::cell || one.role == Released::Role::observed;
    return is_of_cell && one.owner == object && reaches(one.at);
  });
}

// What is kept in one place is kept in another one, too.
void HappensBefore::hand_on(Released::Role from, std::uint32_t owner, std::uint64_t at,
                            Released::Role to, std::uint32_t new_owner, std::uint64_t new_at) {
  for (Released& one : of(from, owner, at)) {
    one.role = to;
    one.owner = new_owner;
    one.at = new_at;
    add(std::move(one));
  }
}

void HappensBefore::fence(int thread, Order order, Scope scope, int memory) {
  using Role = Released::Role;
  const auto owner = static_cast<std::uint32_t>(thread);
  if (acquires(order)) {
    const auto takes_both = memory == 3 ? Released::Both::fences : Released::Both::nobody;
    for (const Released& seen : of(Role::pending, owner, 0)) {
      take(thread, scope, seen, memory, takes_both);
    }
  }
  const bool in_order = options_.causality && order == Order::seq_cst;
  if (in_order) {
    for (const Released& before : of(Role::fences, owner, 0)) {
      take(thread, scope, before, memory, Released::Both::nobody);
    }
  }
  if (releases(order)) {
    add({Role::fenced, scope, owner, 0, thread, release(thread, memory),
         options_.by_space ? static_cast<std::uint8_t>(memory) : std::uint8_t{3}});
  }
  if (in_order) add({Role::fences, scope, owner, 0, thread, release(thread, memory)});
}

void HappensBefore::barrier(const std::vector<int>& threads, int memory, bool hands_on) {
  // A barrier of all memory orders what fences in front of it do, and more.
  std::vector<Released> handed;
  for (const int t : threads) {
    if (!hands_on || !options_.split || memory == 3) break;
    for (Released& one : of(Released::Role::fenced, static_cast<std::uint32_t>(t), 0)) {
      one.role = Released::Role::pending;
      handed.push_back(std::move(one));
    }
  }
  for (const int t : threads) {
    for (Released one : handed) {
      take(t, Scope::system, one, memory, Released::Both::nobody);
      one.owner = static_cast<std::uint32_t>(t);
      add(std::move(one));
    }
  }
  Known together;
  std::vector<bool> meet(known_.size());
  for (const int t : threads) {
    together.join(known_[static_cast<std::size_t>(t)]);
    meet[static_cast<std::size_t>(t)] = true;
  }
  together = release(meet, std::move(together), memory);
  for (const int t : threads) known_[static_cast<std::size_t>(t)].join(together);
  if (!options_.causality) return;
  std::vector<Released> fences;
  for (const int t : threads) {
    const auto of_one = of(Released::Role::fences, static_cast<std::uint32_t>(t), 0);
    fences.insert(fences.end(), of_one.begin(), of_one.end());
  }
  for (const Released& one : fences) {
    for (const int t : threads) {
      Released here = one;
      here.owner = static_cast<std::uint32_t>(t);
      add(std::move(here));
    }
  }
}

void HappensBefore::arrive(const std::vector<int>& threads, Instance barrier, std::uint64_t at) {
  for (const int t : threads) {
    add({Released::Role::cell, Scope::workgroup, barrier, at, t, release(t, 3)});
    if (!options_.causality) continue;
    hand_on(Released::Role::fences, static_cast<std::uint32_t>(t), 0, Released::Role::written,
            barrier, at);
  }
}

void HappensBefore::leave(const std::vector<int>& threads, Instance barrier, std::uint64_t at) {
  this->barrier(threads, 3, false);
  for (const int t : threads) {
    for (const Released& arrived : of(Released::Role::cell, barrier, at)) {
      take(t, Scope::system, arrived, 3, Released::Both::nobody);
    }
    hand_on(Released::Role::written, barrier, at, Released::Role::fences,
            static_cast<std::uint32_t>(t), 0);
  }
  erase(Released::Role::cell, barrier, at);
  erase(Released::Role::written, barrier, at);
}

void HappensBefore::drop_settled(const std::vector<bool>& alive) {
  const auto is_settled = [&](const Last& one) {
    const Made& made = made_[one.made];
    for (std::size_t t = 0; t < alive.size(); ++t) {
      const int thread = static_cast<int>(t);
      if (!alive[t]) continue;
      if (!is_ordered(made, one.made, thread)) return false;
      // Accesses to come may reach less far.
      if (!places_.in_scope(options_.plain, thread, static_cast<int>(made.access.thread))) {
        return false;
      }
    }
    return true;
  };
  for (Instance object = 0; object < shadows_.size(); ++object) {
    if (!shadows_[object]) continue;
    const bool drops =
        std::any_of(shadows_[object]->begin(), shadows_[object]->end(), [&](const auto& entry) {
          const std::vector<Last>& last = entry.second.last;
          return last.empty() || std::any_of(last.begin(), last.end(), is_settled);
        });
    if (!drops) continue;
    Shadow& shadow = writable(object);
    for (auto i = shadow.begin(); i != shadow.end();) {
      std::erase_if(i->second.last, is_settled);
      i = i->second.last.empty() ? shadow.erase(i) : std::next(i);
    }
    // Neighbours with the same accesses are one place.
    for (auto i = shadow.begin(); i != shadow.end();) {
      const auto next = std::next(i);
      if (next != shadow.end() && i->first + i->second.bytes == next->first &&
          i->second.last == next->second.last) {
        i->second.bytes += next->second.bytes;
        shadow.erase(next);
      } else {
        i = next;
      }
    }
    if (shadow.empty()) shadows_[object] = nullptr;
  }
}

// Everything can be read off: of each object how many places it has, of each place how many
// accesses, of an access what it is where its number is the next; behind an end that is no object's
// what each thread knows, in as many words as there are accesses, and what was released.
void HappensBefore::append_key(std::vector<std::uint64_t>& key) const {
  const std::vector<std::uint32_t> numbers = canonical();
  std::uint32_t next = 0;
  for (Instance object = 0; object < shadows_.size(); ++object) {
    if (!shadows_[object]) continue;
    key.push_back(object);
    key.push_back(shadows_[object]->size());
    for (const auto& [at, place] : *shadows_[object]) {
      key.push_back(at);
      key.push_back(std::uint64_t{place.bytes} << 32 | place.last.size());
      for (const Last& one : place.last) {
        key.push_back(std::uint64_t{numbers[one.made]} << 1 | (one.mixed ? 1 : 0));
        if (numbers[one.made] < next) continue;
        ++next;
        const Access& access = made_[one.made].access;
        key.push_back(std::uint64_t{access.thread} << 32 | access.instruction);
        key.push_back(std::uint64_t{access.guard.id} << 32 | (access.writes ? 1 : 0) |
                      (access.is_atomic ? 2 : 0) | static_cast<std::uint64_t>(access.scope) << 2);
      }
    }
  }
  key.push_back(~std::uint64_t{0});
  std::vector<std::uint64_t> words(next / 64 + 1);
  // What `thread` may learn of accesses that are not its own.
  const auto append = [&](const Known& known, std::uint32_t thread, const Known& learnt) {
    std::fill(words.begin(), words.end(), 0);
    bool any = false;
    known.for_each([&](std::uint32_t number) {
      const std::uint32_t to = numbers[number];
      if (to == kNone || made_[number].access.thread == thread || learnt.contains(number)) return;
      words[to / 64] |= std::uint64_t{1} << to % 64;
      any = true;
    });
    if (next >= 64) {
      key.push_back(any ? 1 : 0);
      if (!any) return;
    }
    key.insert(key.end(), words.begin(), words.end());
  };
  for (std::size_t t = 0; t < known_.size(); ++t) {
    append(known_[t], static_cast<std::uint32_t>(t), {});
  }
  for (const Released& one : released_) {
    key.push_back(
        static_cast<std::uint64_t>(one.both) << 60 | static_cast<std::uint64_t>(one.memory) << 56 |
        static_cast<std::uint64_t>(one.role) << 48 | static_cast<std::uint64_t>(one.scope) << 40 |
        static_cast<std::uint32_t>(one.thread));
    key.push_back(one.owner);
    key.push_back(one.at);
    if (one.role == Released::Role::pending) {
      append(one.known, one.owner, known_[one.owner]);
    } else {
      append(one.known, kNone, {});
    }
  }
}

}  // namespace headway::kernel
