// Pointers of a kernel of PTX, which has numbers alone. Which of them are addresses, and of what,
// is found by where they come from and where they go, as no instruction says it: parameters have no
// types, a sum is a sum.
#pragma once

#include <map>

#include "kernel/ir/ir.hpp"

namespace headway::kernel::ptx {

// Numbers by which memory is named. Those of global memory are generic addresses, too; `global`:
// a generic one that has to be of global memory.
enum class Addresses { generic, global, shared, local, constant };
Addresses addresses_of(Space space);

// By the results of Op::pointer_to_int and Op::int_to_pointer, as the reader has emitted them: what
// these numbers are.
using AddressSpaces = std::map<ValueId, Addresses>;

// Makes pointers of the numbers that are addresses, in parameters and in memory, too, and no
// conversions are left. Blocks have to be in order. Throws Refused, with `at` set, for what is an
// address and another number, or of two kinds of memory, and for addresses that come from nowhere.
void find_pointers(const Module& module, Function& function, const AddressSpaces& spaces,
                   Place& at);

}  // namespace headway::kernel::ptx
