// One thread of a launch as a thread of a program whose memory is asked about.
#pragma once

#include "consistency/program.hpp"
#include "kernel/litmus/cells.hpp"
#include "kernel/litmus/values.hpp"

namespace headway::kernel::litmus {

// Without name and place. Its accesses have no locations yet; `cells` gets them. Throws
// headway::Error with a line for what is not read here.
consistency::Thread thread_of(const ThreadContext& context, int thread, Cells& cells);

}  // namespace headway::kernel::litmus
