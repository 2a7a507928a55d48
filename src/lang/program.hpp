// What the checker knows of a program, whatever language it was written in
// (docs/reference/semantics.md, executions): threads that are running, blocked, ended or failed,
// and the transitions of those that run. States are a fixed number of words; equal states have
// equal words. Programs are immutable and safe to share between cores.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "base/topology.hpp"
#include "lang/interchangeable.hpp"
#include "lang/step_tables.hpp"
#include "models/instruction.hpp"

namespace headway::lang {

using Word = std::uint64_t;

// One of the transitions of a thread; choices count from 0. A thread alone stands for its first
// one, which for most programs is its only one.
struct Step {
  std::uint16_t thread = 0;
  std::uint16_t choice = 0;

  constexpr Step() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Step(int of_thread, int chosen = 0)
      : thread(static_cast<std::uint16_t>(of_thread)), choice(static_cast<std::uint16_t>(chosen)) {}
  friend bool operator==(const Step&, const Step&) = default;
};

// Which steps are silent: none; those that pass a barrier, touch no memory, and after which the
// thread runs on; those, too, by which it arrives at a barrier, if all ways back to it lead through
// steps that are not silent; and those that pass a barrier and end the thread.
enum class Silent : std::uint8_t { none, passes, arrivals, ends };

// A step as a person reads it.
struct StepText {
  int line = 0;           // of the statement in its file; 0 when unknown
  std::string statement;  // as written
  std::string effect;     // "reads m = 1", "writes m = 0", ...
  // Whose step it is, where the program is a part of a larger launch.
  std::optional<int> thread = {};
};

class Program {
 public:
  // What the threads of a program can do besides taking the one step that they have. Who asks
  // less of a program is answered faster.
  struct Abilities {
    bool block = false;
    bool choose = false;         // have several transitions
    bool choose_fairly = false;  // have choices that are fair
    bool fail = false;
    bool end_others = false;    // end other threads, too, by a step
    bool drop = false;          // end in states that are no ends of executions
    bool instructions = false;  // its steps are AXB instructions, which models may look at
  };

  virtual ~Program() = default;

  const Topology& topology() const { return topology_; }
  int threads() const { return topology_.threads(); }
  // Words a state takes, at least 1.
  int words() const { return words_; }
  bool may_block() const { return abilities_.block; }
  bool may_choose() const { return abilities_.choose; }
  bool may_choose_fairly() const { return abilities_.choose_fairly; }
  bool may_fail() const { return abilities_.fail; }
  bool may_end_others() const { return abilities_.end_others; }
  bool may_drop() const { return abilities_.drop; }
  bool has_instructions() const { return abilities_.instructions; }

  virtual void initial(Word* state) const = 0;

  // In `state`, the threads that have ended; those that wait for a step of another one; those that
  // have failed: by an assertion that does not hold, a value out of its range. The sets share no
  // thread. What failed stays so; a state with a failed thread has no transitions. All other
  // threads are running.
  virtual ThreadSet terminated(const Word* state) const = 0;
  virtual ThreadSet blocked(const Word*) const { return {}; }
  virtual ThreadSet failed(const Word*) const { return {}; }
  ThreadSet running(const Word* state) const;

  // How many transitions a running thread has, at least 1.
  virtual int choices(const Word*, int) const { return 1; }
  // Whether the choice of a running thread is fair: an execution that makes it again and again in a
  // state takes each of its transitions again and again.
  virtual bool chooses_fairly(const Word*, int) const { return false; }
  // Writes to `next` the state after `step`, whose thread is running, and returns whether the
  // thread has ended then. No other thread ends or fails by it, unless that is possible: then
  // whether any has ended. `next` must not overlap `state`.
  virtual bool step(const Word* state, Step step, Word* next) const = 0;

  // Of a state in which all threads have ended: whether an execution ends there; whether there is
  // none that comes to it, as it was told apart too late; or whether what may come behind it has
  // not been looked at.
  enum class Ending : std::uint8_t { real, dropped, beyond };
  virtual Ending ending(const Word*) const { return Ending::real; }
  // A program with all executions of this one that goes on where this one does not look any
  // further, and may have more; null where there is none.
  virtual std::unique_ptr<Program> wider() const { return nullptr; }

  // The instruction of the next step of a running thread, where the program has instructions.
  virtual models::Instruction next_instruction(const Word*, int) const { return {}; }

  // A place in the state for whoever explores the program, to note which threads have started. This
  // class makes states without any, and step() copies the note.
  static ThreadSet noted(const Word* state, int threads) {
    return ThreadSet::of_bits(*state) & ThreadSet::first(threads);
  }
  static void note(Word* state, ThreadSet threads) { *state |= threads.bits(); }
  static void forget(Word* state, int threads) { *state &= ~ThreadSet::first(threads).bits(); }

  // The same program as tables; nothing where it cannot be put so, and then why_no_tables() says
  // the reason: "its threads have more than 20000 local states".
  virtual std::optional<StepTables> step_tables() const { return std::nullopt; }
  virtual std::string why_no_tables() const { return "its language has no step tables"; }

  // Barriers, for whoever leaves out silent steps (docs/internals/exploration.md).
  struct Barriers {
    int widest = 0;      // threads that meet at the widest of them; 0: there are none
    bool alone = false;  // threads are blocked nowhere else
  };
  virtual Barriers barriers() const { return {}; }
  // Takes silent steps of `threads` until none of them has any, and returns whose. In which order
  // makes no difference.
  virtual ThreadSet settle(Word*, ThreadSet, Silent) const { return {}; }
  // Whether a thread waits at a barrier for one that has ended, or that waits at another barrier
  // for it. Then the program never ends.
  virtual bool jammed(const Word*) const { return false; }

  // Which threads may change places; nothing where none may. Of programs with step tables the
  // tables tell.
  virtual std::optional<Interchangeable> interchangeable() const { return std::nullopt; }

  // A number that never falls along an execution, at most highest(): states of a cycle have the
  // same. The better it tells states apart that lie on no cycle, the less has to be kept at a time.
  virtual int height(const Word*) const { return 0; }
  virtual int highest() const { return 0; }

  // For people: the step from `state`; shared memory, "m=1 f=0".
  virtual StepText describe_step(const Word* state, Step step) const = 0;
  virtual std::string describe_memory(const Word* state) const = 0;
  // What each thread will do next, "while (Load(f) == 0);", or "END".
  virtual std::string describe_thread(const Word* state, int thread) const = 0;

 protected:
  // Keep the lowest `topology.threads()` bits of the first word of a state free for note().
  Program(const Topology& topology, Abilities abilities, int words)
      : topology_(topology), abilities_(abilities), words_(words) {
    assert(topology.threads() <= kMaxThreads);
  }
  void set_words(int words) { words_ = words; }

 private:
  Topology topology_;
  Abilities abilities_;
  int words_;
};

inline ThreadSet Program::running(const Word* state) const {
  if (abilities_.fail && !failed(state).empty()) return {};
  const ThreadSet alive = ThreadSet::first(threads()) - terminated(state);
  return abilities_.block ? alive - blocked(state) : alive;
}

}  // namespace headway::lang
