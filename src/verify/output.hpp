// Reports in the forms that are written: rows for tables and CSV, JSON, and SARIF 2.1.0 (OASIS) for
// services that show findings beside code.
#pragma once

#include <string>
#include <vector>

#include "verify/verify.hpp"

namespace headway::verify {

// file, kernel, property, verdict, line, detail; the first row says so.
std::vector<std::vector<std::string>> rows(const std::vector<Report>& reports);
std::string to_json(const std::vector<Report>& reports);
std::string to_sarif(const std::vector<Report>& reports);

}  // namespace headway::verify
