// From a program and models to verdicts.
//
// A small program has its whole LTS built, once for all models. A large one is swept layer by
// layer (checker/sweep/sweep.hpp), save for models whose F is not a function of the history.
#pragma once

#include <span>
#include <vector>

#include "checker/lts/analysis.hpp"
#include "checker/witness/wrong_run.hpp"

namespace headway {
class Progress;
}

namespace headway::checker {

// What may be done to explore less, each of which can be switched off. Verdicts are the same.
struct Reductions {
  bool layers = true;        // sweep large programs; else build the whole LTS, and symmetry is off
  bool symmetry = true;      // explore one of the states that permute threads with the same code
  bool sleep_sets = true;    // leave out steps that lead where others lead, too
  bool silent_steps = true;  // take steps at barriers at once that nobody can tell; in sweeps
  bool history = true;       // forget which threads have started when no model looks at it
  bool early_stop = true;    // stop exploring when every reading is known to fail
};

struct CheckOptions {
  std::size_t max_states = kDefaultMaxStates;
  const std::atomic<bool>* stop = nullptr;  // deciding stops soon after this becomes true
  std::optional<StopSigns::Clock::time_point> deadline = {};  // and soon after this
  std::size_t max_memory = ~std::size_t{0};                   // bytes, approximately
  // The readings to decide; the others stay unknown.
  bool weak = true;
  bool strong = true;
  Reductions reductions = {};
  // An LTS of at most so many states is small.
  std::size_t small = 4096;
  Progress* progress = nullptr;  // counts the states of large programs

  StopSigns signs() const { return {stop, deadline}; }
};

// A sweep, where one was made.
struct Swept {
  std::size_t models = 0;  // how many were decided by it; the others by the LTS
  std::size_t states = 0;  // with symmetry, sorted ones
  std::size_t transitions = 0;
  bool tracks_started = true;
  int words = 1;                           // a state takes, of 64 bits
  std::vector<ThreadSet> interchangeable;  // threads that symmetry took for the same
  std::string leaf = "thread";             // what a thread is called
  // Why the states of the program were swept and not its step tables; empty when those were
  // swept.
  std::string no_tables;
  bool silent_steps = false;  // whether some were taken at once
  int heights = 0;            // swept, of so many
  int all_heights = 0;
  std::size_t memory = 0;  // bytes, the most that was held at a time
  double seconds = 0;
};

struct CheckResult {
  std::vector<ModelVerdict> verdicts;  // one a model, in the order they were given
  std::optional<ErrorTrace> error;     // then that is all verdicts that were asked for
  // Of the LTS and of what was swept, together, with as much history as the models look at; where
  // a limit stopped it, what was explored by then.
  std::size_t states = 0;
  std::size_t transitions = 0;
  bool complete =
      true;  // false: stopped by a limit; a verdict that is not unknown holds all the same
  Limit stopped_by = Limit::none;
  std::string open;            // why a verdict is unknown that no limit has stopped; or empty
  std::optional<Swept> swept;  // nothing: all models were decided by the LTS
};

// Keeps its memory between programs. One a core; a sweep uses all cores by itself.
class Checker {
 public:
  // Decides all `models`, weakly and strongly. Throws headway::Error when a model gives F a
  // terminated thread.
  CheckResult check(const lang::Program& program, std::span<const models::ModelPtr> models,
                    const CheckOptions& options = {});

 private:
  using Models = std::span<const models::ModelPtr>;

  CheckResult decide_all(const lang::Program& program, Models models, const CheckOptions& options);
  void settle_endings(const lang::Program& program, Models models, const CheckOptions& options,
                      CheckResult& result);
  bool decide_by_lts(const lang::Program& program, Models models, const CheckOptions& options,
                     std::size_t small, std::size_t most, CheckResult& result);
  void decide_apart(const lang::Program& program, Models models, const CheckOptions& options,
                    std::size_t most, CheckResult& result);

  const ModelVerdict* decided_alike(const std::vector<GroupSet>& owed) const;

  Analysis analysis_;
  // Of a program that is not flat, by what models owe in each history.
  std::vector<std::pair<std::vector<GroupSet>, ModelVerdict>> alike_;
};

}  // namespace headway::checker
