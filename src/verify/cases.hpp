// Where the values of an argument are listed, as in __requires(stride == 1 | stride == 64), each is
// looked at by itself: what multiplies and divides by an unknown number is hard, by a constant
// easy.
#pragma once

#include <functional>

#include "verify/encoding/encoder.hpp"
#include "verify/report.hpp"

namespace headway::verify {

// What `verify` says of all values together: of each property the worst. It is asked about all of
// them at once where none are listed, or very many.
Report verify_by_cases(const kernel::Module& module, const kernel::Function& function,
                       const Options& options, const std::function<Report(const Options&)>& verify);

}  // namespace headway::verify
