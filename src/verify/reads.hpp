// Whether threads that read one place read the same, tried where that may prove what any values do
// not.
#pragma once

#include <functional>

#include "verify/encoding/options.hpp"
#include "verify/report.hpp"

namespace headway::verify {

// What `verify` says where any values are read, as that needs no proof that nothing races, and
// knows locks; or with Options::equal_reads, in what is left of the time, where that proves all.
Report verify_by_reads(const kernel::Function& function, const Options& options,
                       const std::function<Report(const Options&)>& verify);

}  // namespace headway::verify
