// Programs of the idiom language as they are written: loops as loops, functions as functions,
// threads of one block as one function that asks for its ids. So the threads of a subgroup run on a
// device as those of the source do, and a barrier is one statement.
#pragma once

#include "emit/kernel.hpp"
#include "lang/idiom/code.hpp"

namespace headway::emit {

// Sets the body, the groups and the memory of `kernel`. Throws headway::Error for what no target
// can say.
void lower_groups(const std::shared_ptr<const lang::idiom::Code>& code, Kernel& kernel);

}  // namespace headway::emit
