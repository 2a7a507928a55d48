#include "checker/sweep/demands.hpp"

#include <algorithm>
#include <cassert>

#include "base/bits/hash.hpp"
#include "checker/lts/fair_sets.hpp"

namespace headway::checker {

using models::History;

namespace {

// Walks through the histories that some stages stand for: every way to put fresh, running and
// ended threads on the ids of a kind.
class HistoryWalk {
 public:
  HistoryWalk(const PackedProgram& program, const Stages& stages) : program_(program) {
    for (const PackedProgram::Kind& kind : program.kinds()) {
      const int fresh = (stages.fresh & kind.slots()).size();
      const int ended = (stages.ended & kind.slots()).size();
      left_.push_back({fresh, kind.size - fresh - ended, ended});
    }
  }

  // Calls visit(fresh, ended) with sets of ids until it returns false; returns whether it never
  // did.
  template <class Visit>
  bool run(const Visit& visit, std::size_t slot = 0, ThreadSet fresh = {}, ThreadSet ended = {}) {
    if (slot == program_.slots().size()) return visit(fresh, ended);
    const PackedProgram::Slot& entry = program_.slots()[slot];
    const ThreadSet self = ThreadSet::single(entry.thread);
    Left& left = left_[entry.kind];
    const auto choose = [&](int& count, ThreadSet now_fresh, ThreadSet now_ended) {
      if (count == 0) return true;
      --count;
      const bool go_on = run(visit, slot + 1, now_fresh, now_ended);
      ++count;
      return go_on;
    };
    return choose(left.fresh, fresh | self, ended) && choose(left.running, fresh, ended) &&
           choose(left.ended, fresh, ended | self);
  }

 private:
  struct Left {
    int fresh, running, ended;
  };
  const PackedProgram& program_;
  std::vector<Left> left_;  // by kind
};

History history_of(const PackedProgram& program, ThreadSet fresh, ThreadSet ended) {
  const ThreadSet all = ThreadSet::first(program.threads());
  return {program.tracks_started() ? all - fresh : ThreadSet(), ended};
}

// How many histories some stages stand for, of each kind a multinomial coefficient.
double histories(const PackedProgram& program, const Stages& stages) {
  double count = 1;
  for (const PackedProgram::Kind& kind : program.kinds()) {
    const int fresh = (stages.fresh & kind.slots()).size();
    const int ended = (stages.ended & kind.slots()).size();
    for (int i = 1; i <= fresh; ++i) count *= static_cast<double>(kind.size - fresh + i) / i;
    for (int i = 1; i <= ended; ++i) {
      count *= static_cast<double>(kind.size - fresh - ended + i) / i;
    }
  }
  return count;
}

void add_minimal(std::vector<ThreadSet>& minimal, ThreadSet demand) {
  for (const ThreadSet known : minimal) {
    if (demand.includes(known)) return;
  }
  std::erase_if(minimal, [&](ThreadSet known) { return known.includes(demand); });
  minimal.push_back(demand);
}

}  // namespace

ThreadSet first_running(const PackedProgram& program, const Stages& stages, ThreadSet counted) {
  ThreadSet result;
  for (const PackedProgram::Kind& kind : program.kinds()) {
    const int from = kind.first + (stages.fresh & kind.slots()).size();
    assert((counted & kind.slots()).size() + (stages.ended & kind.slots()).size() <=
           kind.first + kind.size - from);
    result |= ThreadSet::first(from + (counted & kind.slots()).size()) - ThreadSet::first(from);
  }
  return result;
}

Demands::Demands(const PackedProgram& program, std::span<const models::ModelPtr> models,
                 const StopSigns& signs, MemoryBudget& budget)
    : program_(program),
      models_(models),
      signs_(signs),
      budget_(budget),
      forgotten_(models_.size()) {}

const Demands::Entry* Demands::of(const Stages& stages, Recent& recent) {
  constexpr double few = 256;  // histories
  if (histories(program_, stages) <= few) {
    Recent::Place& place = recent.places_[stages.hash() % recent.places_.size()];
    if (place.stages == stages) return &place.entry;
    place = {};
    if (!enumerate(stages, place.entry)) return nullptr;
    place.stages = stages;
    return &place.entry;
  }
  Guarded* guarded = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Guarded>& place = entries_[stages];
    if (place == nullptr) {
      place = std::make_unique<Guarded>();
      budget_.take(sizeof(Guarded) + 64 + models_.size() * (sizeof(Entry) + 32));
    }
    guarded = place.get();
  }
  const std::lock_guard lock(guarded->mutex);
  if (!guarded->complete) guarded->complete = enumerate(stages, guarded->entry);
  return guarded->complete ? &guarded->entry : nullptr;
}

ThreadSet Demands::only(std::size_t model, const Stages& stages) const {
  assert(!program_.symmetric());  // so that slots are ids
  const History history = history_of(program_, stages.fresh, stages.ended);
  const ThreadSet fair = models_[model]->fair(program_.threads(), history);
  refuse_terminated(*models_[model], program_.threads(), history, {fair});
  return fair;
}

bool Demands::enumerate(const Stages& stages, Entry& entry) const {
  entry.assign(models_.size(), {});
  std::vector<std::size_t> asked;  // models
  for (std::size_t m = 0; m < models_.size(); ++m) {
    if (!forgotten_[m]) asked.push_back(m);
  }
  struct Part {
    ThreadSet threads;  // ids
    int first_running;  // slot
  };
  std::vector<Part> parts;  // by kind
  for (const PackedProgram::Kind& kind : program_.kinds()) {
    Part& part = parts.emplace_back();
    for (const int slot : kind.slots()) {
      part.threads |= ThreadSet::single(program_.slots()[slot].thread);
    }
    part.first_running = kind.first + (stages.fresh & kind.slots()).size();
  }

  std::size_t count = 0;
  bool stopped = false;
  HistoryWalk(program_, stages).run([&](ThreadSet fresh, ThreadSet ended) {
    const History history = history_of(program_, fresh, ended);
    for (const std::size_t m : asked) {
      const ThreadSet fair = models_[m]->fair(program_.threads(), history);
      if (!(fair & ended).empty())
        refuse_terminated(*models_[m], program_.threads(), history, {fair});
      if (!(fair & fresh).empty()) continue;
      ThreadSet demand;
      for (const Part& part : parts) {
        demand |= ThreadSet::first(part.first_running + (fair & part.threads).size()) -
                  ThreadSet::first(part.first_running);
      }
      add_minimal(entry[m], demand);
    }
    if (count++ == 0) {
      std::erase_if(asked, [&](std::size_t m) { return !models_[m]->looks_at_ids(); });
    }
    if (count % 1024 == 0) stopped = signs_.seen() != Limit::none;
    return !asked.empty() && !stopped;
  });
  return !stopped;
}

}  // namespace headway::checker
