// What may be missing: conditions on integer arguments with which a kernel is verified that is not
// verified without them. Each that is named was proved, and holds for some arguments.
#pragma once

#include "verify/verify.hpp"

namespace headway::verify {

// Tries some of the usual ones, the weaker ones first, for up to Options::kernel_limit in all.
// Findings that are not verified name up to two that are enough for all properties.
void suggest_preconditions(Report& report, const kernel::Module& module,
                           const kernel::Function& function, const Options& options);

// Sizes are small, and products and counters up to small sizes do not wrap around. Where that is
// not known of what is violated (Finding::overflow) and the kernel multiplies, or a loop is not
// shown to end whose counter may wrap around, tries in the time that is left, up to five seconds,
// whether all is verified for integer arguments from 0 to 4096, and says so.
void note_plain_ranges(Report& report, const kernel::Module& module,
                       const kernel::Function& function, const Options& options);

}  // namespace headway::verify
