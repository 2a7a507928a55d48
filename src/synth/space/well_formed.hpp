// Decides whether a program is a litmus test (Sorensen et al., OOPSLA 2021, section 6; the
// definition is in docs/reference/synthesis.md), from its LTS. The engines of synthesis have ways
// of their own; this one is for single tests.
#pragma once

#include <string>
#include <vector>

#include "lang/axb/code.hpp"

namespace headway::synth {

namespace axb = lang::axb;

enum class Constraint {
  possible_termination,    // 1: from every reachable state all threads can terminate
  non_termination_cycle,   // 2: the LTS has a cycle
  all_branches_possible,   // 3: every branch is taken once, and not taken once
  meaningful_comparisons,  // 4: a store checks 0; no instruction does nothing
  inter_thread_influence,  // 5: what is exchanged is branched on by another thread, and so on
  effective_stores,        // 6, optional: every exchange changes memory once
  // 7: the group of a barrier has two threads, and is not all of the group of a wider barrier.
  meaningful_barriers,
};

std::string to_string(Constraint constraint);

// The constraints that `test` violates, the sixth included; none for a litmus test with effective
// stores. Its memory must start at 0 everywhere. Throws headway::Error for a test with more than
// 20 million states.
std::vector<Constraint> violated_constraints(const axb::Code& test);

}  // namespace headway::synth
