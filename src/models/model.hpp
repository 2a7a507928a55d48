// A progress model: an automaton over thread events ("t takes a step", "and terminates by it")
// that names, before every step, the fair set F: the threads whose eventual execution the model
// guarantees (Sorensen et al., OOPSLA 2021, section 4). A new model derives from Model; nothing
// else needs to know it. Models are immutable and safe to share between cores.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/bits/thread_set.hpp"
#include "base/topology.hpp"
#include "models/instruction.hpp"

namespace headway::models {

// What a model may look at. `started` holds the threads that have taken a step, and so includes
// `terminated`, those that have ended. `blocked` threads are alive and cannot step now; all other
// threads alive are ready.
struct History {
  ThreadSet started;
  ThreadSet terminated;
  ThreadSet blocked = {};

  ThreadSet alive(int threads) const { return ThreadSet::first(threads) - terminated; }
  ThreadSet ready(int threads) const { return alive(threads) - blocked; }

  // A history in words, for tables.
  using Key = std::array<std::uint64_t, 3>;
  Key key() const { return {started.bits(), terminated.bits(), blocked.bits()}; }

  friend bool operator==(const History&, const History&) = default;
};

struct Event {
  int thread;
  bool terminates;               // the step was the thread's last
  Instruction instruction = {};  // only for models that look at it
};

class Model {
 public:
  virtual ~Model() = default;

  const std::string& name() const { return name_; }
  const std::string& summary() const { return summary_; }
  // A number that no other model of this process has, but for copies.
  std::uint64_t serial() const { return serial_; }
  // The rule that F follows, as it was written: "started & alive".
  const std::string& definition() const { return definition_; }

  // Whether F is a function of the history alone: then fair() is that function, and initial()
  // and next() follow it. Otherwise F itself is what the automaton remembers.
  virtual bool history_determined() const { return true; }
  // Whether `started` can make a difference; the checker forgets it when no model asks.
  virtual bool looks_at_started() const { return true; }
  // Whether it can make a difference to a thread who else has started.
  virtual bool looks_at_started_of_others() const { return looks_at_started(); }
  // Whether `blocked` can.
  virtual bool looks_at_blocked() const { return true; }
  // Whether it can make a difference, to which of those that are ready are in F, who of the others
  // has terminated.
  virtual bool looks_at_terminated() const { return true; }
  // Whether F may depend on which ids threads have. When not, renaming the threads of a history
  // renames those of F: fair(n, renamed h) == renamed fair(n, h).
  virtual bool looks_at_ids() const { return true; }

  // Whether on_step() looks at the instruction of the step; never a function of the history.
  virtual bool looks_at_instructions() const { return false; }

  // F after `history`; only for a history-determined model.
  virtual ThreadSet fair(const Topology& topology, const History& history) const = 0;

  // F before the first step, where some may already be blocked.
  virtual ThreadSet initial(const Topology& topology, const History& first) const {
    return fair(topology, first);
  }
  ThreadSet initial(const Topology& topology) const { return initial(topology, {}); }
  // F after a step (a termination of `thread`), when it was `before` and the history has become
  // `after`. A last step is both, first the step: on_step() then still sees the thread alive.
  virtual ThreadSet on_step(const Topology& topology, ThreadSet before, const Event& step,
                            const History& after) const {
    static_cast<void>(before), static_cast<void>(step);
    return fair(topology, after);
  }
  virtual ThreadSet on_terminate(const Topology& topology, ThreadSet before, int thread,
                                 const History& after) const {
    static_cast<void>(before), static_cast<void>(thread);
    return fair(topology, after);
  }

  // The model that is asked about the groups of a level (models/scoped.hpp); null for fair. A model
  // that says no more is one for workgroups.
  virtual const Model* at(Level level) const { return level == Level::workgroup ? this : nullptr; }

  // F after `event`, when it was `before` and the history has become `after`.
  ThreadSet next(const Topology& topology, ThreadSet before, const Event& event,
                 const History& after) const;

 protected:
  Model(std::string name, std::string summary, std::string definition)
      : name_(std::move(name)), summary_(std::move(summary)), definition_(std::move(definition)) {}

 private:
  std::string name_;
  std::string summary_;
  std::string definition_;
  std::uint64_t serial_ = next_serial();

  static std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }
};

using ModelPtr = std::shared_ptr<const Model>;

inline ThreadSet Model::next(const Topology& topology, ThreadSet before, const Event& event,
                             const History& after) const {
  if (history_determined()) return fair(topology, after);
  if (!event.terminates) return on_step(topology, before, event, after);
  const ThreadSet self = ThreadSet::single(event.thread);
  History stepped = after;
  stepped.terminated -= self;
  const ThreadSet fair = on_step(topology, before, event, stepped);
  return on_terminate(topology, fair, event.thread, after);
}

// The history after `event`.
inline History after(History history, const Event& event) {
  history.started |= ThreadSet::single(event.thread);
  if (event.terminates) history.terminated |= ThreadSet::single(event.thread);
  return history;
}

}  // namespace headway::models
