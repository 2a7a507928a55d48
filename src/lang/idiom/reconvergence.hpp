// Where the threads of a subgroup in lockstep that part at a branch come together again.
#pragma once

#include <vector>

#include "lang/idiom/code.hpp"
#include "lang/parted.hpp"

namespace headway::lang::idiom {

// By instruction, of branches, the immediate post-dominator: the first instruction that every way
// to the end passes. kNowhere where that is the end itself, which nobody waits at, and where the
// end cannot be reached. With `as_it_is` conditions that are constants of the text lead one way.
std::vector<int> reconvergence_points(const ThreadCode& thread, bool as_it_is = false);

// Where a thread that goes to `place` stands when it has made the jumps that lead on from there, as
// far as `point`.
int behind_jumps(const ThreadCode& thread, int place, int point);

}  // namespace headway::lang::idiom
