// What may be missing: conditions on integer arguments with which a kernel is verified that is not
// verified without them. Each that is named was proved, and holds for some arguments.
#pragma once

#include "verify/verify.hpp"

namespace headway::verify {

// Tries some of the usual ones, the weaker ones first, for up to Options::kernel_limit in all.
// Findings that are not verified name up to two that are enough for all properties.
void suggest_preconditions(Report& report, const kernel::Module& module,
                           const kernel::Function& function, const Options& options);

// verify() for a tenth of the time; then, where something is left open or violated, the same where
// sizes are small, and products and counters up to small sizes do not wrap around, for a quarter of
// the time and eight seconds at most; then once more what was left open, for half of the time
// where small sizes were proved. What is verified there alone is conditional: for integer arguments
// from 0, or from 1 for a divisor, to 4096, or to less where more of them are multiplied. Small
// sizes are not asked where errors are known to hang on such a wrap (Finding::overflow), nor
// without Options::overflow.
Report verify_with_ranges(const kernel::Module& module, const kernel::Function& function,
                          const Options& options);

}  // namespace headway::verify
