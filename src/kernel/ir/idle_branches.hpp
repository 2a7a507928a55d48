// Branches that decide nothing: both ways come together again, and on neither of them something
// happens that another thread, or what comes behind, could see. A compiler leaves such where a loop
// that waits counts its rounds, to sleep longer from some of them on; what they count, and compare
// with a clock, would tell states apart that are the same.
#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Jumps over them, and drops what only they have needed. Loops stay. For code in which a value that
// nobody has set is any value, and no error: that of machines. Blocks have to be in order.
void drop_idle_branches(Function& function);

}  // namespace headway::kernel
