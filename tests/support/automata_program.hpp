// Automata (support/random_automata.hpp) as a program that the checker takes, without step tables.
#pragma once

#include "base/bits/field.hpp"
#include "lang/effects.hpp"
#include "lang/program.hpp"
#include "support/random_automata.hpp"

namespace headway::testing {

class AutomataProgram final : public lang::Program, public lang::SaysEffects {
 public:
  // States take `padding` words more than they need. With `heights` the program says how far its
  // threads are past the loops of their code.
  explicit AutomataProgram(Automata automata, int padding = 0, bool heights = false);

  void initial(lang::Word* state) const override;
  ThreadSet terminated(const lang::Word* state) const override;
  ThreadSet blocked(const lang::Word* state) const override;
  ThreadSet failed(const lang::Word* state) const override;
  int choices(const lang::Word* state, int thread) const override;
  bool chooses_fairly(const lang::Word* state, int thread) const override;
  bool step(const lang::Word* state, lang::Step step, lang::Word* next) const override;
  Barriers barriers() const override;
  ThreadSet settle(lang::Word* state, ThreadSet threads, lang::Silent silent) const override;
  bool jammed(const lang::Word* state) const override;
  // Threads with the same tables.
  std::optional<lang::Interchangeable> interchangeable() const override;
  int height(const lang::Word* state) const override;
  int highest() const override { return highest_; }
  lang::Effects effects(const lang::Word* state, int thread) const override;

  lang::StepText describe_step(const lang::Word* state, lang::Step step) const override;
  std::string describe_memory(const lang::Word* state) const override;
  std::string describe_thread(const lang::Word* state, int thread) const override;

 private:
  const LocalState& at(const lang::Word* state, int thread) const {
    return automata_.threads[thread][places_[thread].get(state)];
  }
  template <class Holds>
  ThreadSet those(const lang::Word* state, const Holds& holds) const;
  BarrierStage stage(const lang::Word* state, int thread) const {
    return stages_.empty() ? BarrierStage::arriving
                           : static_cast<BarrierStage>(stages_[thread].get(state));
  }
  void set_stage(lang::Word* state, int thread, BarrierStage reached) const;
  bool take_silent_step(lang::Word* state, int thread, lang::Silent silent) const;
  void open_barriers(lang::Word* state) const;

  Automata automata_;
  std::vector<Field> places_, variables_;
  std::vector<Field> stages_;              // by thread; empty where there are no barriers
  std::vector<std::vector<int>> heights_;  // by thread and local state; empty: none are said
  int highest_ = 0;
  std::vector<std::vector<bool>> recurs_;  // by thread and local state: barriers on a loop of them
};

}  // namespace headway::testing
