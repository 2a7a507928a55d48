// What the operations of a subgroup give to the threads that take part in one.
#pragma once

#include <span>

#include "lang/idiom/machine.hpp"

namespace headway::lang::idiom {

// What a thread brings.
struct Contribution {
  int lane = 0;
  int operand = 0;
  int from = 0;  // the lane that it asks
};

// What each of the threads gets, which are in the order of their lanes. Where one asks a lane that
// takes no part, that is the failure.
std::vector<int> operate(SubgroupOperation operation, std::span<const Contribution> all,
                         Failure& failure);

}  // namespace headway::lang::idiom
