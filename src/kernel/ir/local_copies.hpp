// Copies of structs between local objects, which C++ makes of each argument that is passed by
// value, as loads and stores of the parts that are used. Then they can become values (tidy.hpp).
#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Splits copies and fills of constant length whose objects are local, are named by constant places
// alone, and have parts that do not overlap. What is copied may also be an argument passed by
// value. Bytes that no load or store names are not copied: nobody could see them.
void split_local_copies(Function& function);

}  // namespace headway::kernel
