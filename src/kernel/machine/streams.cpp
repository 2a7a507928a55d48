#include "kernel/machine/streams.hpp"

#include <algorithm>

namespace headway::kernel {

void Footprint::add(Instance object, std::uint64_t at, std::uint64_t bytes, Kind kind, bool sure,
                    int line) {
  if (bytes == 0) return;
  Ranges& ranges = touched_[{object, kind, sure, line}];
  std::uint64_t end = at + bytes;
  auto next = ranges.upper_bound(at);
  if (next != ranges.begin() && std::prev(next)->second >= at) {
    --next;
    if (next->second >= end) return;
    at = next->first;
  }
  while (next != ranges.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ranges.erase(next);
  }
  ranges.emplace_hint(next, at, end);
}

std::optional<Footprint::Met> Footprint::meets(Instance object, std::uint64_t at,
                                               std::uint64_t bytes, Kind kind) const {
  std::optional<Met> result;
  for (auto one = touched_.lower_bound({object, Kind::reads, false, 0}); one != touched_.end();
       ++one) {
    const auto& [of, other, sure, line] = one->first;
    if (of != object) break;
    if ((kind == Kind::reads && other == Kind::reads) || (result && (result->sure || !sure)))
      continue;
    const Ranges& ranges = one->second;
    const auto next = ranges.lower_bound(at + bytes);  // the first one behind
    if (next != ranges.begin() && std::prev(next)->second > at) result = Met{other, sure, line};
  }
  return result;
}

std::set<Instance> Footprint::atomic() const {
  std::set<Instance> result;
  for (const auto& [access, ranges] : touched_) {
    if (std::get<Kind>(access) == Kind::atomic) result.insert(std::get<Instance>(access));
  }
  return result;
}

Streams::Tasks Streams::before(Handle stream) const {
  const Handle name = is_default(stream) ? 0 : stream;
  Tasks result;
  const auto take = [&](Handle of) {
    if (const auto found = last_.find(of); found != last_.end()) {
      result.insert(found->second.begin(), found->second.end());
    }
  };
  take(name);
  if (non_blocking_.contains(name)) return result;
  // The default stream waits for the others, and they for it.
  take(0);
  if (name == 0) {
    for (const auto& [other, tasks] : last_) {
      if (!non_blocking_.contains(other)) take(other);
    }
  }
  return result;
}

bool operator==(const Streams& a, const Streams& b) {
  const auto same_task = [](const auto& one, const auto& other) {
    return one.first == other.first && *one.second == *other.second;
  };
  return std::equal(a.pending_.begin(), a.pending_.end(), b.pending_.begin(), b.pending_.end(),
                    same_task) &&
         a.next_ == b.next_ && a.last_ == b.last_ && a.events_ == b.events_ &&
         a.non_blocking_ == b.non_blocking_;
}

std::vector<FootprintPtr> Streams::beside(Handle stream) const {
  const Tasks behind = before(stream);
  std::vector<FootprintPtr> result;
  for (const auto& [number, task] : pending_) {
    if (!behind.contains(number)) result.push_back(task);
  }
  return result;
}

std::vector<FootprintPtr> Streams::pending() const {
  std::vector<FootprintPtr> result;
  for (const auto& [number, task] : pending_) result.push_back(task);
  return result;
}

void Streams::add(Handle stream, FootprintPtr task) {
  Tasks behind = before(stream);
  behind.insert(next_);
  pending_.emplace(next_++, std::move(task));
  last_[is_default(stream) ? 0 : stream] = std::move(behind);
}

void Streams::record(Handle event, Handle stream) {
  Tasks behind = before(stream);
  events_[event] = behind;
  last_[is_default(stream) ? 0 : stream] = std::move(behind);
}

void Streams::wait(Handle stream, Handle event) {
  Tasks behind = before(stream);
  const Tasks more = recorded(event);
  behind.insert(more.begin(), more.end());
  last_[is_default(stream) ? 0 : stream] = std::move(behind);
}

Streams::Tasks Streams::recorded(Handle event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? Tasks() : found->second;
}

void Streams::done(const Tasks& tasks) {
  const Tasks gone = tasks;  // may be one of those below
  for (const std::uint32_t number : gone) pending_.erase(number);
  for (auto* sets : {&last_, &events_}) {
    for (auto& [handle, set] : *sets) {
      std::erase_if(set, [&](std::uint32_t number) { return gone.contains(number); });
    }
    std::erase_if(*sets, [](const auto& one) { return one.second.empty(); });
  }
  if (pending_.empty()) next_ = 0;
}

void Streams::all_done() {
  pending_.clear();
  last_.clear();
  events_.clear();
  next_ = 0;
}

bool Streams::is_unclear(Handle stream) const {
  if (!is_default(stream)) return false;
  const auto found = last_.find(0);
  const Tasks own = found == last_.end() ? Tasks() : found->second;
  return before(stream) != own;
}

}  // namespace headway::kernel
