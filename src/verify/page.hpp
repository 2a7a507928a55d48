// Reports as one HTML page, without scripts: of each kernel the answers, its source with the lines
// that they are about, and a counterexample's two threads beside each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/verify.hpp"

namespace headway::verify {

// `sources`: the text of each file, by its name in the reports.
std::string to_html(const std::vector<Report>& reports,
                    const std::map<std::string, std::string>& sources);

}  // namespace headway::verify
