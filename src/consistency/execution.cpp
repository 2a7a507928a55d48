#include "consistency/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace headway::consistency {
namespace {

using Kind = Instruction::Kind;

// The narrowest level, as an index into Thread::place, within which a tag of a scope holds: all
// threads that agree on this part of their place and on all before it. -1: all threads.
int scope_level(const Tags& tags, int levels) {
  const auto has = [&](const char* tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  // The innermost level of a place is the block, or workgroup, that a thread is in.
  if (has("CTA")) return levels - 1;
  if (has("GPU")) return levels - 2;
  return -1;
}

bool agree(const Thread& a, const Thread& b, int level) {
  for (int l = 0; l <= level; ++l) {
    if (a.place[static_cast<std::size_t>(l)] != b.place[static_cast<std::size_t>(l)]) return false;
  }
  return true;
}

}  // namespace

Execution::Execution(const Program& program, const std::vector<const Trace*>& traces)
    : program_(program), traces_(traces) {
  writes_.resize(program.locations.size());
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    writes_[l].push_back(size());
    Event event;
    event.location = static_cast<int>(l);
    event.writes = true;
    event.written = program.locations[l].initial;
    events_.push_back(event);
    tags_.push_back(nullptr);
  }
  for (std::size_t t = 0; t < traces.size(); ++t) {
    first_.push_back(size());
    add_events(t);
  }
  if (size() > kMaxEvents) {
    throw Error(fmt::format("an execution of {} has {} events; at most {} can be looked at",
                            program.name, size(), kMaxEvents));
  }
  po_ = Relation(size());
  external_ = Relation(size());
  for (int a = 0; a < size(); ++a) {
    for (int b = 0; b < size(); ++b) {
      const int thread = events_[static_cast<std::size_t>(a)].thread;
      const bool same = thread == events_[static_cast<std::size_t>(b)].thread && thread >= 0;
      if (same && a < b) po_.add(a, b);
      if (!same && a != b) external_.add(a, b);
    }
  }
  find_scopes();
}

void Execution::add_events(std::size_t thread) {
  for (const LocalEvent& local : traces_[thread]->events) {
    const int number = size();
    Event event;
    event.thread = static_cast<int>(thread);
    event.of = &local;
    event.reads = local.reads;
    event.writes = local.writes;
    event.read = local.read;
    event.written = local.written;
    if (local.reads || local.writes) event.location = local.of->location;
    if (local.reads) reads_.push_back(number);
    if (local.writes) writes_[static_cast<std::size_t>(event.location)].push_back(number);
    const bool failed = local.failed && program_.one_event_updates;
    tags_.push_back(local.second ? &local.of->write_tags
                    : failed     ? &local.of->failed_tags
                                 : &local.of->tags);
    if (local.of->kind == Kind::fence) {
      const Tags& tags = local.of->tags;
      if (std::find(tags.begin(), tags.end(), "SC") != tags.end()) {
        ordered_fences_.push_back(number);
      }
    }
    events_.push_back(event);
  }
}

// Two events are of one scope when that of each takes in the thread of the other.
void Execution::find_scopes() {
  same_scope_ = Relation(size());
  for (int a = 0; a < size(); ++a) {
    for (int b = 0; b < size(); ++b) {
      const Event& one = events_[static_cast<std::size_t>(a)];
      const Event& other = events_[static_cast<std::size_t>(b)];
      if (one.thread < 0 || other.thread < 0) continue;
      const Thread& first = program_.threads[static_cast<std::size_t>(one.thread)];
      const Thread& second = program_.threads[static_cast<std::size_t>(other.thread)];
      const int levels = static_cast<int>(std::min(first.place.size(), second.place.size()));
      if (agree(first, second, scope_level(*tags_[static_cast<std::size_t>(a)], levels)) &&
          agree(first, second, scope_level(*tags_[static_cast<std::size_t>(b)], levels))) {
        same_scope_.add(a, b);
      }
    }
  }
}

EventSet Execution::tagged(const char* tag) const {
  EventSet result = 0;
  for (int e = 0; e < size(); ++e) {
    const Tags* tags = tags_[static_cast<std::size_t>(e)];
    if (tags != nullptr && std::find(tags->begin(), tags->end(), tag) != tags->end()) {
      result |= single(e);
    }
  }
  return result;
}

void Execution::tell(cat::Evaluation& evaluation) const {
  const auto set = [&](const char* name, const cat::Value& value) {
    evaluation.set(cat::base_number(name), value);
  };
  EventSet reads = 0, writes = 0, fences = 0, barriers = 0, initial = 0, updates = 0;
  for (int e = 0; e < size(); ++e) {
    const Event& event = events_[static_cast<std::size_t>(e)];
    if (event.reads) reads |= single(e);
    if (event.writes) writes |= single(e);
    if (event.thread < 0) {
      initial |= single(e);
      continue;
    }
    if (event.of->of->kind == Kind::fence) fences |= single(e);
    if (event.of->of->kind == Kind::barrier) barriers |= single(e);
    if (event.reads && event.writes) updates |= single(e);
  }
  Relation rmw(size()), data(size()), control(size()), same_location(size());
  Relation same_block(size()), same_device(size()), barrier(size());
  for (int a = 0; a < size(); ++a) {
    const Event& one = events_[static_cast<std::size_t>(a)];
    if (one.thread >= 0) {
      const int first = first_[static_cast<std::size_t>(one.thread)];
      for_events(one.of->data, [&](int from) { data.add(first + from, a); });
      for_events(one.of->control, [&](int from) { control.add(first + from, a); });
      if (one.of->second) {
        rmw.add(a - 1, a);
        updates |= single(a - 1) | single(a);
      }
    }
    for (int b = 0; b < size(); ++b) {
      const Event& other = events_[static_cast<std::size_t>(b)];
      if (one.location >= 0 && one.location == other.location) same_location.add(a, b);
      if (one.thread < 0 || other.thread < 0) continue;
      const Thread& first = program_.threads[static_cast<std::size_t>(one.thread)];
      const Thread& second = program_.threads[static_cast<std::size_t>(other.thread)];
      const int levels = static_cast<int>(first.place.size());
      if (levels != static_cast<int>(second.place.size())) continue;
      if (agree(first, second, levels - 1)) same_block.add(a, b);
      if (agree(first, second, levels - 2)) same_device.add(a, b);
    }
  }
  // The n-th arrivals of threads of a block at a barrier meet.
  std::map<std::pair<int, Number>, int> arrivals;  // by thread and barrier
  std::vector<int> arrival(events_.size());
  for_events(barriers, [&](int e) {
    const Event& event = events_[static_cast<std::size_t>(e)];
    arrival[static_cast<std::size_t>(e)] = arrivals[{event.thread, event.of->barrier_id}]++;
  });
  for_events(barriers, [&](int a) {
    for_events(barriers & same_block.from(a), [&](int b) {
      const auto of = [&](int e) { return events_[static_cast<std::size_t>(e)].of->barrier_id; };
      if (of(a) == of(b) &&
          arrival[static_cast<std::size_t>(a)] == arrival[static_cast<std::size_t>(b)]) {
        barrier.add(a, b);
      }
    });
  });
  // Tags first: a language may use the names of what follows in another way.
  for (const cat::BaseName& base : cat::base_names()) {
    if (!base.is_relation) set(base.name.c_str(), tagged(base.name.c_str()));
  }
  const EventSet all = first_events(size());
  set("R", reads);
  set("W", writes);
  set("M", reads | writes);
  set("F", fences);
  set("BAR", barriers);
  set("I", initial);
  set("IW", initial);
  set("RMW", updates);
  set("id", Relation::identity(size(), all));
  set("po", po_);
  set("thd", Relation::product(size(), all, all) - external_);
  set("int", Relation::product(size(), all, all) - external_);
  set("ext", external_);
  set("loc", same_location);
  set("vloc", same_location);
  set("po-loc", po_ & same_location);
  set("data", data);
  set("ctrl", control);
  set("rmw", rmw);
  set("sr", same_scope_);
  set("scta", same_block);
  set("sgpu", same_device);
  set("syncbar", barrier);
}

void Execution::tell_reads_from(cat::Evaluation& evaluation, const Relation& reads_from) const {
  evaluation.set(cat::base_number("rf"), reads_from);
  evaluation.set(cat::base_number("rfi"), reads_from - external_);
  evaluation.set(cat::base_number("rfe"), reads_from & external_);
}

void Execution::tell_coherence(cat::Evaluation& evaluation, const Relation& reads_from,
                               const Relation& coherence, const Relation& fences) const {
  const Relation from_read =
      reads_from.inverse().then(coherence) - Relation::identity(size(), first_events(size()));
  evaluation.set(cat::base_number("co"), coherence);
  evaluation.set(cat::base_number("coi"), coherence - external_);
  evaluation.set(cat::base_number("coe"), coherence & external_);
  evaluation.set(cat::base_number("fr"), from_read);
  evaluation.set(cat::base_number("fri"), from_read - external_);
  evaluation.set(cat::base_number("fre"), from_read & external_);
  evaluation.set(cat::base_number("sync_fence"), fences);
}

}  // namespace headway::consistency
