// What models demand of a fair cycle, for programs with interchangeable threads: the fair sets that
// a model names after the histories that a packed state stands for.
//
// A sorted state stands for all states that permute threads of a kind. Their histories put the
// kind's fresh, running and ended threads in every order, and a model that looks at ids may name
// another F after each. A cycle serves a history when F holds running threads only and of each
// kind no more than step in the cycle (docs/internals/exploration.md, symmetry, 3). So what
// matters of F is a number a kind, a *demand*, and of the demands only the smallest.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bits/hash.hpp"
#include "base/limits.hpp"
#include "checker/sweep/packed_program.hpp"
#include "models/model.hpp"

namespace headway::checker {

// The stages of the threads of a sorted state, by slot: of each kind the fresh slots come first,
// then the running ones, then those that have ended.
struct Stages {
  ThreadSet fresh;
  ThreadSet ended;

  std::size_t hash() const { return mix(fresh.bits() * 0x9e3779b97f4a7c15ULL ^ mix(ended.bits())); }
  friend bool operator==(const Stages&, const Stages&) = default;
};

// A set of slots with `counts` running threads of each kind: the first running slots. So one
// demand is at most another, for every kind, when its set is included in the other's.
ThreadSet first_running(const PackedProgram& program, const Stages& stages, ThreadSet counted);

// Safe to share between cores. `program` and `budget` must outlive it.
class Demands {
 public:
  // Per model, the smallest demands after the histories of some stages. Empty when each F holds a
  // fresh thread, which no cycle can serve.
  using Entry = std::vector<std::vector<ThreadSet>>;

  // Entries that were asked for of late and are quickly found again. One a core.
  class Recent {
   private:
    friend class Demands;
    struct Place {
      Stages stages{ThreadSet::single(0), ThreadSet::single(0)};  // fresh and ended: none's
      Entry entry;
    };
    std::vector<Place> places_ = std::vector<Place>(1024);
  };

  Demands(const PackedProgram& program, std::span<const models::ModelPtr> models,
          const StopSigns& signs, MemoryBudget& budget);

  // Nothing when it was told to stop. Evaluates each model after every history, or once when the
  // model does not look at ids; where there are many histories, the entry is kept for good. Throws
  // headway::Error when a model gives F a terminated thread. The entry is valid until the next
  // call with the same `recent`.
  const Entry* of(const Stages& stages, Recent& recent);

  // The same without symmetry: there is one history, and F is the demand.
  ThreadSet only(std::size_t model, const Stages& stages) const;

  // The demands of this model are of no interest any more; entries may lack them from now on.
  void forget(std::size_t model) { forgotten_[model] = true; }

 private:
  struct Guarded {
    std::mutex mutex;
    bool complete = false;
    Entry entry;
  };

  bool enumerate(const Stages& stages, Entry& entry) const;

  const PackedProgram& program_;
  const std::span<const models::ModelPtr> models_;
  const StopSigns signs_;
  MemoryBudget& budget_;
  std::vector<std::atomic<bool>> forgotten_;
  std::mutex mutex_;  // of entries_
  struct Hash {
    std::size_t operator()(const Stages& stages) const { return stages.hash(); }
  };
  std::unordered_map<Stages, std::unique_ptr<Guarded>, Hash> entries_;
};

}  // namespace headway::checker
