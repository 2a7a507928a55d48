// What has to be shown of a kernel: one list of what is assumed and what is claimed, for both
// threads, in the order of the code. A claim may use what stands before it. Loops are cut: their
// candidates are claimed at `base` and `step` and assumed at `head`.
#pragma once

#include <string>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "smt/term.hpp"

namespace headway::verify {

using smt::Term;

enum class Property {
  race,
  divergence,
  assertion,
  bounds,
  null,
  alignment,
  constant,  // of a write to memory that is constant; looked at where there may be one
  termination
};
std::string_view name_of(Property property);

struct Check {
  Property property = Property::race;
  Term claim;
  kernel::Place place, other;  // of a race: where the second thread is, and where the first one was
  std::string detail;
  // Of a race: both accesses, and whether they are of memory of the workgroup.
  const kernel::Instruction *first = nullptr, *second = nullptr;
  bool of_group = false;
  bool of_lock = false;  // what locks order is ordered only where it holds
};

struct Candidate {
  std::string rule;  // r0 to r18; "user" is what the author wrote
  std::string text;
  int loop = 0;
  int weight = 0;  // how hard for a solver: those above are dropped first when time runs out
  Term head, base, step;
  kernel::Place place;
  bool user = false;
  bool of_log = false;  // says something of what was accessed
  bool alive = true;
};

struct Item {
  enum class Kind { assume, check, head, base, step };
  Kind kind = Kind::assume;
  Term term;              // assume
  std::size_t index = 0;  // of a check; of a loop
};

struct Conditions {
  std::vector<Item> items;
  std::vector<Check> checks;
  std::vector<Candidate> candidates;
  std::vector<kernel::Place> loops;  // where each one begins
};

}  // namespace headway::verify
