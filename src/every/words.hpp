// What a certificate shows, in sentences for people: the invariant, who owes a step, what
// decreases (docs/internals/every-n.md).
#pragma once

#include <string>
#include <vector>

#include "every/certificate.hpp"

namespace headway::every {

// A line each. `file` is the name of the program. Throws headway::Error when the program is wrong.
std::vector<std::string> in_words(const Certificate& certificate, const std::string& file);

}  // namespace headway::every
