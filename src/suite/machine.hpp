// Machines that always choose alike who steps next: implementations that a test finds wrong when
// its only execution there never ends (docs/reference/suites.md, "Power").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"

namespace headway::suite {

struct Machine {
  // Among several that can step: each in turn; the lowest one; the same one until it blocks or
  // ends; or the highest only when no other can.
  enum class Choice { turns, lowest, same, highest_last };
  // Which workgroups there are at a time.
  enum class Resident { all, one_from_below, one_from_above };

  Resident resident = Resident::all;
  Choice of_workgroups = Choice::turns, of_threads = Choice::turns;
  // Of a workgroup only the lowest subgroup runs that has not ended.
  bool one_subgroup = false;
  // The threads that a barrier lets through, or their workgroups, are forgotten: they step again
  // only when no other can.
  std::optional<Level> forgets = {};

  // "turns/lowest", and what it does.
  std::string name() const;
  std::string text() const;
};

// All choices for workgroups and for threads, and those that make one more mistake.
std::vector<Machine> machines();

// Whether the only execution of `program` on a machine never ends: it repeats itself, or nobody
// whom the machine would let step can.
bool never_ends(const lang::Program& program, const Machine& machine);

}  // namespace headway::suite
