// A compiled program of the idiom language as a Program: registers and shared cells packed by
// their declared ranges into as few words as they need.
#pragma once

#include "base/bits/field.hpp"
#include "lang/bounded_tables.hpp"
#include "lang/effects.hpp"
#include "lang/idiom/cells.hpp"
#include "lang/idiom/machine.hpp"
#include "lang/idiom/places.hpp"
#include "lang/program.hpp"

namespace headway::lang::idiom {

class IdiomProgram final : public Program, public SaysEffects, public MakesBoundedTables {
 public:
  explicit IdiomProgram(std::shared_ptr<const Code> code);

  void initial(Word* state) const override;
  ThreadSet terminated(const Word* state) const override;
  int choices(const Word* state, int thread) const override;
  bool chooses_fairly(const Word* state, int thread) const override;
  bool step(const Word* state, Step step, Word* next) const override;
  ThreadSet blocked(const Word* state) const override;
  ThreadSet failed(const Word* state) const override;
  // Local states are those that the values which each cell ever gets, by themselves, can lead to.
  // There are none where threads depend on each other in other ways than by a cell a step.
  std::optional<StepTables> step_tables() const override;
  std::string why_no_tables() const override;
  BoundedTables tables_within(const TableLimits& limits) const override;
  Barriers barriers() const override;
  ThreadSet settle(Word* state, ThreadSet threads, Silent silent) const override;
  bool jammed(const Word* state) const override;
  std::optional<Interchangeable> interchangeable() const override;
  // How many places of their code, loops counted as one, lie behind the threads.
  int height(const Word* state) const override;
  int highest() const override { return highest_; }
  Effects effects(const Word* state, int thread) const override;
  // Who comes to an operation of its subgroup, or to what is assumed, decides over others.
  bool effects_known() const override { return code_->operations.empty() && !may_end_others(); }

  const Code& code() const { return *code_; }

  StepText describe_step(const Word* state, Step step) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int thread) const override;

  // Where a thread stands in `state`, and what a cell holds.
  ThreadState local(const Word* state, int thread) const;
  int value(const Word* state, int cell) const { return cells_[cell].get(state); }

 private:
  struct Thread {
    Field at;                // which of `stops`
    std::vector<int> stops;  // instructions where the thread may stand, the end last; then
                             // comes the failed state
    std::vector<const Instruction*> at_stop;  // the same, and null for the failed state
    std::vector<int> stop_of;                 // by instruction; -1 where it never stands
    std::vector<PackedValue> registers;       // those that matter somewhere
    Word end = 0;                             // of `stops`
    std::vector<bool> recurs;                 // by instruction: whether a barrier leads back to it
    std::vector<Place> places;                // by stop, and for the failed state
  };

  // What a step does.
  struct Taken {
    ThreadState own;  // behind it
    Access access;
    int old = 0;  // in the cell
    std::optional<int> written;
    Failure failure;
  };

  // Where a thread stands; null where it has failed.
  const Instruction* instruction(const Word* state, int thread) const {
    const Thread& own = threads_[thread];
    return own.at_stop[own.at.get(state)];
  }
  int group_size(Scope scope) const;
  int group(Scope scope, int thread) const;
  bool all_wait(const Word* state, int barrier, int group) const;
  void release(Word* state, int barrier, int group) const;
  void release_without(Word* state, int thread) const;
  bool jammed_group(const Word* state, int size, int first) const;
  bool comes_back(int thread, const ThreadState& arrival) const;
  bool take_silent_step(Word* state, int thread, Silent silent) const;
  Taken take(const Word* state, Step step) const;
  Failure judge(const Word* state) const;
  void put(Word* state, int thread, const ThreadState& local) const;
  std::string awaited_text(const Word* state, int thread) const;
  Failure missed(const Word* state, int thread) const;
  Failure gather(Word* state, int thread) const;
  Failure meet(Word* state, int thread) const;
  void end_all(Word* state) const;
  void add_others(const Word* state, Step step, StepText& text) const;

  std::shared_ptr<const Code> code_;
  std::vector<Machine> machines_;
  std::vector<Thread> threads_;
  std::vector<PackedValue> cells_;
  int highest_ = 0;
  bool ends_release_ = false;  // whether the end of a thread can let others pass a barrier
};

}  // namespace headway::lang::idiom
