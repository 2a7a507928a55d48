// Reports with all that is known, as JSON, and as SARIF 2.1.0 (OASIS) for services that show
// findings beside code.
#pragma once

#include <string>
#include <vector>

#include "verify/verify.hpp"

namespace headway::verify {

std::string to_json(const std::vector<Report>& reports);
std::string to_sarif(const std::vector<Report>& reports);

}  // namespace headway::verify
