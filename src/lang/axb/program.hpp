// A test of AXB instructions as a Program: program counters and memory packed into as few words
// as they need, every field inside one word.
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
  bool step(const Word* state, Step step, Word* next) const override;
  models::Instruction next_instruction(const Word* state, int thread) const override;
  // Local states are program counters. A variable's values are those that it ever holds, and 0 up
  // to the largest of them.
  std::optional<StepTables> step_tables() const override;
  // The program counter of a thread and the value of a location in `state`.
  int pc(const Word* state, int thread) const {
    return static_cast<int>(counters_[thread].pc.get(state));
  }
  int value(const Word* state, int location) const {
    return static_cast<int>(memory_[location].get(state));
  }
  StepText describe_step(const Word* state, Step step) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int thread) const override;

 private:
  // An instruction with its location looked up.
  struct Operation {
    Field memory;
    std::uint8_t check_value;
    std::uint8_t jump;
    bool exchanges;
    std::uint8_t exchange_value;
  };
  struct Counter {
    Field pc;
    Word length;
    std::size_t first;  // in operations_
  };

  const Code* code_;
  std::vector<Field> memory_;
  std::vector<Counter> counters_;
  std::vector<Operation> operations_;
};

}  // namespace headway::lang::axb
