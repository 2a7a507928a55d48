// How the threads of a subgroup advance: the readings that texts and machines have of it
// (docs/reference/machines.md). A reading is a row of a table; what it says is carried out by
// whoever runs the threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headway::lang {

enum class SubgroupReading : std::uint8_t { its, cm, sm, scf, sso, spec, symb, mr, lock, cfg };

// How a thread comes by an instruction of a class, in a dynamic block: its static block, and how
// often each loop around that has gone round.
enum class Meets : std::uint8_t {
  alone,       // at any time
  in_turn,     // when all are at it who can still come to the block; then each by itself
  together,    // the same, and then all of them by one step
  anywhere,    // all threads of the subgroup that have not ended, by one step, wherever each is
  speculating  // together, without those that need not come; a run to which they come is no run
};

struct ReadingRules {
  SubgroupReading reading;
  std::string_view name;
  std::string_view says;  // in a sentence
  Meets votes, labels, accesses;
  bool guesses = false;   // whether a vote gives any value, and runs with a wrong one are no runs
  bool one_side = false;  // whether one side of a branch runs until it can no more
  bool in_lockstep = false;  // whether it is no dynamic block that runs, but a stack of sides
  bool as_it_is = false;     // whether conditions that never change make no ways

  // Whether the subgroup, and no thread of it, is what takes steps.
  bool as_one() const { return one_side || in_lockstep; }
  bool waits_at_labels() const { return labels != Meets::alone; }
};

// All of them, in the order of the enumeration.
std::span<const ReadingRules> subgroup_readings();
const ReadingRules& rules_of(SubgroupReading reading);
inline std::string_view to_string(SubgroupReading reading) { return rules_of(reading).name; }
// Throws headway::Error for what is no name of one.
SubgroupReading subgroup_reading_named(const std::string& name);

}  // namespace headway::lang
