// The events of one candidate execution and what holds between them before anything is known of
// what they read from: the sets and relations of the first stage of a model.
#pragma once

#include <vector>

#include "consistency/cat/model.hpp"
#include "consistency/trace.hpp"

namespace headway::consistency {

struct Event {
  int thread = -1;  // -1: the initial write of a location
  const LocalEvent* of = nullptr;
  int location = -1;
  bool reads = false, writes = false;
  Number read = 0, written = 0;

  // The name by which it comes to its location.
  int alias() const { return of == nullptr ? -1 : of->of->alias; }
};

// One trace a thread, put together: the initial writes come first, location by location.
class Execution {
 public:
  // Throws headway::Error where there are more than kMaxEvents events.
  Execution(const Program& program, const std::vector<const Trace*>& traces);

  const Program& program() const { return program_; }
  const std::vector<Event>& events() const { return events_; }
  int size() const { return static_cast<int>(events_.size()); }
  const Trace& trace(std::size_t thread) const { return *traces_[thread]; }
  // The reads, and by location the writes, the initial one first.
  const std::vector<int>& reads() const { return reads_; }
  const std::vector<std::vector<int>>& writes() const { return writes_; }
  // Fences of sequential consistency that models put into one order, and which pairs of them.
  const std::vector<int>& ordered_fences() const { return ordered_fences_; }
  const Relation& same_scope() const { return same_scope_; }
  // Pairs of writes of which one comes first in any coherence order: atomics of Vulkan, and morally
  // strong writes of PTX, that come to a location by one name, each in the scope of the other.
  const Relation& ordered_writes() const { return ordered_writes_; }

  // Tells a model all that is known of the events.
  void tell(cat::Evaluation& evaluation) const;
  // The same of reads-from, and of the coherence order.
  void tell_reads_from(cat::Evaluation& evaluation, const Relation& reads_from) const;
  void tell_coherence(cat::Evaluation& evaluation, const Relation& reads_from,
                      const Relation& coherence, const Relation& fences) const;

 private:
  void add_events(std::size_t thread);
  void find_scopes();
  EventSet tagged(const char* tag) const;

  const Program& program_;
  std::vector<const Trace*> traces_;
  std::vector<Event> events_;
  std::vector<const Tags*> tags_;  // by event
  std::vector<int> first_;         // event of each thread
  std::vector<int> reads_;
  std::vector<std::vector<int>> writes_;
  std::vector<int> ordered_fences_;
  Relation po_, external_, same_scope_, ordered_writes_;
};

}  // namespace headway::consistency
