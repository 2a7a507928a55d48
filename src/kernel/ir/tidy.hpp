// What a reader may leave to be done on functions of kernel IR that it has made: blocks that cannot
// be reached dropped, the others in the order of control; local scalars made values (SSA). Time and
// memory in proportion to blocks times promoted scalars, within a bound; beyond, they stay memory.
#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Each block before those that it leads to, but for loops; drops those that nothing leads to.
void order_blocks(Function& function);

// What becomes of a local object that may be read before it is written.
enum class Unwritten { undefined, stays_memory };

// Local objects that are only loaded and stored, each place always as the same type, become values.
// What memory holds that was never written is one value, what is undefined another one at each use.
// Blocks have to be in order.
// Whether there were such.
bool promote_locals(Function& function, Unwritten unwritten = Unwritten::undefined);

// Addresses that are a constant number of bytes behind another one become addresses of their own:
// promotion of what held pointers leaves such. Whether there were any.
bool fold_addresses(Function& function);

// Drops local objects that no instruction names.
void drop_unused_locals(Function& function);

// Computes what is known, as the builder would have if it had known it: integers of constants, phis
// of one value, branches of one way. Drops blocks that nothing leads to then.
void fold_constants(Function& function);

}  // namespace headway::kernel
