// A test of AXB instructions as a Program: program counters and memory packed into as few words
// as they need, every field inside one word. A barrier is three local states: in front of it,
// waiting, and let through. The step that completes a group, an arrival or an end, lets all of it
// through at once; each then passes by a step of its own.
#pragma once

#include "base/bits/field.hpp"
#include "lang/axb/code.hpp"
#include "lang/program.hpp"

namespace headway::lang::axb {

class AxbProgram final : public Program {
 public:
  // `code` must outlive the program; it is read again only to describe steps.
  explicit AxbProgram(const Code& code);

  void initial(Word* state) const override;
  ThreadSet terminated(const Word* state) const override;
  ThreadSet blocked(const Word* state) const override;
  bool step(const Word* state, Step step, Word* next) const override;
  models::Instruction next_instruction(const Word* state, int thread) const override;
  // Local states are program counters. A variable's values are those that it ever holds, and 0 up
  // to the largest of them.
  std::optional<StepTables> step_tables() const override;
  std::string why_no_tables() const override { return "it has groups of threads"; }
  // The program counter of a thread and the value of a location in `state`.
  int pc(const Word* state, int thread) const {
    const Counter& counter = counters_[thread];
    const Word at = counter.at.get(state);
    return has_barriers_ && at < counter.length ? operations_[counter.first + at].index
                                                : static_cast<int>(at - counter.past_barriers);
  }
  int value(const Word* state, int location) const {
    return static_cast<int>(memory_[location].get(state));
  }
  StepText describe_step(const Word* state, Step step) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int thread) const override;

 private:
  // What a thread does in a local state: an instruction with its location looked up.
  struct Operation {
    enum class Kind : std::uint8_t { access, arrive, wait, pass };
    Kind kind = Kind::access;
    std::uint8_t check_value = 0;
    bool exchanges = false;
    std::uint8_t exchange_value = 0;
    std::uint8_t index = 0;          // of the instruction
    Level level = Level::workgroup;  // of a barrier
    std::uint16_t jump = 0;          // a local state
    Field memory = {};
  };
  struct Counter {
    Field at;            // the local state
    Word length;         // of local states; the one behind them is the end
    Word past_barriers;  // local states more than there are instructions
    std::size_t first;   // in operations_
  };

  AxbProgram(const Code& code, bool has_barriers);
  void add_operations(const Thread& thread);
  // What a thread does after its access, or at a barrier: whether it ends by it.
  bool go_to(Word local, Step step, Word* next) const;
  bool step_at_barrier(const Operation& operation, Step step, Word* next) const;
  // The operation of a thread that has not ended; null of one that has.
  const Operation* operation(const Word* state, int thread) const {
    const Counter& counter = counters_[thread];
    const Word at = counter.at.get(state);
    return at < counter.length ? &operations_[counter.first + at] : nullptr;
  }
  // The group of a thread if all of it waits at its barrier or, where that counts, has ended.
  ThreadSet complete(const Word* state, Level level, int thread) const;
  void release(Word* state, Level level, int thread) const;
  std::string statement(int thread, int index) const;
  std::string awaited_text(const Word* state, int thread) const;

  const Code* code_;
  std::vector<Field> memory_;
  std::vector<Counter> counters_;
  std::vector<Operation> operations_;
  bool has_barriers_;
};

}  // namespace headway::lang::axb
