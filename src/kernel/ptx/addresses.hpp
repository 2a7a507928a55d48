// Pointers out of the numbers that PTX has for them: an address of shared memory is a number of 32
// bits, which is a pointer again where it can be followed back to one.
#pragma once

#include <optional>
#include <set>

#include "kernel/ir/builder.hpp"

namespace headway::kernel::ptx {

// The numbers that are addresses of shared memory, as cvta.to.shared makes them. What a pointer is
// cast to is a generic address, and another number on a device.
using SharedAddresses = std::set<ValueId>;

// The pointer that a number was made of, moved by what was added since. A number of 32 bits will do
// where it is `shared`, as these tell all of shared memory apart.
std::optional<ValueId> pointer_of(Builder& builder, ValueId number, bool shared,
                                  const SharedAddresses& all);

// Drops sums and conversions that nobody uses, as those are out of which pointers were made. A part
// of an address is nothing that could be computed.
void drop_unused_numbers(Function& function);

// Where the variable is that a pointer leads to; nothing of pointers that may lead anywhere.
std::optional<Space> space_of(const Module& module, const Builder& builder, ValueId pointer);

}  // namespace headway::kernel::ptx
