// One execution that a memory model allows, kept to be shown: what happened, in each thread in
// order, and from where each read has its value.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consistency/execution.hpp"

namespace headway::consistency {

struct Witness {
  struct Event {
    int thread = -1;  // -1: the initial write of a location
    int line = 0;     // of the file; 0: an initial write
    std::string instruction = {};
    std::string location = {};  // empty: a fence or a barrier
    std::optional<Number> read = {}, written = {};
    int from = -1;           // the event that a read has its value from
    std::string fault = {};  // why the program goes wrong here; empty: it does not

    friend bool operator==(const Event&, const Event&) = default;
  };
  // What a thread does in the end; who waits, or stopped where it is owed nothing, never ends.
  enum class End { ends, waits, stops, goes_wrong };

  std::vector<End> ends;  // by thread
  // The initial writes first, then thread by thread, and what goes wrong last.
  std::vector<Event> events;
  // Of two writes of a location, which comes first; only next ones.
  std::vector<std::pair<int, int>> coherence;

  friend bool operator==(const Witness&, const Witness&) = default;
};

Witness witness_of(const Execution& execution, const Relation& reads_from,
                   const Relation& coherence);

}  // namespace headway::consistency
