// What may be missing: conditions on integer arguments with which a kernel is verified that is not
// verified without them. Each that is named was proved, and holds for some arguments.
#pragma once

#include "verify/verify.hpp"

namespace headway::verify {

// Tries some of the usual ones, the weaker ones first, for up to Options::kernel_limit in all.
// Findings that are not verified name up to two that are enough for all properties.
void suggest_preconditions(Report& report, const kernel::Module& module,
                           const kernel::Function& function, const Options& options);

// verify(), with up to a quarter of the time, eight seconds at most, kept for what it leaves open
// or calls violated: sizes are small, and products and counters up to small sizes do not wrap
// around. Findings say where all is verified for integer arguments from 0, or from 1 for a divisor,
// to 4096, or to less where more of them are multiplied. Not asked where they are known to hang on
// such a wrap (Finding::overflow), nor without Options::overflow.
Report verify_with_ranges(const kernel::Module& module, const kernel::Function& function,
                          const Options& options);

}  // namespace headway::verify
