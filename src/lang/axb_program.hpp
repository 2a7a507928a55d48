// A test of AXB instructions as a Program: program counters and memory packed into as few words
// as they need, every field inside one word.
#pragma once

#include "lang/program.hpp"
#include "lang/test.hpp"

namespace headway::lang {

class AxbProgram final : public Program {
 public:
  // `test` must outlive the program; it is read again only to describe steps.
  explicit AxbProgram(const Test& test);

  void initial(Word* state) const override;
  ThreadSet terminated(const Word* state) const override;
  bool step(const Word* state, int thread, Word* next) const override;
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
  StepText describe_step(const Word* state, int thread) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int thread) const override;

 private:
  // Some bits of one word of a state.
  struct Field {
    std::uint16_t word = 0;
    std::uint16_t shift = 0;
    Word mask = 0;

    Word get(const Word* state) const { return state[word] >> shift & mask; }
    void set(Word* state, Word value) const {
      state[word] = (state[word] & ~(mask << shift)) | value << shift;
    }
  };
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

  const Test* test_;
  std::vector<Field> memory_;
  std::vector<Counter> counters_;
  std::vector<Operation> operations_;
};

}  // namespace headway::lang
