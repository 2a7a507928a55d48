// Which threads of a program may change places, and where the parts of a state are that change
// places with them.
#pragma once

#include <vector>

#include "base/bits/field.hpp"

namespace headway::lang {

// Threads of one kind in the same innermost group run the same program: when two of them exchange
// what is in their fields, the steps of one are those of the other. Groups whose threads are of the
// same kinds, one by one, do when they exchange the fields of their threads and, if they are
// workgroups, those of their memory. Nothing else in a state tells threads apart, and its height
// stays what it is.
struct Interchangeable {
  std::vector<int> kind;                         // by thread
  std::vector<std::vector<Field>> of_thread;     // as many, and as wide, for threads of one kind
  std::vector<std::vector<Field>> of_workgroup;  // the same of workgroups; may be empty
};

}  // namespace headway::lang
