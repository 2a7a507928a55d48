// Reports with all that is known, as JSON.
#pragma once

#include <string>
#include <vector>

#include "verify/verify.hpp"

namespace headway::verify {

std::string to_json(const std::vector<Report>& reports);

}  // namespace headway::verify
