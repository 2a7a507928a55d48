// What the checker knows of a program, whatever language it was written in: threads that each
// have exactly one step from every state until they terminate. States are a fixed number of
// words; equal states have equal words. Programs are immutable and safe to share between cores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_set.hpp"
#include "lang/step_tables.hpp"

namespace headway::lang {

using Word = std::uint64_t;

// A step as a person reads it.
struct StepText {
  int line = 0;           // of the statement in its file; 0 when unknown
  std::string statement;  // as written
  std::string effect;     // "reads m = 1", "writes m = 0", ...
};

class Program {
 public:
  virtual ~Program() = default;

  int threads() const { return threads_; }
  // Words a state takes, at least 1. The lowest threads() bits of the first word are zero in
  // every state this class makes: they belong to the caller, who may keep a thread set there
  // (step() copies them).
  int words() const { return words_; }

  virtual void initial(Word* state) const = 0;
  // The threads that have terminated in `state`.
  virtual ThreadSet terminated(const Word* state) const = 0;
  // Writes to `next` the state after one step of `thread`, which must not have terminated, and
  // returns whether it has then. `next` must not overlap `state`.
  virtual bool step(const Word* state, int thread, Word* next) const = 0;

  // Whether a step can go wrong: an assertion that does not hold, a value out of its range. A
  // thread that has failed never terminates, and its steps change nothing any more.
  virtual bool may_fail() const { return false; }
  // The threads that have failed in `state`.
  virtual ThreadSet failed(const Word*) const { return {}; }

  // The same program as tables; nothing where a language cannot be put so.
  virtual std::optional<StepTables> step_tables() const { return std::nullopt; }

  // For people: the step that `thread` takes from `state`; shared memory, "m=1 f=0".
  virtual StepText describe_step(const Word* state, int thread) const = 0;
  virtual std::string describe_memory(const Word* state) const = 0;
  // What each thread will do next, "while (Load(f) == 0);", or "END".
  virtual std::string describe_thread(const Word* state, int thread) const = 0;

 protected:
  Program(int threads, int words) : threads_(threads), words_(words) {}
  void set_words(int words) { words_ = words; }

 private:
  int threads_;
  int words_;
};

}  // namespace headway::lang
