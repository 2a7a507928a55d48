#include "consistency/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace headway::consistency {
namespace {

using Kind = Instruction::Kind;

// How much of two places has to agree for one thread to be in the scope of an event of the other.
std::size_t scope_of(const Tags& tags, const Program& program) {
  for (const std::string& tag : tags) {
    const auto known = program.scopes.find(tag);
    if (known != program.scopes.end()) return known->second;
  }
  return 0;
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
    tags_.push_back(&program.locations[l].tags);
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
    event.location = local.location;
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
  ordered_writes_ = Relation(size());
  const bool is_ptx = program_.language == "PTX";
  const EventSet atomics = is_ptx ? tagged("RLX") | tagged("REL") : tagged("ATOM");
  Relation same_proxy = Relation::product(size(), first_events(size()), first_events(size()));
  for (const char* proxy : {"SUR", "TEX", "CON"}) {
    const EventSet by = tagged(proxy), others = first_events(size()) & ~by;
    same_proxy =
        same_proxy - Relation::product(size(), by, others) - Relation::product(size(), others, by);
  }
  for (int a = 0; a < size(); ++a) {
    for (int b = 0; b < size(); ++b) {
      const Event& one = events_[static_cast<std::size_t>(a)];
      const Event& other = events_[static_cast<std::size_t>(b)];
      if (one.thread < 0 || other.thread < 0) continue;
      const Thread& first = program_.threads[static_cast<std::size_t>(one.thread)];
      const Thread& second = program_.threads[static_cast<std::size_t>(other.thread)];
      const std::size_t numbers = std::max(scope_of(*tags_[static_cast<std::size_t>(a)], program_),
                                           scope_of(*tags_[static_cast<std::size_t>(b)], program_));
      // Narrower than all places is the thread itself.
      const bool alone = numbers > first.place.size() && numbers > kBlockLevels;
      const bool in_scope = alone ? one.thread == other.thread : same_place(first, second, numbers);
      if (in_scope) same_scope_.add(a, b);
      const bool atomic = in_scope && (atomics & single(a)) != 0 && (atomics & single(b)) != 0;
      const bool at_one =
          one.location == other.location && one.alias() == other.alias() && same_proxy.has(a, b);
      const bool in_order = atomic || (is_ptx && one.thread == other.thread);
      if (in_order && at_one && a != b && one.writes && other.writes) ordered_writes_.add(a, b);
    }
  }
}

EventSet Execution::tagged(const char* tag) const {
  EventSet result = 0;
  for (int e = 0; e < size(); ++e) {
    const Tags* tags = tags_[static_cast<std::size_t>(e)];
    if (std::find(tags->begin(), tags->end(), tag) != tags->end()) {
      result |= single(e);
    }
  }
  return result;
}

void Execution::tell(cat::Evaluation& evaluation) const {
  const auto set = [&](const char* name, const cat::Value& value) {
    evaluation.set(cat::base_number(name), value);
  };
  EventSet reads = 0, writes = 0, barriers = 0, initial = 0, updates = 0;
  for (int e = 0; e < size(); ++e) {
    const Event& event = events_[static_cast<std::size_t>(e)];
    if (event.reads) reads |= single(e);
    if (event.writes) writes |= single(e);
    if (event.thread < 0) {
      initial |= single(e);
      continue;
    }
    if (event.of->of->kind == Kind::barrier) barriers |= single(e);
    if (event.reads && event.writes) updates |= single(e);
  }
  Relation rmw(size()), data(size()), address(size()), control(size()), same_location(size());
  Relation same_block(size()), same_device(size()), same_subgroup(size()), barrier(size());
  Relation by_host(size()), same_address(size());
  for (int a = 0; a < size(); ++a) {
    const Event& one = events_[static_cast<std::size_t>(a)];
    if (one.thread >= 0) {
      const int first = first_[static_cast<std::size_t>(one.thread)];
      for_events(one.of->data, [&](int from) { data.add(first + from, a); });
      for_events(one.of->address, [&](int from) { address.add(first + from, a); });
      for_events(one.of->control, [&](int from) { control.add(first + from, a); });
      if (one.of->second) {
        rmw.add(a - 1, a);
        updates |= single(a - 1) | single(a);
      }
    }
    for (int b = 0; b < size(); ++b) {
      const Event& other = events_[static_cast<std::size_t>(b)];
      if (one.location >= 0 && one.location == other.location) {
        same_location.add(a, b);
        if (one.alias() == other.alias()) same_address.add(a, b);
      }
      if (one.thread < 0 || other.thread < 0) continue;
      const Thread& first = program_.threads[static_cast<std::size_t>(one.thread)];
      const Thread& second = program_.threads[static_cast<std::size_t>(other.thread)];
      if (same_place(first, second, kBlockLevels)) same_block.add(a, b);
      if (same_place(first, second, 1)) same_device.add(a, b);
      if (same_place(first, second, first.place.size())) same_subgroup.add(a, b);
      for (const auto& [before, behind] : program_.system_synchronizes) {
        if (before == one.thread && behind == other.thread) by_host.add(a, b);
      }
    }
  }
  // The n-th arrivals of threads of a block at a barrier meet.
  std::map<std::pair<int, Number>, int> arrivals;  // by thread and barrier
  std::vector<int> arrival(events_.size());
  for_events(barriers, [&](int e) {
    const Event& event = events_[static_cast<std::size_t>(e)];
    int& count = arrivals[{event.thread, event.of->barrier_id}];
    // Who leaves is at the barrier that it has come to.
    arrival[static_cast<std::size_t>(e)] = event.of->of->leaves ? count : ++count;
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
  set("vloc", same_address);
  set("po-loc", po_ & same_location);
  set("addr", address);
  set("data", data);
  set("ctrl", control);
  set("rmw", rmw);
  set("sr", same_scope_);
  for (const char* name : {"scta", "swg"}) set(name, same_block);
  for (const char* name : {"sgpu", "sdv", "sqf"}) set(name, same_device);
  set("ssg", same_subgroup);
  set("ssw", by_host);
  for (const char* name : {"syncbar", "sync_barrier"}) set(name, barrier);
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
