// The form of what is known of accesses that is the same for equal states: numbers by place, and
// names that threads that nothing tells apart may swap.
#include <algorithm>
#include <tuple>

#include "kernel/machine/happens_before.hpp"

namespace headway::kernel {

// The accesses that places name, in an order that is the same for equal states: by place, then by
// thread, those first that more know of. Numbers by access; kNone of those that are gone.
std::vector<std::uint32_t> HappensBefore::canonical() const {
  std::vector<std::uint32_t> result(made_.size(), kNone);
  std::uint32_t next = 0;
  for (const auto& shadow : shadows_) {
    if (!shadow) continue;
    for (const auto& [at, place] : *shadow) {
      for (const Last& one : place.last) {
        if (result[one.made] == kNone) result[one.made] = next++;
      }
    }
  }
  return result;
}

// How many know of each access, besides the thread that made it.
std::vector<std::uint32_t> HappensBefore::knowing() const {
  std::vector<std::uint32_t> result(made_.size());
  for (std::size_t t = 0; t < known_.size(); ++t) {
    known_[t].for_each([&](std::uint32_t number) {
      if (made_[number].access.thread != t) ++result[number];
    });
  }
  for (const Released& one : released_) {
    one.known.for_each([&](std::uint32_t number) { ++result[number]; });
  }
  return result;
}

// `by` as knowing().
void HappensBefore::sort_last(const std::vector<std::uint32_t>& by) {
  const auto order = [&](const Last& one) {
    const Access& access = made_[one.made].access;
    return std::tuple(access.thread, -static_cast<std::int64_t>(by[one.made]), access.instruction,
                      access.writes, access.is_atomic, access.scope, access.guard.id, one.mixed);
  };
  const auto before = [&](const Last& a, const Last& b) { return order(a) < order(b); };
  for (Instance object = 0; object < shadows_.size(); ++object) {
    if (!shadows_[object]) continue;
    const bool sorted =
        std::all_of(shadows_[object]->begin(), shadows_[object]->end(), [&](const auto& entry) {
          return std::is_sorted(entry.second.last.begin(), entry.second.last.end(), before);
        });
    if (sorted) continue;
    for (auto& [at, place] : writable(object)) {
      std::stable_sort(place.last.begin(), place.last.end(), before);
    }
  }
}

void HappensBefore::normalize(const std::vector<bool>& alive) {
  // What ended threads know makes no difference any more.
  for (std::size_t t = 0; t < known_.size(); ++t) {
    if (t >= alive.size() || !alive[t]) known_[t] = {};
  }
  drop_settled(alive);
  const std::vector<std::uint32_t> numbers = canonical();
  const auto live = static_cast<std::size_t>(
      std::count_if(numbers.begin(), numbers.end(), [](auto number) { return number != kNone; }));
  std::erase_if(released_, [&](const Released& one) {
    if (one.is_of_thread() && !alive[one.owner]) return true;
    const bool is_pending = one.role == Released::Role::pending;
    return !one.known.any_of([&](std::uint32_t number) {
      return numbers[number] != kNone &&
             (!is_pending ||
              (made_[number].access.thread != one.owner && !known_[one.owner].contains(number)));
    });
  });
  // Of one thread, what reaches further and says more comes right behind.
  for (std::size_t i = released_.size(); i-- > 1;) {
    const Released& one = released_[i - 1];
    const Released& other = released_[i];
    if (other.place() == one.place() && other.thread == one.thread && other.memory == one.memory &&
        other.both == one.both && other.known.includes(one.known)) {
      released_.erase(released_.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
  }
  const std::vector<std::uint32_t> by = knowing();
  for (std::size_t number = 0; number < made_.size(); ++number) {
    made_[number].released = by[number] > 0;
  }
  sort_last(by);
  if (made_.size() > 16 + 2 * live) compact();
}

// Forgets the accesses that are gone.
void HappensBefore::compact() {
  const std::vector<std::uint32_t> numbers = canonical();
  std::vector<Made> made;
  for (std::size_t old = 0; old < numbers.size(); ++old) {
    if (numbers[old] == kNone) continue;
    if (made.size() <= numbers[old]) made.resize(numbers[old] + 1);
    made[numbers[old]] = made_[old];
  }
  std::map<std::pair<std::uint64_t, const void*>, Known> renamed;
  const auto rename = [&](Known& known) {
    const auto found = renamed.find(known.identity());
    if (found != renamed.end()) return found->second;
    Known& made_anew = renamed[known.identity()];
    known.for_each([&](std::uint32_t number) {
      if (numbers[number] != kNone) made_anew.insert(numbers[number]);
    });
    return made_anew;
  };
  for (Known& known : known_) known = rename(known);
  for (Released& one : released_) one.known = rename(one.known);
  for (Instance object = 0; object < shadows_.size(); ++object) {
    if (!shadows_[object]) continue;
    for (auto& [at, place] : writable(object)) {
      for (Last& one : place.last) one.made = numbers[one.made];
    }
  }
  made_ = std::move(made);
}

std::vector<std::uint64_t> HappensBefore::colors(const std::vector<std::uint64_t>& threads) const {
  const std::vector<std::uint32_t> by = knowing();
  std::vector<std::uint64_t> made(made_.size());  // 0: of those that are gone
  for (Instance object = 0; object < shadows_.size(); ++object) {
    if (!shadows_[object]) continue;
    for (const auto& [at, place] : *shadows_[object]) {
      for (const Last& one : place.last) {
        const Access& access = made_[one.made].access;
        const std::uint64_t where = mixed(mixed(mixed(object, at), place.bytes), one.mixed ? 1 : 0);
        const std::uint64_t what = mixed(mixed(access.instruction, by[one.made]),
                                         std::uint64_t{access.guard.id} << 1 | access.writes);
        made[one.made] += mixed(mixed(where, what), threads[access.thread]);
      }
    }
  }
  std::vector<std::uint64_t> result = threads;
  const auto add = [&](std::uint32_t thread, const Known& known, std::uint64_t role) {
    std::uint64_t sum = 0;
    known.for_each([&](std::uint32_t number) {
      if (made_[number].access.thread != thread) sum += mixed(made[number], role);
    });
    result[thread] += mixed(sum, role);
  };
  for (std::uint32_t number = 0; number < made_.size(); ++number) {
    if (made[number] != 0) result[made_[number].access.thread] += mixed(made[number], 1);
  }
  for (std::uint32_t t = 0; t < known_.size(); ++t) add(t, known_[t], 2);
  for (const Released& one : released_) {
    if (!one.is_of_thread()) continue;
    add(one.owner, one.known, 2 + static_cast<std::uint64_t>(one.role));
  }
  return result;
}

void HappensBefore::rename(const std::vector<int>& to) {
  for (Made& made : made_) {
    made.access.thread = static_cast<std::uint32_t>(to[made.access.thread]);
  }
  std::vector<Known> known(known_.size());
  for (std::size_t t = 0; t < known.size(); ++t) {
    known[static_cast<std::size_t>(to[t])] = std::move(known_[t]);
  }
  known_ = std::move(known);
  std::vector<Released> released = std::move(released_);
  released_.clear();
  for (Released& one : released) {
    if (one.is_of_thread()) {
      one.owner = static_cast<std::uint32_t>(to[one.owner]);
    }
    if (!options_.wide) one.thread = to[static_cast<std::size_t>(one.thread)];
    add(std::move(one));
  }
  sort_last(knowing());
}

}  // namespace headway::kernel
