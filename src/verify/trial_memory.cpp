#include "verify/trial_memory.hpp"

#include <algorithm>

namespace headway::verify {

using kernel::Instruction;

namespace {
constexpr std::uint64_t kPage = 64;
constexpr std::size_t kMostPages = 20'000;
}  // namespace

bool is_subgroup_barrier(const Instruction& i) {
  return i.op == kernel::Op::barrier && i.scope == kernel::Scope::subgroup;
}

bool is_annotated(const kernel::Function& function) {
  for (const kernel::Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op == kernel::Op::annotation) return true;
    }
  }
  return false;
}

TrialMemory::TrialMemory(const TrialLaunch& launch, std::size_t threads, std::size_t group_threads)
    : launch_(launch),
      group_threads_(group_threads),
      threads_(threads),
      local_epoch_(launch.groups.size()),
      global_epoch_(launch.groups.size()),
      group_acquired_(launch.groups.size()),
      group_released_(launch.groups.size()) {}

std::uint64_t TrialMemory::base(const TrialObject& object) {
  const auto [at, added] = bases_.try_emplace(object, 0);
  if (added) {
    objects_.push_back(object);
    // Far from both ends, so that what is somewhat out of bounds stays in the object.
    at->second = (objects_.size() << kShift) + (std::uint64_t{1} << (kShift - 1));
  }
  return at->second;
}

const TrialObject& TrialMemory::object(std::uint64_t address) const {
  const std::uint64_t number = address >> kShift;
  if (number == 0 || number > objects_.size()) throw LeftTrial();  // null, or a number
  return objects_[number - 1];
}

TrialMemory::Byte& TrialMemory::byte(std::uint64_t address) {
  const std::uint64_t page = address / kPage;
  if (page != last_page_) {
    std::vector<Byte>& found = pages_[page];
    if (found.empty()) {
      if (pages_.size() > kMostPages) throw LeftTrial();
      found.resize(kPage);
    }
    last_ = &found;
    last_page_ = page;
  }
  Byte& b = (*last_)[address % kPage];
  if (!b.set) {
    const TrialObject& o = object(address);
    const std::uint64_t at = offset(address);
    b.set = true;
    if (o.initial != nullptr) {
      b.value = at < o.initial->size() ? (*o.initial)[at] : 0;
    } else if (o.kind == Owner::all || o.kind == Owner::thread_copy) {
      b.value = launch_.content(o.region, at);
    }
  }
  return b;
}

std::uint64_t TrialMemory::peek(std::uint64_t address, unsigned bytes) {
  if (bytes > 8) throw LeftTrial();
  static_cast<void>(object(address));
  std::uint64_t value = 0;
  for (unsigned k = bytes; k-- > 0;) value = value << 8 | byte(address + k).value;
  return value;
}

// Whether the thread's access comes after, or may do so for what synchronizes the two.
bool TrialMemory::ordered(const Mark& before, std::uint32_t thread, bool of_group) const {
  if (before.thread == thread) return true;
  const bool was_copy = (before.thread & kAsync) != 0, is_copy = (thread & kAsync) != 0;
  const std::uint32_t a = before.thread & ~kAsync, b = thread & ~kAsync;
  const std::size_t group_a = was_copy ? a : a / group_threads_,
                    group_b = is_copy ? b : b / group_threads_;
  if (was_copy) return group_a == group_b && !is_copy && threads_[b].waited > before.time;
  if (group_a == group_b) {
    const std::uint32_t now = of_group ? local_epoch_[group_b] : global_epoch_[group_b];
    if (before.epoch != now) return true;
    return threads_[a].released > before.time && (is_copy || threads_[b].acquired > before.time);
  }
  // Barriers pass on to a workgroup what one of its threads has seen, or will show.
  return group_released_[group_a] > before.time && group_acquired_[group_b] > before.time;
}

// Whether an atomic access has read the place since which the thread's access comes after, or may
// do so. In PTX that orders the atomic write itself (kernel/machine/happens_before.hpp).
bool TrialMemory::observed(const Byte& at, const Mark& write, std::uint32_t thread,
                           bool of_group) const {
  const auto all = observers_.find(&at);
  return all != observers_.end() &&
         std::any_of(all->second.begin(), all->second.end(), [&](const auto& one) {
           return one.second.time > write.time && ordered(one.second, thread, of_group);
         });
}

void TrialMemory::keep(Mark (&marks)[2], const Mark& mark) {
  if (marks[0].by != nullptr && marks[0].thread != mark.thread) marks[1] = marks[0];
  marks[0] = mark;
}

void TrialMemory::note(Byte& at, std::uint32_t thread, const Instruction& by, bool of_group,
                       bool writes, bool atomic, std::uint8_t value) {
  // Of a workgroup's copies.
  const auto first_of = [&](std::uint32_t who) -> std::size_t {
    return (who & kAsync) != 0 ? (who & ~kAsync) * group_threads_ : who;
  };
  const auto against = [&](const Mark(&marks)[2], bool same_value_is_fine) {
    for (const Mark& m : marks) {
      if (m.by == nullptr || ordered(m, thread, of_group)) continue;
      if (&marks == &at.atomics && observed(at, m, thread, of_group)) continue;
      if (same_value_is_fine && at.written == value) continue;
      on_race(first_of(m.thread), m.by, first_of(thread), &by, of_group);
    }
  };
  const bool plain_write = writes && !atomic;
  against(at.writes, plain_write && !launch_.count_benign);
  if (writes) against(at.reads, false);
  if (!atomic) {
    against(at.atomics, false);
  } else {
    // Atomic for a workgroup alone: a plain access to the others.
    for (const Mark& m : at.atomics) {
      if (m.by == nullptr || ordered(m, thread, of_group)) continue;
      const bool narrow = m.by->scope < kernel::Scope::device || by.scope < kernel::Scope::device;
      const bool apart = m.thread / group_threads_ != thread / group_threads_;
      const bool any_writes = writes || m.by->op != kernel::Op::atomic_load;
      const bool mixed =
          m.by->type.bytes() != by.type.bytes() || (launch_.same_scopes && m.by->scope != by.scope);
      if (((narrow && apart) || mixed) && any_writes) {
        on_race(m.thread, m.by, thread, &by, of_group);
      }
    }
  }
  const std::size_t group = (thread & kAsync) != 0 ? thread & ~kAsync : thread / group_threads_;
  const Mark mark{&by, thread, of_group ? local_epoch_[group] : global_epoch_[group], now_};
  if (atomic) {
    // One that only reads is no harm to other reads.
    if (writes) keep(at.atomics, mark);
    const bool observes = by.op != kernel::Op::atomic_store;
    if (observes && launch_.causality) observers_[&at][thread] = mark;
  } else if (writes) {
    keep(at.writes, mark);
    at.written = value;
  } else {
    keep(at.reads, mark);
  }
}

std::uint64_t TrialMemory::read(std::size_t thread, const Instruction& by, std::uint64_t address,
                                unsigned bytes, bool atomic) {
  const std::uint64_t value = peek(address, bytes);
  const Owner owner = object(address).kind;
  if (owner == Owner::thread || owner == Owner::thread_copy) return value;
  ++now_;
  if (keeps_last && !atomic) last_access_[{thread, {address >> kShift, false}}] = offset(address);
  for (unsigned k = 0; k < bytes; ++k) {
    note(byte(address + k), static_cast<std::uint32_t>(thread), by, owner == Owner::group, false,
         atomic, 0);
  }
  return value;
}

void TrialMemory::write(std::size_t thread, const Instruction& by, std::uint64_t address,
                        unsigned bytes, std::uint64_t value, bool atomic) {
  if (bytes > 8) throw LeftTrial();
  const Owner owner = object(address).kind;
  ++now_;
  if (keeps_last && !atomic) last_access_[{thread, {address >> kShift, true}}] = offset(address);
  for (unsigned k = 0; k < bytes; ++k) {
    Byte& b = byte(address + k);
    const auto part = static_cast<std::uint8_t>(value >> (8 * k));
    if (owner == Owner::all || owner == Owner::group) {
      note(b, static_cast<std::uint32_t>(thread), by, owner == Owner::group, true, atomic, part);
      changes_ += b.value != part ? 1 : 0;
    }
    b.value = part;
  }
}

void TrialMemory::copy_async(std::size_t thread, const Instruction& by, std::uint64_t to,
                             std::uint64_t from) {
  const auto group = static_cast<std::uint32_t>(thread / group_threads_);
  const std::uint32_t copier = kAsync | group;
  ++now_;
  Byte& source = byte(from);
  note(source, copier, by, object(from).kind == Owner::group, false, false, 0);
  const std::uint8_t value = source.value;
  Byte& target = byte(to);
  note(target, copier, by, object(to).kind == Owner::group, true, false, value);
  target.value = value;
}

TrialValue TrialMemory::said(std::size_t thread, kernel::Annotation annotation,
                             std::uint64_t address) const {
  using kernel::Annotation;
  const bool where =
      annotation == Annotation::read_offset || annotation == Annotation::write_offset;
  const bool writes = annotation == Annotation::write || annotation == Annotation::write_offset;
  if (!where && !writes && annotation != Annotation::read) return {0, false};
  const auto last = last_access_.find({thread, {address >> kShift, writes}});
  const bool any = last != last_access_.end();
  if (!where) return {any ? 1U : 0U, true};
  return {any ? last->second : 0, any};
}

void TrialMemory::forget_last(std::size_t first, std::size_t end) {
  const auto from = last_access_.lower_bound({first, {0, false}});
  last_access_.erase(from, last_access_.lower_bound({end, {0, false}}));
}

void TrialMemory::synchronize(std::size_t thread, bool acquires, bool releases) {
  ++now_;
  const std::size_t group = thread / group_threads_;
  if (acquires) threads_[thread].acquired = group_acquired_[group] = now_;
  if (releases) threads_[thread].released = group_released_[group] = now_;
}

void TrialMemory::barrier(std::size_t group, unsigned memory) {
  if ((memory & 1) != 0) ++local_epoch_[group];
  if ((memory & 2) != 0) ++global_epoch_[group];
  forget_last(group * group_threads_, (group + 1) * group_threads_);
  // It passes on what each of them has seen.
  ++now_;
  std::uint64_t acquired = 0;
  for (std::size_t t = group * group_threads_; t < (group + 1) * group_threads_; ++t) {
    acquired = std::max(acquired, threads_[t].acquired);
  }
  for (std::size_t t = group * group_threads_; t < (group + 1) * group_threads_; ++t) {
    threads_[t].acquired = acquired;
    threads_[t].released = std::max(threads_[t].released, acquired);
  }
}

void TrialMemory::subgroup_barrier(std::size_t group) {
  for (std::size_t t = group * group_threads_; t < (group + 1) * group_threads_; ++t) {
    synchronize(t, true, true);
  }
  forget_last(group * group_threads_, (group + 1) * group_threads_);
}

void TrialMemory::grid_barrier() {
  last_access_.clear();
  observers_.clear();
  for (auto& [number, page] : pages_) {
    for (Byte& b : page) {
      for (int k = 0; k < 2; ++k) b.reads[k] = b.writes[k] = b.atomics[k] = Mark();
    }
  }
}

}  // namespace headway::verify
