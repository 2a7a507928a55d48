// Texts that are no litmus tests of this language, and what they look like instead.
#pragma once

#include "base/text/scanner.hpp"

namespace headway::lang::axb {

// Throws headway::Error where what comes next begins a test for herd7, a kernel, a shader in WGSL,
// or lines of JSON.
void refuse_other_languages(Scanner& scanner);

}  // namespace headway::lang::axb
