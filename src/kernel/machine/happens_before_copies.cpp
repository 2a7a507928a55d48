// What copies beside threads access, and who waits for them.
#include <algorithm>
#include <iterator>

#include "kernel/machine/happens_before.hpp"

namespace headway::kernel {

std::size_t HappensBefore::begin_copy(int thread) {
  known_[static_cast<std::size_t>(places_.agent(thread))] = release(thread, 3);
  return made_.size();
}

std::size_t HappensBefore::begin_copy(const std::vector<int>& threads) {
  Known common;
  for (std::uint32_t number = 0; number < made_.size(); ++number) {
    if (!std::all_of(threads.begin(), threads.end(),
                     [&](int t) { return is_ordered(made_[number], number, t); })) {
      continue;
    }
    common.insert(number);
    made_[number].released = true;
  }
  known_[static_cast<std::size_t>(places_.agent(threads.front()))] = std::move(common);
  return made_.size();
}

Known HappensBefore::copied_since(int thread, std::size_t from) {
  known_[static_cast<std::size_t>(places_.agent(thread))] = {};
  Known copied;
  for (std::size_t number = from; number < made_.size(); ++number) {
    copied.insert(static_cast<std::uint32_t>(number));
    made_[number].released = true;
  }
  return copied;
}

void HappensBefore::end_copy(int thread, std::size_t from) {
  add({Released::Role::copied, Scope::system, static_cast<std::uint32_t>(thread), 0, thread,
       copied_since(thread, from)});
}

void HappensBefore::end_copy(int first, std::size_t from, std::uint64_t event) {
  add({Released::Role::group_copied, Scope::system, static_cast<std::uint32_t>(first), event, first,
       copied_since(first, from)});
}

std::uint64_t HappensBefore::new_event(int first) const {
  std::uint64_t last = 0;
  for (const Released& one : released_) {
    const bool is_its =
        one.role == Released::Role::group_copied && static_cast<int>(one.owner) == first;
    if (is_its) last = std::max(last, one.at);
  }
  return last + 1;
}

void HappensBefore::wait_copies(const std::vector<int>& threads, std::uint64_t event) {
  const auto owner = static_cast<std::uint32_t>(threads.front());
  for (const Released& one : of(Released::Role::group_copied, owner, event)) {
    for (const int t : threads) known_[static_cast<std::size_t>(t)].join(one.known);
  }
  erase(Released::Role::group_copied, owner, event);
}

std::vector<HappensBefore::Released> HappensBefore::take_copies(int thread) {
  const auto is_its = [&](const Released& one) {
    return one.role == Released::Role::copied && static_cast<int>(one.owner) == thread;
  };
  std::vector<Released> result;
  std::copy_if(released_.begin(), released_.end(), std::back_inserter(result), is_its);
  std::erase_if(released_, is_its);
  return result;
}

void HappensBefore::commit_copies(int thread) {
  for (Released& one : take_copies(thread)) {
    one.at = std::min<std::uint64_t>(one.at + 1, kMostCopyGroups + 1);
    add(std::move(one));
  }
}

void HappensBefore::wait_copies(int thread, std::uint64_t latest) {
  for (Released& one : take_copies(thread)) {
    if (one.at > latest) {
      known_[static_cast<std::size_t>(thread)].join(one.known);
    } else {
      add(std::move(one));
    }
  }
}

}  // namespace headway::kernel
