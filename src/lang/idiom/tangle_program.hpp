// A compiled program of the idiom language under a reading of subgroups that has dynamic blocks, as
// a Program. Its threads take steps by themselves, or one does for all that meet; of a reading in
// which one side runs, subgroups take them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bits/field.hpp"
#include "lang/idiom/cells.hpp"
#include "lang/idiom/tangles.hpp"
#include "lang/program.hpp"

namespace headway::lang::idiom {

class TangleProgram final : public Program {
 public:
  // `wide`: as of Tangled.
  explicit TangleProgram(std::shared_ptr<const Code> code, bool wide = false);

  void initial(Word* state) const override;
  ThreadSet terminated(const Word* state) const override;
  ThreadSet blocked(const Word* state) const override;
  ThreadSet failed(const Word* state) const override;
  int choices(const Word* state, int thread) const override;
  bool chooses_fairly(const Word* state, int thread) const override;
  bool step(const Word* state, Step step, Word* next) const override;
  Ending ending(const Word* state) const override;
  std::unique_ptr<Program> wider() const override;
  std::string why_no_tables() const override { return "the threads of its subgroups meet"; }

  StepText describe_step(const Word* state, Step step) const override;
  std::string describe_memory(const Word* state) const override;
  std::string describe_thread(const Word* state, int thread) const override;

 private:
  struct Guess {
    Field made, operand, from, result;
    RegisterRange range, lanes;
  };
  struct Lane {
    Field at;  // its instruction, or behind the last one where it has failed
    std::vector<Field> rounds;
    std::vector<PackedValue> registers;
    std::vector<Guess> guesses;
  };
  struct Packed {
    std::vector<Lane> lanes;
    Field side;
    // Where a block may be closed, and by the round of its loop whether it is.
    std::vector<int> closing;
    std::vector<Field> closed;
  };
  // What a step of a thread is about: whose subgroup, which lane, and its choices.
  struct Taken {
    Tangles before, after;
    int subgroup = 0, lane = 0;
    LanesTaken lanes;
  };

  Packed allot(const Tangled& subgroup, FieldAllotter& fields) const;
  void put(Word* state, int subgroup, const Tangles& tangles) const;
  Tangles tangles(const Word* state, int subgroup) const;
  int lanes() const { return code_->topology.subgroup_threads(); }
  int subgroup_of(int thread) const { return as_one_ ? thread : thread / lanes(); }
  // A thread of this program, of a lane.
  int thread_of(int subgroup, int lane) const {
    return as_one_ ? subgroup : subgroup * lanes() + lane;
  }
  bool is_over(const Word* state) const { return over_.get(state) != 0; }
  // Takes the step with one choice after another until `stop`; returns how many there are.
  int take(const Word* state, Step step, Word* next, Taken& taken, bool count) const;
  void take_once(const Word* state, int thread, Word* next, Choices& choices, Taken& taken) const;
  bool goes_wrong_at_end(const Word* state) const;

  std::shared_ptr<const Code> code_;
  const bool as_one_;
  const bool wide_;
  std::vector<Tangled> subgroups_;
  std::vector<Packed> packed_;
  std::vector<PackedValue> cells_;
  Field over_;    // an Ending, where all has ended
  Field failed_;  // what is said of the end does not hold; by the thread that ended last, from 1 on
};

}  // namespace headway::lang::idiom
