// What a thread of a compiled program touches from where it stands, and how far it has come.
#pragma once

#include <vector>

#include "lang/idiom/code.hpp"

namespace headway::lang::idiom {

// Where a thread can stand.
struct Place {
  int height = 0;                // never falls along an execution
  bool climbs = false;           // whether each step from here leads to a greater height
  int first_read = 0, read = 0;  // of an await: it reads so many cells from the first on, at most
};

// By stop of the thread, and one more for where it has failed. The last stop is the end; there, and
// there alone, nothing is left to climb.
std::vector<Place> places_of(const Code& code, const ThreadCode& thread);

}  // namespace headway::lang::idiom
