// A compiled program of the idiom language whose subgroups run in lockstep, as a Program: its
// threads are the subgroups. A state has the place and the registers of each lane and who waits for
// whom, packed as those of IdiomProgram are.
#pragma once

#include "base/bits/field.hpp"
#include "lang/idiom/cells.hpp"
#include "lang/idiom/subgroup.hpp"
#include "lang/program.hpp"

namespace headway::lang::idiom {

// The launch whose threads are the subgroups of `launch`.
Topology of_subgroups(const Topology& launch);

class LockstepProgram final : public Program {
 public:
  explicit LockstepProgram(std::shared_ptr<const Code> code);

  void initial(Word* state) const override;
  ThreadSet terminated(const Word* state) const override;
  int choices(const Word* state, int subgroup) const override;
  bool chooses_fairly(const Word* state, int subgroup) const override;
  bool step(const Word* state, Step step, Word* next) const override;
  ThreadSet blocked(const Word* state) const override;
  ThreadSet failed(const Word* state) const override;
  std::string why_no_tables() const override { return "its subgroups run in lockstep"; }
  std::optional<Interchangeable> interchangeable() const override;

  StepText describe_step(const Word* state, Step step) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int subgroup) const override;

  // Where the lanes of a subgroup stand in `state`.
  Lanes lanes(const Word* state, int subgroup) const;

 private:
  // A lane has ended; is active, as are all that have the highest role; or belongs to a parting.
  struct Lane {
    Field role;
    Field at;  // which of the subgroup's places
    std::vector<PackedValue> registers;
  };
  struct Packed {
    Field failed;
    std::vector<Field> points;  // by parting: which of the places, from 1 on; 0 where nobody waits
    std::vector<Lane> lanes;
  };

  void allot();
  Packed allot(const Subgroup& subgroup, FieldAllotter& fields) const;
  void put(Word* state, int subgroup, const Lanes& lanes) const;
  int place_number(int subgroup, int at) const;
  bool is_ended(const Word* state, int subgroup) const;
  LanesTaken take(const Word* state, Step step, Word* next) const;
  bool all_wait(const Word* state, int barrier, int subgroup) const;
  void release(Word* state) const;
  void end_all(Word* state) const;
  void judge_end(Word* state, int subgroup) const;
  std::string awaited_text(const Word* state, int subgroup) const;

  std::shared_ptr<const Code> code_;
  std::vector<Subgroup> subgroups_;
  std::vector<Packed> packed_;
  std::vector<PackedValue> cells_;
};

}  // namespace headway::lang::idiom
