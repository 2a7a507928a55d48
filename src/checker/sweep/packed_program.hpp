// A program packed for exploration by layers (checker/sweep/sweep.hpp): its states as few words,
// each thread's local state a field of bits, and where every step leads as a table.
//
// Two things are found out about the program on the way. Threads of one *kind* run the same code;
// with symmetry, states that differ by a permutation of such threads are one state, the one whose
// fields are sorted. And every local state has a *height*: the local states of a thread form a
// graph, its strongly connected components (the loops of the code) are ordered, and the height of
// a component is the length of a longest path to it. Heights never fall along an execution.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "lang/step_tables.hpp"

namespace headway::checker {

struct PackOptions {
  // Whether a thread that has not taken a step is told apart from one that is back at its start.
  bool track_started = true;
  // Whether threads that run the same code are of one kind; else each is a kind of its own.
  bool symmetry = true;
};

class PackedProgram {
 public:
  // Some bits of one word of a state. (Field of base/ is twice as large, and there are many.)
  struct Field {
    std::uint8_t word = 0;
    std::uint8_t shift = 0;
    std::uint16_t mask = 0;
  };
  // What a step does; changes are to be combined by exclusive or.
  struct Outcome {
    std::uint16_t code = 0;   // change of the thread's field
    std::uint16_t value = 0;  // change of the variable's field
    std::uint16_t climb = 0;  // how far the thread gets higher; 0 within its component

    bool changes_nothing() const { return code == 0 && value == 0; }
  };
  // What history knows of a thread. Without track_started no thread is fresh.
  enum class Stage : std::uint8_t { fresh, running, ended };
  struct LocalRow {
    Field variable;
    std::uint16_t variable_number = 0;
    Stage stage = Stage::running;
    bool failed = false;              // then its stage is that of a thread that has ended
    std::uint16_t outcomes = 0;       // how many
    std::uint32_t first_outcome = 0;  // outcomes()[first_outcome + value read]
  };
  // Local states of a kind are coded so that those of one component differ in the low bits only,
  // fresh ones come first and the end last.
  struct Kind {
    int first = 0;  // its slots are first .. first+size-1
    int size = 1;
    std::uint32_t first_local = 0;     // locals()[first_local + code]
    std::uint16_t component_mask = 0;  // of a code
    ThreadSet slots() const { return ThreadSet::first(first + size) - ThreadSet::first(first); }
  };
  // The place of a thread in a state. Slots of a kind lie next to each other.
  struct Slot {
    Field field;
    std::uint32_t first_local = 0;  // of its kind
    int kind = 0;
    int thread = 0;  // id
  };

  // Nothing when a local state takes more than 16 bits.
  static std::optional<PackedProgram> pack(const lang::StepTables& tables,
                                           const PackOptions& options);

  int threads() const { return static_cast<int>(slots_.size()); }
  int words() const { return words_; }
  int variables() const { return variables_; }
  bool tracks_started() const { return tracks_started_; }
  // Whether some thread may fail; a search that finds one that has should end there.
  bool may_fail() const { return may_fail_; }
  // Whether some kind has several threads.
  bool symmetric() const { return kinds_.size() < slots_.size(); }
  const std::vector<Kind>& kinds() const { return kinds_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const std::vector<LocalRow>& locals() const { return locals_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }
  // The initial state, words() words; its height is 0.
  const std::vector<std::uint64_t>& initial() const { return initial_; }
  // The values of Outcome::climb other than 0, in increasing order, and a height that no state
  // exceeds. The height of a state is the sum over its threads.
  const std::vector<int>& climbs() const { return climbs_; }
  int highest() const { return highest_; }

 private:
  PackedProgram() = default;
  Field allot(int bits);

  int words_ = 1;
  int variables_ = 0;
  int used_ = 0;  // bits
  bool tracks_started_ = false;
  bool may_fail_ = false;
  std::vector<Kind> kinds_;
  std::vector<Slot> slots_;
  std::vector<LocalRow> locals_;
  std::vector<Outcome> outcomes_;
  std::vector<int> climbs_;
  int highest_ = 0;
  std::vector<std::uint64_t> initial_;
};

}  // namespace headway::checker
