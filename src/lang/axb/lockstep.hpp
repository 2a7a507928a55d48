// A test of AXB instructions some of whose subgroups run in lockstep, as a Program: its threads are
// the subgroups. A state has where each lane stands and who waits for whom, packed as the states of
// AxbProgram are; barriers have the same three states, in front, waiting and let through.
#pragma once

#include "base/bits/field.hpp"
#include "lang/axb/lanes.hpp"
#include "lang/program.hpp"

namespace headway::lang::axb {

class LockstepProgram final : public Program {
 public:
  // `code` must outlive the program.
  explicit LockstepProgram(const Code& code);

  void initial(Word* state) const override;
  ThreadSet terminated(const Word* state) const override;
  ThreadSet blocked(const Word* state) const override;
  int choices(const Word* state, int subgroup) const override;
  bool step(const Word* state, Step step, Word* next) const override;
  std::string why_no_tables() const override { return "its subgroups run in lockstep"; }

  StepText describe_step(const Word* state, Step step) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int subgroup) const override;

  Lanes lanes(const Word* state, int subgroup) const;
  int value(const Word* state, int location) const {
    return static_cast<int>(memory_[static_cast<std::size_t>(location)].get(state));
  }

 private:
  enum class Phase : std::uint8_t { before, waiting, passing };  // of a barrier
  struct Packed {
    Field phase;
    std::vector<Field> points;  // by parting: an instruction, from 1 on, or 0 for none
    // By lane: ended; or waiting or pending in a parting; those of the highest role are active.
    std::vector<Field> roles;
    std::vector<Field> at;
  };

  // The instruction of the active lanes; null where there are none, and where a side is chosen.
  const Instruction* instruction(const Lanes& lanes, int subgroup) const;
  Phase phase(const Word* state, int subgroup) const {
    return static_cast<Phase>(packed_[static_cast<std::size_t>(subgroup)].phase.get(state));
  }
  bool waits(const Word* state, int subgroup, Level level) const;
  void put(Word* state, int subgroup, const Lanes& lanes) const;
  void release(Word* state) const;
  std::string statement(const Lanes& lanes, int subgroup) const;
  std::string awaited_text(const Word* state, int subgroup, Level level) const;

  const Code* code_;
  std::vector<Flow> flows_;
  std::vector<Packed> packed_;
  std::vector<Field> memory_;
};

}  // namespace headway::lang::axb
